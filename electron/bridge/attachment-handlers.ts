// The attachments and files domains: what goes along with a message, and files found by their names (U8).
import type { contract } from "#shared/ipc/contract.ts";
import type { HandlersOf } from "#shared/ipc/define.ts";
import { ok } from "#shared/lib/result.ts";
import type { BridgeDeps } from "./contract.ts";
import { checkFolder } from "./folder.ts";

export function attachmentHandlers({ attachments, sessionFolder }: BridgeDeps): HandlersOf<typeof contract>["attachments"] {
  return {
    put: (given) => attachments.put(given),
    get: async ({ ref }) => ok({ base64: (await attachments.get(ref)) ?? null }),
    ofSession: async ({ session, ref }) => ok({ base64: (await attachments.ofSession(sessionFolder(session), ref)) ?? null }),
    async touch({ refs }) {
      await attachments.touch(refs);
      return ok(null);
    },
  };
}

export function fileHandlers({ files, facts, sessions }: BridgeDeps): HandlersOf<typeof contract>["files"] {
  return {
    async find({ cwd, query }, signal) {
      const folder = await checkFolder(cwd, facts.home);
      if (!folder.ok) return folder;
      const found = await files.find(folder.value.path, query, signal);
      return ok({ paths: [...found.paths], total: found.total });
    },
    async picture({ session, path }) {
      const opened = await sessions.open(session);
      return ok({ base64: opened.ok ? ((await files.picture(opened.value.view.cwd, path)) ?? null) : null });
    },
  };
}
