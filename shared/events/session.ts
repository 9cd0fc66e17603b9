// Durable events about the session itself, its queue, its small states and its checkpoints.
import { z } from "zod";
import { Block, Maker } from "#shared/chat/blocks.ts";
import { Checkpoint, Irreversible, RollbackScope } from "#shared/checkpoints/checkpoint.ts";
import { CheckpointId, EntryId, SessionId } from "#shared/lib/ids.ts";
import { Goal, Hypothesis, TodoItem } from "#shared/loop/work-state.ts";
import { PermissionMode } from "#shared/permissions/mode.ts";

const v = z.literal(1);

/** The folder in which the session works is its own copy of `folder` (K8). `git`: a work tree of its repository; `base`: the copy's first point. */
export const CopyOf = z.object({ folder: z.string(), git: z.boolean(), base: CheckpointId });
export type CopyOf = z.infer<typeof CopyOf>;
export const SessionCreated = z.object({
  v,
  type: z.literal("session_created"),
  session: SessionId,
  title: z.string(),
  cwd: z.string(),
  mode: PermissionMode,
  maker: Maker,
  forkedFrom: z.object({ session: SessionId, checkpoint: CheckpointId.optional() }).optional(),
  copyOf: CopyOf.exactOptional(),
});
/** Work of a copy came over into the folder it is a copy of (K8). `before`: the folder's point to undo it by; `upTo`: the copy's point. `undone`: the newest one was taken back. */
export const BroughtOver = z.object({ v, type: z.literal("brought_over"), files: z.array(z.string()), before: CheckpointId, upTo: CheckpointId });
export const BringUndone = z.object({ v, type: z.literal("bring_undone") });
export const SessionRenamed = z.object({ v, type: z.literal("session_renamed"), title: z.string().min(1), byPerson: z.boolean() });
/** How the person keeps it in the list: on top, or out of the way. Absent: as it was. It is no work on it, so the time of its last change stays. */
export const SessionFiled = z.object({ v, type: z.literal("session_filed"), pinned: z.boolean().exactOptional(), archived: z.boolean().exactOptional() });
export const FolderMoved = z.object({ v, type: z.literal("folder_moved"), cwd: z.string() });
/** The repository as it was when the session began: what is dirty in it is the person's (P12). `unknown`: git gave no answer then. */
export const RepositoryAtStart = z.object({
  cwd: z.string(),
  state: z.enum(["none", "unknown", "repository"]),
  /** commit that HEAD stood on; absent before the first one */
  head: z.string().optional(),
  branch: z.string().optional(),
  /** index and files apart, as git writes it: `M.`, `.M`, `??` */
  dirty: z.array(z.object({ status: z.string(), path: z.string() })),
  /** further dirty files that are not listed */
  more: z.number().int().nonnegative(),
});
export type RepositoryAtStart = z.infer<typeof RepositoryAtStart>;
export const RepositorySeen = z.object({ v, type: z.literal("repository_seen"), repository: RepositoryAtStart });
export const ModeChanged = z.object({ v, type: z.literal("mode_changed"), mode: PermissionMode });
export const ModelChanged = z.object({ v, type: z.literal("model_changed"), maker: Maker });
export const PromptQueued = z.object({ v, type: z.literal("prompt_queued"), id: z.string(), blocks: z.array(Block) });
export const PromptUnqueued = z.object({ v, type: z.literal("prompt_unqueued"), id: z.string(), why: z.enum(["sent", "deleted", "refused"]) });
export const TodosChanged = z.object({ v, type: z.literal("todos_changed"), items: z.array(TodoItem) });
export const GoalChanged = z.object({ v, type: z.literal("goal_changed"), goal: Goal.nullable() });
export const HypothesesChanged = z.object({ v, type: z.literal("hypotheses_changed"), items: z.array(Hypothesis) });
export const CheckpointTaken = z.object({ v, type: z.literal("checkpoint_taken"), checkpoint: Checkpoint });
/** No checkpoint could be taken here; shown on the trail, never silently missing. */
export const CheckpointMissing = z.object({ v, type: z.literal("checkpoint_missing"), label: z.string(), why: z.string() });
/** The person gave a stone a name of their own, or said that it must stay. Absent: as it was. */
export const CheckpointMarked = z.object({
  v,
  type: z.literal("checkpoint_marked"),
  checkpoint: CheckpointId,
  name: z.string().optional(),
  pinned: z.boolean().optional(),
});
/** The person says a prompt otherwise, or wants it answered anew: `to` is the newest entry again, null = before the first. Files stay. */
export const ConversationMoved = z.object({ v, type: z.literal("conversation_moved"), to: EntryId.nullable(), why: z.enum(["edited", "again"]) });
/** `conversationTo`: the entry that is the newest one again; null = before the first. Absent: the conversation stayed. */
export const RolledBack = z.object({
  v,
  type: z.literal("rolled_back"),
  target: CheckpointId,
  scope: RollbackScope,
  /** the checkpoint taken just before, so that the roll-back can be undone */
  before: CheckpointId.optional(),
  conversationTo: EntryId.nullable().optional(),
  files: z.array(z.string()),
  /** this roll-back takes back an earlier one */
  undo: z.boolean(),
  /** only some of the work went back, so the files are not those of the target */
  partial: z.boolean().optional(),
  /** what could not be taken back, as the preview said it (K6) */
  lasting: z.array(Irreversible).exactOptional(),
});
