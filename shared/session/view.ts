// What a session looks like after its events so far: the one projection that screen, history and timeline share (S1).
import type { Block, Maker, Message, ModelContent } from "#shared/chat/blocks.ts";
import type { StopReason } from "#shared/chat/stop-reason.ts";
import type { Usage } from "#shared/chat/usage.ts";
import type { Checkpoint, Irreversible, RollbackScope } from "#shared/checkpoints/checkpoint.ts";
import type { CopyOf, RepositoryAtStart } from "#shared/events/session.ts";
import type { CallId, CheckpointId, EntryId, ReplyId, Seq, SessionId, TurnId } from "#shared/lib/ids.ts";
import type { Notice, TurnEnd } from "#shared/loop/turn-end.ts";
import type { Goal, Hypothesis, TodoItem } from "#shared/loop/work-state.ts";
import type { PermissionMode } from "#shared/permissions/mode.ts";
import type { OpenQuestion } from "#shared/questions/question.ts";
import type { ToolOutcome } from "#shared/tools/outcome.ts";
import type { LastingEffect } from "#shared/tools/lasting.ts";
import type { FileIntent, Idempotency } from "#shared/tools/recovery.ts";

/** A piece of the conversation. Entries form a tree: going back moves `head`, nothing is removed. */
export type Entry =
  | {
      readonly kind: "prompt" | "steer";
      readonly id: EntryId;
      readonly parent: EntryId | null;
      readonly turn: TurnId;
      readonly at: number;
      readonly blocks: readonly Block[];
    }
  | {
      readonly kind: "note";
      readonly id: EntryId;
      readonly parent: EntryId | null;
      readonly turn: TurnId;
      readonly at: number;
      readonly text: string;
      readonly source: string;
    }
  | {
      readonly kind: "reply";
      readonly id: EntryId;
      readonly parent: EntryId | null;
      readonly turn: TurnId;
      readonly at: number;
      readonly reply: ReplyId;
      readonly by: Maker;
      readonly blocks: readonly Block[];
      readonly stop: StopReason;
      readonly usage: Usage;
      readonly partial: boolean;
    }
  | {
      readonly kind: "results";
      readonly id: EntryId;
      readonly parent: EntryId | null;
      readonly turn: TurnId;
      readonly at: number;
      readonly calls: readonly CallId[];
    }
  | {
      readonly kind: "compaction";
      readonly id: EntryId;
      readonly parent: EntryId | null;
      readonly turn: TurnId;
      readonly at: number;
      readonly before: number;
      readonly after: number;
      readonly history: readonly Message[];
    };

export type CallState = "proposed" | "waiting_for_person" | "running" | "ok" | "failed";

export type CallView = {
  readonly id: CallId;
  readonly turn: TurnId;
  readonly tool: string;
  readonly input: unknown;
  readonly state: CallState;
  readonly startedAt: number | undefined;
  readonly outcome: ToolOutcome | undefined;
  /** what goes to the model; also there when the outcome came without a run */
  readonly forModel: ModelContent | undefined;
  /** of the started call: what a crash would need to be judged by (S2) */
  readonly begun?: {
    readonly readOnly: boolean;
    readonly idempotency: Idempotency;
    readonly schema: number | undefined;
    readonly files: readonly FileIntent[];
    /** what a roll-back cannot take back (K6) */
    readonly lasting: readonly LastingEffect[];
  };
  /** it asked the person, who stopped before answering */
  readonly unanswered?: true;
  /** the person's word on a call whose outcome is unknown */
  readonly told?: "happened" | "did_not";
};

