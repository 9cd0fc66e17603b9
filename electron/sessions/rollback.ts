// Going back: preview, then apply, for files, conversation or both (K6). The plan lives in the store; only its id travels.
import { PlanId, type CheckpointId, type EntryId } from "#shared/lib/ids.ts";
import { err, ok, type Result } from "#shared/lib/result.ts";
import type { Irreversible, RollbackFailure, RollbackPick, RollbackPreview, RollbackScope } from "#shared/checkpoints/checkpoint.ts";
import type { SessionEvent } from "#shared/events/durable.ts";
import type { SessionView } from "#shared/session/view.ts";
import { lastingSince } from "./lasting-since.ts";
import type { SessionCheckpoints } from "./session-checkpoints.ts";

export interface Rollback {
  plan(target: CheckpointId, pick: RollbackPick): Promise<Result<RollbackPreview, RollbackFailure>>;
  apply(plan: PlanId, signal: AbortSignal): Promise<Result<{ readonly before: CheckpointId; readonly files: readonly string[] }, RollbackFailure>>;
}

export type RollbackDeps = {
  readonly checkpoints: SessionCheckpoints;
  readonly session: SessionView["session"];
  view(): SessionView;
  append(events: readonly SessionEvent[]): Promise<void>;
  /** ends the running turn, its processes included, before files move (K7) */
  stopTurn(): Promise<void>;
  sync(): Promise<void>;
  newId(): string;
};

type Planned = {
  readonly target: CheckpointId;
  readonly scope: RollbackScope;
  readonly undo: boolean;
  readonly partial: boolean;
  readonly conversationTo: EntryId | null | undefined;
  readonly lasting: readonly Irreversible[];
};

const PLANS_KEPT = 20;

export function createRollback(deps: RollbackDeps): Rollback {
  const planned = new Map<PlanId, Planned>();
  const remember = (id: PlanId, plan: Planned) => {
    planned.set(id, plan);
    const [oldest] = planned.keys();
    if (planned.size > PLANS_KEPT && oldest !== undefined) planned.delete(oldest);
  };
  return {
    async plan(target, pick) {
      const head = headOf(deps.view(), target, pick.scope);
      if (head === "unknown") return err({ kind: "unknown_checkpoint", paths: [], message: `No checkpoint ${target} in this session.` });
      const preview = await previewOf(deps, target, pick);
      if (preview.ok) remember(preview.value.plan, { target, scope: pick.scope, partial: isPartial(pick), ...head, lasting: preview.value.irreversible });
      return preview;
    },
    async apply(id, signal) {
      const plan = planned.get(id);
      if (plan === undefined) return err({ kind: "stale_plan", paths: [], message: "This preview is no longer current. Look at it again, then go back." });
      await deps.stopTurn();
      await deps.sync();
      const done = plan.scope === "conversation" ? await conversationOnly(deps) : await filesToo(deps, id, signal);
      if (!done.ok) return done;
      const { target, scope, undo, partial, conversationTo, lasting } = plan;
      const rolledBack: SessionEvent = {
        v: 1,
        type: "rolled_back",
        target,
        scope,
        before: done.value.before,
        files: [...done.value.files],
        undo,
        ...(partial ? { partial } : {}),
        ...(conversationTo === undefined ? {} : { conversationTo }),
        ...(lasting.length === 0 ? {} : { lasting: [...lasting] }),
      };
      await deps.append([...done.value.events, rolledBack]);
      await deps.sync();
      planned.delete(id);
      return ok({ before: done.value.before, files: done.value.files });
    },
  };
}

// Then the files are not those of the target afterwards, and the later stones are not left.
function isPartial({ files, hunks, turns }: RollbackPick): boolean {
  return [files, hunks, turns].some((some) => some !== undefined);
}

// Where the conversation goes. The checkpoint that a roll-back offers for its undo leads to where the conversation stood then.
function headOf(view: SessionView, target: CheckpointId, scope: RollbackScope): Pick<Planned, "undo" | "conversationTo"> | "unknown" {
  const node = view.trail.find((each) => each.checkpoint.id === target);
  const undo = view.undoable === target;
  if (node === undefined && !undo) return scope === "files" ? { undo, conversationTo: undefined } : "unknown";
  if (scope === "files") return { undo, conversationTo: undefined };
  return { undo, conversationTo: undo ? view.undoHead : (node?.head ?? null) };
}

async function previewOf(deps: RollbackDeps, target: CheckpointId, pick: RollbackPick): Promise<Result<RollbackPreview, RollbackFailure>> {
  if (pick.scope === "conversation") return ok({ plan: PlanId.parse(deps.newId()), target, scope: pick.scope, files: [], irreversible: [] });
  const store = await deps.checkpoints.store();
  if (!store.ok) return store;
  const planned = await store.value.plan(target, { ...pick, session: deps.session });
  if (!planned.ok) return planned;
  const checkpoint = await store.value.get(target);
  const lasting = checkpoint === undefined ? [] : lastingSince(deps.view(), checkpoint.at, pick.turns);
  return ok({ ...planned.value, irreversible: [...planned.value.irreversible, ...lasting] });
}

type Done = { readonly before: CheckpointId; readonly files: readonly string[]; readonly events: readonly SessionEvent[] };

async function filesToo(deps: RollbackDeps, id: PlanId, signal: AbortSignal): Promise<Result<Done, RollbackFailure>> {
  const store = await deps.checkpoints.store();
  if (!store.ok) return store;
  const applied = await store.value.apply(id, deps.session, signal);
  if (!applied.ok) return applied;
  const { before, files } = applied.value;
  return ok({ before: before.id, files, events: [{ v: 1, type: "checkpoint_taken", checkpoint: before }] });
}

async function conversationOnly(deps: RollbackDeps): Promise<Result<Done, RollbackFailure>> {
  const { current } = deps.view();
  return current === undefined
    ? err({ kind: "unknown_checkpoint", paths: [], message: "There is no checkpoint in this session yet." })
    : ok({ before: current, files: [], events: [] });
}
