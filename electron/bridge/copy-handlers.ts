// The copies domain: what a session did in its own copy of a folder, brought over into the folder (K8).
import type { contract } from "#shared/ipc/contract.ts";
import type { HandlersOf } from "#shared/ipc/define.ts";
import { ok } from "#shared/lib/result.ts";
import { actorOf, failure } from "./checkpoint-handlers.ts";
import type { BridgeDeps } from "./contract.ts";

export function copyHandlers(deps: BridgeDeps): HandlersOf<typeof contract>["copies"] {
  return {
    async plan({ session, ...pick }) {
      const actor = await actorOf(deps, session);
      if (!actor.ok) return actor;
      const preview = await deps.copies.plan(actor.value.view, pick);
      return preview.ok ? preview : failure(preview.error);
    },
    async threeWay({ session, plan, path }) {
      const actor = await actorOf(deps, session);
      if (!actor.ok) return actor;
      const sides = await deps.copies.bothSides(actor.value.view, plan, path);
      return sides.ok ? sides : failure(sides.error);
    },
    async apply({ session, plan }) {
      const actor = await actorOf(deps, session);
      if (!actor.ok) return actor;
      const done = await deps.copies.apply(actor.value, plan);
      return done.ok ? ok({ before: done.value.before, files: [...done.value.files] }) : failure(done.error);
    },
    async undo({ session }) {
      const actor = await actorOf(deps, session);
      if (!actor.ok) return actor;
      const done = await deps.copies.undo(actor.value);
      return done.ok ? ok({ files: [...done.value.files] }) : failure(done.error);
    },
  };
}
