// The checkpoints domain: diffs, previews and going back. Plans stay here in the main process; the window holds their ids.
import type { RollbackFailure } from "#shared/checkpoints/checkpoint.ts";
import type { contract } from "#shared/ipc/contract.ts";
import type { HandlersOf } from "#shared/ipc/define.ts";
import type { SessionId } from "#shared/lib/ids.ts";
import { err, ok, type Result } from "#shared/lib/result.ts";
import type { SessionActor } from "#electron/sessions/contract.ts";
import type { BridgeDeps } from "./contract.ts";

export function checkpointHandlers(deps: BridgeDeps): HandlersOf<typeof contract>["checkpoints"] {
  return {
    async diff({ session, from, to, paths }) {
      const actor = await actorOf(deps, session);
      if (!actor.ok) return actor;
      const store = await deps.checkpoints.open(actor.value.view.cwd);
      if (!store.ok) return failure(store.error);
      const diffs = await store.value.diff(from, to, paths);
      return diffs.ok ? ok([...diffs.value]) : failure(diffs.error);
    },
    async uncommitted({ session }) {
      const actor = await actorOf(deps, session);
      if (!actor.ok) return err({ kind: "no_session", message: actor.error.message });
      const found = await deps.uncommitted(actor.value.view.cwd);
      return found.ok ? ok({ diffs: [...found.value.diffs], more: found.value.more }) : found;
    },
    async plan({ session, target, ...pick }) {
      const actor = await actorOf(deps, session);
      if (!actor.ok) return actor;
      const preview = await actor.value.planRollback(target, pick);
      return preview.ok ? preview : failure(preview.error);
    },
    async threeWay({ session, plan, path }) {
      const actor = await actorOf(deps, session);
      if (!actor.ok) return actor;
      const store = await deps.checkpoints.open(actor.value.view.cwd);
      if (!store.ok) return failure(store.error);
      const sides = await store.value.threeWay(plan, path);
      return sides.ok ? sides : failure(sides.error);
    },
    async mark({ session, checkpoint, ...mark }) {
      const actor = await actorOf(deps, session);
      if (!actor.ok) return actor;
      const marked = await actor.value.markCheckpoint(checkpoint, mark);
      return marked.ok ? marked : failure(marked.error);
    },
    storage: async () => ok([...(await deps.storage.list())]),
    async freeUp({ folder }) {
      const freed = await deps.storage.freeUp(folder);
      return freed.ok ? ok({ freedBytes: freed.value.freedBytes, removed: freed.value.removed }) : failure(freed.error);
    },
    async apply({ session, plan }) {
      const actor = await actorOf(deps, session);
      if (!actor.ok) return actor;
      const done = await actor.value.applyRollback(plan);
      return done.ok ? ok({ before: done.value.before, files: [...done.value.files] }) : failure(done.error);
    },
  };
}

export function failure({ kind, paths, message }: RollbackFailure) {
  return err({ kind, paths: [...paths], message });
}

export async function actorOf(deps: BridgeDeps, session: SessionId): Promise<Result<SessionActor, RollbackFailure>> {
  const opened = await deps.sessions.open(session);
  return opened.ok ? opened : err({ kind: "folder_gone", paths: [], message: opened.error.message });
}
