// Checkpoints of one folder (K). The plan stays in the main process; the wire carries its id.
import type { Checkpoint, CheckpointCause, RollbackFailure, RollbackPreview, RollbackScope } from "#shared/checkpoints/checkpoint.ts";
import type { CheckpointId, PlanId, SessionId } from "#shared/lib/ids.ts";
import type { Result } from "#shared/lib/result.ts";
import type { FileDiff } from "#shared/tools/card.ts";

export type TakeOutcome =
  | { readonly kind: "taken"; readonly checkpoint: Checkpoint }
  /** nothing changed since the newest one, which is named */
  | { readonly kind: "unchanged"; readonly checkpoint: CheckpointId }
  | { readonly kind: "failed"; readonly why: string };

export interface CheckpointStore {
  /** Never rejects. Two takes at once run one after the other. */
  take(cause: CheckpointCause, session: SessionId, signal: AbortSignal): Promise<TakeOutcome>;
  /** Newest last. */
  list(): Promise<readonly Checkpoint[]>;
  get(id: CheckpointId): Promise<Checkpoint | undefined>;
  /** Text diffs between a checkpoint and a later one or the folder as it is. */
  diff(from: CheckpointId, to: CheckpointId | "folder", paths?: readonly string[]): Promise<Result<readonly FileDiff[], RollbackFailure>>;
  /** Preview. `exact`: also take back what the person changed since; otherwise that is kept. `files`: only these paths. */
  plan(target: CheckpointId, pick: { readonly scope: RollbackScope; readonly files?: readonly string[]; readonly exact?: boolean }): Promise<Result<RollbackPreview, RollbackFailure>>;
  /** Journalled, all or nothing; answers the checkpoint taken just before, so that it can be undone (K6, K7). */
  apply(plan: PlanId, session: SessionId, signal: AbortSignal): Promise<Result<{ readonly before: Checkpoint; readonly files: readonly string[] }, RollbackFailure>>;
  close(): Promise<void>;
}

/** One store per folder, shared by its sessions. Refuses home, drive roots and system folders with a reason. */
export interface CheckpointStores {
  open(folder: string): Promise<Result<CheckpointStore, RollbackFailure>>;
  close(): Promise<void>;
}