/** Rows of the transcript, in order of events. Rows of a branch that was left (`left`) stay readable, folded. A row without an entry of its own names the one that was newest. */
export type Row =
  | {
      readonly kind: "prompt";
      readonly id: string;
      readonly entry: EntryId;
      readonly turn: TurnId;
      readonly at: number;
      readonly blocks: readonly Block[];
      readonly left: boolean;
    }
  | {
      readonly kind: "thinking" | "text";
      readonly id: string;
      readonly entry: EntryId;
      readonly turn: TurnId;
      readonly at: number;
      readonly text: string;
      readonly left: boolean;
    }
  | {
      readonly kind: "call";
      readonly id: string;
      readonly entry: EntryId;
      readonly turn: TurnId;
      readonly at: number;
      readonly call: CallId;
      readonly left: boolean;
    }
  | {
      readonly kind: "warning";
      readonly id: string;
      readonly entry: EntryId | null;
      readonly turn: TurnId | undefined;
      readonly at: number;
      readonly notice: Notice;
      readonly left: boolean;
    }
  | {
      readonly kind: "compaction";
      readonly id: string;
      readonly entry: EntryId;
      readonly turn: TurnId;
      readonly at: number;
      readonly before: number;
      readonly after: number;
      readonly left: boolean;
    }
  | {
      readonly kind: "turn_end";
      readonly id: string;
      readonly entry: EntryId | null;
      readonly turn: TurnId;
      readonly at: number;
      readonly end: TurnEnd;
      readonly ms: number;
      readonly left: boolean;
    }
  | {
      readonly kind: "rolled_back";
      readonly id: string;
      readonly at: number;
      readonly target: CheckpointId;
      readonly scope: RollbackScope;
      readonly before: CheckpointId | undefined;
      readonly undo: boolean;
      readonly partial: boolean;
      readonly files: readonly string[];
      /** what stays all the same */
      readonly lasting: readonly Irreversible[];
      readonly turn: undefined;
      readonly left: boolean;
    };

/**
 * A stone of the trail. `parent`: the stone this session stood on before (other sessions may share the store).
 * `head`: where the conversation goes if one goes back here. `left`: on a branch that was left.
 * `name`, `pinned`: what the person made of it.
 */
export type TrailNode = {
  readonly checkpoint: Checkpoint;
  readonly parent: CheckpointId | undefined;
  readonly head: EntryId | null;
  readonly left: boolean;
  readonly name?: string;
  readonly pinned?: boolean;
};

export type Attention = "idle" | "working" | "needs_you" | "done" | "failed";

export type SessionView = {
  readonly session: SessionId;
  readonly seq: Seq;
  readonly title: string;
  readonly cwd: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** as it was when the session began here; undefined: not looked at yet (P12) */
  readonly repository: RepositoryAtStart | undefined;
  /** how the person keeps it in the list */
  readonly filed: { readonly pinned: boolean; readonly archived: boolean };
  /** the session works in a copy of its own (K8) */
  readonly copyOf: CopyOf | undefined;
  /** what came over from the copy so far, oldest first */
  readonly broughtOver: readonly { readonly at: number; readonly files: readonly string[]; readonly before: CheckpointId; readonly upTo: CheckpointId }[];
  readonly mode: PermissionMode;
  readonly maker: Maker;
  readonly entries: Readonly<Record<EntryId, Entry>>;
  readonly head: EntryId | null;
  readonly calls: Readonly<Record<CallId, CallView>>;
  readonly rows: readonly Row[];
  readonly trail: readonly TrailNode[];
  /** checkpoint that the files correspond to */
  readonly current: CheckpointId | undefined;
  readonly missingCheckpoints: readonly { readonly at: number; readonly label: string; readonly why: string }[];
  readonly turn: { readonly id: TurnId; readonly startedAt: number; readonly step: number } | undefined;
  /** everything that waits for the person, in the order it was asked */
  readonly pending: readonly OpenQuestion[];
  readonly queue: readonly { readonly id: string; readonly at: number; readonly blocks: readonly Block[] }[];
  readonly attention: Attention;
  /** of all requests, those of sub-agents too */
  readonly usage: Usage;
  /** the same by model */
  readonly spent: readonly { readonly by: Maker; readonly usage: Usage }[];
  /** tokens in the window at the last reply */
  readonly windowUsed: number;
  readonly todos: readonly TodoItem[];
  readonly goal: Goal | undefined;
  readonly hypotheses: readonly Hypothesis[];
  readonly lastEnd: TurnEnd | undefined;
  /** set right after a roll-back until the next prompt: what the undo strip offers */
  readonly undoable: CheckpointId | undefined;
  /** where the conversation stood before that roll-back */
  readonly undoHead: EntryId | null;
  /** prompt that returns to the composer after a roll-back that took it back */
  readonly returnedPrompt: readonly Block[] | undefined;
};
