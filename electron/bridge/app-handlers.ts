// The app domain: facts, folders, links.
import { realpath } from "node:fs/promises";
import { resolve, sep } from "node:path";
import type { contract } from "#shared/ipc/contract.ts";
import type { HandlersOf } from "#shared/ipc/define.ts";
import { err, ok } from "#shared/lib/result.ts";
import type { BridgeDeps } from "./contract.ts";
import { checkFolder } from "./folder.ts";
import { externalLink } from "./links.ts";

export function appHandlers(deps: BridgeDeps): HandlersOf<typeof contract>["app"] {
  return {
    facts: async () => ok({ ...deps.facts, problems: [...deps.problems] }),
    pickFolder: async () => ok({ path: (await deps.desktop.pickFolder()) ?? null }),
    checkFolder: ({ path }) => checkFolder(path, deps.facts.home),
    makeSample: async () => ok({ path: await deps.makeSample() }),
    async openExternal({ url }) {
      const link = externalLink(url);
      if (link === undefined) return err({ kind: "refused", message: "Only web and mail links are opened." });
      await deps.desktop.openExternal(link);
      return ok(null);
    },
    async keepWindowData() {
      deps.desktop.keepWindowData();
      return ok(null);
    },
    followCommands(_key, send, signal) {
      const following = deps.desktop.followCommands(send);
      signal.addEventListener("abort", () => following[Symbol.dispose](), { once: true });
    },
    async showFile({ session, path }) {
      const opened = await deps.sessions.open(session);
      if (!opened.ok) return err({ kind: "missing", message: opened.error.message });
      const folder = await realpath(opened.value.view.cwd).catch(() => undefined);
      const target = folder === undefined ? undefined : await realpath(resolve(folder, path)).catch(() => undefined);
      if (folder === undefined || target === undefined) return err({ kind: "missing", message: `${path} is not there.` });
      if (target !== folder && !target.startsWith(folder + sep)) return err({ kind: "refused", message: `${path} is outside the folder.` });
      await deps.desktop.showFile(target);
      return ok(null);
    },
  };
}
