// Points one can go back to, and what going back would do (K2, K5, K6).
import { z } from "zod";
import { CallId, CheckpointId, PlanId, TurnId } from "#shared/lib/ids.ts";

export const CheckpointCause = z.object({
  kind: z.enum(["turn_start", "turn_end", "before_call", "rollback", "person"]),
  /** prompt, command, file list or the person's name for it; shown as it is */
  label: z.string(),
  turn: TurnId.optional(),
  call: CallId.optional(),
});
export type CheckpointCause = z.infer<typeof CheckpointCause>;

export const ChangedBy = z.enum(["agent", "background", "during_call", "person"]);
export type ChangedBy = z.infer<typeof ChangedBy>;

export const FileChange = z.object({
  /** workspace-relative, `/` as separator */
  path: z.string(),
  change: z.enum(["add", "modify", "delete", "mode"]),
  added: z.number(),
  removed: z.number(),
  binary: z.boolean(),
  by: ChangedBy,
});
export type FileChange = z.infer<typeof FileChange>;

export const Checkpoint = z.object({
  id: CheckpointId,
  parent: CheckpointId.optional(),
  cause: CheckpointCause,
  /** ms since the epoch */
  at: z.number(),
  /** files protected in it, and their bytes */
  files: z.number(),
  bytes: z.number(),
  /** what differs from its parent */
  changes: z.array(FileChange),
  /** how many there are when `changes` is shortened */
  changesCount: z.number().optional(),
  /** paths that are not covered, with why; shortened list, `uncoveredCount` is the truth */
  uncovered: z.array(z.object({ path: z.string(), why: z.enum(["too_big", "dependency_folder", "unreadable", "special_file", "ignored"]) })),
  uncoveredCount: z.number(),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

export const RollbackScope = z.enum(["files", "conversation", "both"]);
export type RollbackScope = z.infer<typeof RollbackScope>;

/** What of the work since a checkpoint goes back; all of the session's when nothing is picked. */
export const RollbackPick = z.object({
  scope: RollbackScope,
  /** only these, or what lies below them; workspace-relative */
  files: z.array(z.string()).exactOptional(),
  /** of these files only these hunks, counted as the difference from the checkpoint to the folder shows them */
  hunks: z.array(z.object({ path: z.string(), hunks: z.array(z.number().int().nonnegative()) })).exactOptional(),
  /** only the work of these turns; later ones stay (K6) */
  turns: z.array(TurnId).exactOptional(),
  /** of those that are kept or in conflict: the person wants the earlier version */
  overwrite: z.array(z.string()).exactOptional(),
  /** also what the person and others changed since */
  exact: z.boolean().exactOptional(),
});
export type RollbackPick = z.infer<typeof RollbackPick>;

/** The two sides of a file in a preview, as text; a side that is absent has no such file. */
export const TwoSides = z.object({ now: z.string().optional(), target: z.string().optional(), binary: z.boolean() });
export type TwoSides = z.infer<typeof TwoSides>;

/** What happens to one file if the plan is applied. `kept`: the person changed it, so it stays. */
export const PlannedFile = z.object({
  path: z.string(),
  action: z.enum(["restore", "recreate", "remove", "mode", "kept", "conflict", "unavailable"]),
  added: z.number(),
  removed: z.number(),
  binary: z.boolean(),
  /** the agent's part is taken out and what others changed in the same file stays (K5) */
  merged: z.boolean().optional(),
});
export type PlannedFile = z.infer<typeof PlannedFile>;

export const Irreversible = z.object({ kind: z.enum(["uncovered", "outside_folder", "network", "git_history", "command", "more"]), detail: z.string() });
export type Irreversible = z.infer<typeof Irreversible>;

export const RollbackPreview = z.object({
  plan: PlanId,
  target: CheckpointId,
  scope: RollbackScope,
  files: z.array(PlannedFile),
  /** things a roll-back cannot take back: effects outside the folder, uncovered paths, commits made since; `command`: one whose effects nobody knew */
  irreversible: z.array(Irreversible),
});
export type RollbackPreview = z.infer<typeof RollbackPreview>;

export const RollbackFailure = z.object({
  kind: z.enum(["locked", "disk_full", "stale_plan", "unreadable_store", "folder_gone", "unknown_checkpoint", "io"]),
  paths: z.array(z.string()),
  message: z.string(),
});
export type RollbackFailure = z.infer<typeof RollbackFailure>;
