// Checkpoints of one folder (K). The plan stays with the store; the wire carries its id.
import type { Checkpoint, CheckpointCause, RollbackFailure, RollbackPreview, RollbackScope } from "#shared/checkpoints/checkpoint.ts";
import type { CallId, CheckpointId, PlanId, SessionId, TurnId } from "#shared/lib/ids.ts";
import type { Result } from "#shared/lib/result.ts";
import type { FileDiff } from "#shared/tools/card.ts";

export type TakeOutcome =
  | { readonly kind: "taken"; readonly checkpoint: Checkpoint }
  /** nothing changed since the newest one, which is named */
  | { readonly kind: "unchanged"; readonly checkpoint: CheckpointId }
  | { readonly kind: "failed"; readonly why: string };

/** A call that may write is about to run, or a process it left behind goes on running (`background`). */
export type WritingCall = {
  readonly session: SessionId;
  readonly turn: TurnId | undefined;
  readonly call: CallId;
  /** paths it said it writes or deletes, absolute or workspace-relative; "unknown" when it cannot say */
  readonly declared: readonly string[] | "unknown";
  readonly background?: boolean;
};

export type RollbackPick = {
  readonly scope: RollbackScope;
  /** only these, or what lies below them; workspace-relative */
  readonly files?: readonly string[];
  /** also take back what the person and others changed since; otherwise that is kept */
  readonly exact?: boolean;
  /** whose work is taken back, "any" agent's; without it, of the session that took the target. What others did is kept (D13). */
  readonly session?: SessionId | "any";
  /** only the work of these turns; later ones stay (three-way) */
  readonly turns?: readonly TurnId[];
  /** of these files only these hunks, counted as `diff(target, "folder")` shows them; other files only when `files` names them */
  readonly hunks?: readonly { readonly path: string; readonly hunks: readonly number[] }[];
  /** of those shown as kept or in conflict: the person wants the target's version */
  readonly overwrite?: readonly string[];
};

export type IncomingPick = {
  readonly session: SessionId;
  /** from which points of the copy on its work counts; one with `files` only for those, and a later one wins */
  readonly since: readonly { readonly checkpoint: CheckpointId; readonly files?: readonly string[] }[];
  readonly files?: readonly string[];
  /** of those in conflict: the copy's version wins */
  readonly overwrite?: readonly string[];
  /** the other way round: what was done there since is taken out here */
  readonly reverse?: boolean;
};

/** What an earlier run had left half done was dealt with at opening; `paths` says where. */
export type StoreRecovery = { readonly kind: "reverted" | "finished" | "stuck" | "store_isolated"; readonly paths: readonly string[] };
export type StoreStats = {
  readonly bytes: number;
  readonly checkpoints: number;
  readonly pinned: number;
  /** ms since the epoch, of the oldest checkpoint */
  readonly oldest?: number | undefined;
  /** why each look is a walk (slower); absent while the system tells what changed */
  readonly watchingOff?: string | undefined;
  readonly files: number;
  readonly protectedBytes: number;
  /** contents found damaged and set apart */
  readonly damaged: number;
  /** files of which an earlier version cannot be brought back for that; a shortened list */
  readonly damagedPaths: readonly string[];
  /** points that cannot be gone back to, since a record of them is damaged */
  readonly lostPoints: number;
};
/** What the person should hear of. `remote`: the folder lies on a network drive, whose times are not believed. `nested`: it lies inside or around another one's folder (`paths`), which keeps its own points. */
export type StoreNews =
  | StoreRecovery
  | { readonly kind: "damaged"; readonly paths: readonly string[]; readonly points: number }
  | { readonly kind: "remote" | "nested"; readonly paths: readonly string[] };
export type ApplyProgress = { readonly done: number; readonly of: number };

export interface CheckpointStore {
  /** real path of the folder */
  readonly folder: string;
  readonly recovered: StoreRecovery | undefined;
  /** Never rejects. Two takes at once run one after the other. */
  take(cause: CheckpointCause, session: SessionId, signal: AbortSignal): Promise<TakeOutcome>;
  /**
   * Right before a call that may write runs, after its checkpoint. What changes until `endCall` is that call's (K5): the agent's
   * where it was declared, "during this call" elsewhere. Need not be awaited.
   */
  beginCall(call: WritingCall): void;
  /** When its last process is gone, however it ended. Never rejects; need not be awaited. */
  endCall(call: CallId): Promise<void>;
  /** Newest last. */
  list(): Promise<readonly Checkpoint[]>;
  get(id: CheckpointId): Promise<Checkpoint | undefined>;
  /** Text diffs between a checkpoint and another one or the folder as it is. */
  diff(from: CheckpointId, to: CheckpointId | "folder", paths?: readonly string[]): Promise<Result<readonly FileDiff[], RollbackFailure>>;
  /** Preview; nothing is changed. */
  plan(target: CheckpointId, pick: RollbackPick): Promise<Result<RollbackPreview, RollbackFailure>>;
  /** Preview of bringing the work of a copy of this folder over (K8); `apply` takes its plan, and undoes it like a roll-back. */
  planIncoming(from: CheckpointStore, pick: IncomingPick): Promise<Result<RollbackPreview, RollbackFailure>>;
  /** Which of these paths agents of other sessions changed since that point, in whatever process (K8). */
  others(
    since: CheckpointId,
    session: SessionId,
    paths: readonly string[],
  ): Promise<Result<readonly { readonly path: string; readonly session: string }[], RollbackFailure>>;
  /** The two sides of a file in conflict, as text. */
  threeWay(
    plan: PlanId,
    path: string,
  ): Promise<Result<{ readonly now?: string | undefined; readonly target?: string | undefined; readonly binary: boolean }, RollbackFailure>>;
  /** Journalled, all or nothing; answers the checkpoint taken just before, so that it can be undone (K6, K7). */
  apply(
    plan: PlanId,
    session: SessionId,
    signal: AbortSignal,
    onProgress?: (progress: ApplyProgress) => void,
  ): Promise<Result<{ readonly before: Checkpoint; readonly files: readonly string[] }, RollbackFailure>>;
  /** A pinned one is never collected. False: there is no such. */
  pin(id: CheckpointId, pinned: boolean): Promise<boolean>;
  stats(): Promise<Result<StoreStats, RollbackFailure>>;
  /** Forgets the oldest until the store is within both bounds; never pinned ones, the current one or those in `keep` (K9). */
  collect(bounds: {
    readonly maxBytes: number;
    readonly maxAgeMs: number;
    readonly keep: readonly CheckpointId[];
  }): Promise<Result<{ readonly freedBytes: number; readonly removed: readonly CheckpointId[] }, RollbackFailure>>;
  /** Each is told once, to whoever asks first. Never rejects. */
  news(): Promise<readonly StoreNews[]>;
  /** Reads every stored content once; what is damaged is set apart and named. */
  verify(): Promise<
    Result<{ readonly checked: number; readonly damaged: readonly { readonly hash: string; readonly paths: readonly string[] }[] }, RollbackFailure>
  >;
  /** Of this opening; the store itself is closed with its last one. */
  close(): Promise<void>;
}

/** One store per folder, shared by its sessions. Refuses home, drive roots and system folders with a reason. */
export interface CheckpointStores {
  open(folder: string): Promise<Result<CheckpointStore, RollbackFailure>>;
  close(): Promise<void>;
}
