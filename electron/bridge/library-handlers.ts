// What the window asks about sessions as things one keeps: searching them, saving one as a document, what one costs, what goes with one (S3, UX 9).
import type { contract } from "#shared/ipc/contract.ts";
import type { HandlersOf } from "#shared/ipc/define.ts";
import { languageFor } from "#shared/i18n/language.ts";
import { err, ok } from "#shared/lib/result.ts";
import { replaceFile } from "#electron/lib/replace-file.ts";
import { exportDocument, fileNameFor } from "#electron/sessions/export-document.ts";
import type { BridgeDeps } from "./contract.ts";

type LibraryHandlers = Pick<HandlersOf<typeof contract>["sessions"], "losses" | "spending" | "search" | "exportTo">;

export function libraryHandlers(deps: BridgeDeps): LibraryHandlers {
  return {
    async losses({ session }) {
      const opened = await deps.sessions.open(session);
      if (!opened.ok) return err({ kind: "no_session", message: opened.error.message });
      const { trail, turn } = opened.value.view;
      return ok({ points: trail.length, named: trail.filter((node) => node.name !== undefined && node.name !== "").length, working: turn !== undefined });
    },
    async spending({ session }) {
      const opened = await deps.sessions.open(session);
      return opened.ok ? ok(await deps.spendingOf(opened.value.view)) : err({ kind: "no_session", message: opened.error.message });
    },
    async search({ query }, progress, signal) {
      return deps.searchSessions(query, (group) => progress({ ...group, hits: [...group.hits] }), signal);
    },
    async exportTo({ session, format }) {
      const opened = await deps.sessions.open(session);
      if (!opened.ok) return err({ kind: "no_session", message: opened.error.message });
      const { view } = opened.value;
      const path = await deps.desktop.pickSave(fileNameFor(view.title, view.session, format));
      if (path === undefined) return ok({ path: null });
      const chosen = deps.settings.current().language;
      const language = chosen === "system" ? languageFor(deps.facts.systemLanguage) : chosen;
      try {
        await replaceFile(path, await exportDocument(view, { format, language, redact: deps.redact }));
        return ok({ path });
      } catch (error) {
        return err({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
      }
    },
  };
}
