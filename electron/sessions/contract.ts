// Sessions: append-only logs with one writer, one actor each (S1, S4).
import type { Block, Maker, Message } from "#shared/chat/blocks.ts";
import type { SessionEvent, StoredEvent } from "#shared/events/durable.ts";
import type { LiveEvent } from "#shared/events/live.ts";
import type { CallId, CheckpointId, EntryId, PlanId, QuestionId, Seq, SessionId, TurnId } from "#shared/lib/ids.ts";
import type { Result } from "#shared/lib/result.ts";
import type { TurnEnd } from "#shared/loop/turn-end.ts";
import type { PermissionMode } from "#shared/permissions/mode.ts";
import type { PermissionAnswer, PermissionQuestion } from "#shared/permissions/question.ts";
import type { PersonAnswer, PersonQuestion } from "#shared/questions/question.ts";
import type { CheckpointCause, RollbackFailure, RollbackPick, RollbackPreview } from "#shared/checkpoints/checkpoint.ts";
import type { Scope } from "#electron/lib/scope.ts";
import type { LoopEvent, TurnStart } from "#electron/loop/contract.ts";
import type { SessionView } from "#shared/session/view.ts";

export interface SessionLog {
  readonly head: Seq;
  /** Written, not synced; resolves when the bytes are with the kernel. */
  append(events: readonly SessionEvent[]): Promise<Seq>;
  read(from?: Seq): AsyncIterable<StoredEvent>;
  /** fsync (end of turn, before a roll-back commits) */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export type SessionNews = { readonly kind: "stored"; readonly stored: StoredEvent } | { readonly kind: "live"; readonly event: LiveEvent };

export type Waits = {
  /** opens a counted wait for a person; dispose closes it (L21) */
  open(): Disposable;
  /** ms waited so far, an open wait included */
  totalMs(): number;
};

/** What a turn may do to its session. */
export interface TurnEnv {
  readonly session: SessionId;
  readonly turn: TurnId;
  /** what the trail calls this turn: the beginning of its prompt */
  readonly label: string;
  /** the session's own data folder */
  readonly folder: string;
  readonly scope: Scope;
  readonly waits: Waits;
  view(): SessionView;
  append(events: readonly SessionEvent[]): Promise<void>;
  live(event: LiveEvent): void;
  onRetryNow(listener: () => void): Disposable;
  /** the person changed the mode, so what waits for an answer may be allowed now */
  onModeChanged(listener: () => void): Disposable;
  /** Shows the question and waits; undefined when the signal aborted first. */
  ask(question: PermissionQuestion, signal: AbortSignal): Promise<PermissionAnswer | undefined>;
  /** The same for a question that is no permission (T16). */
  askPerson(question: PersonQuestion, signal: AbortSignal): Promise<PersonAnswer | undefined>;
  /** The person chose another mode by their answer; whoever follows the mode is told. */
  setMode(mode: PermissionMode): Promise<void>;
  /** Takes a checkpoint and puts it on the trail, or says there why not. Never rejects. */
  checkpoint(cause: CheckpointCause, signal: AbortSignal): Promise<void>;
}
/** The conversation as messages for a model. */
export type ProjectHistory = (view: SessionView) => readonly Message[];

/** Opens the loop for one turn; the composition root knows how. */
export type OpenTurn = (env: TurnEnv) => Promise<(start: TurnStart) => AsyncGenerator<LoopEvent, TurnEnd, void>>;

export interface SessionActor {
  readonly id: SessionId;
  readonly view: SessionView;
  /** Starts a turn, or queues when one runs. */
  prompt(
    blocks: readonly Block[],
  ): Promise<Result<{ readonly turn: TurnId | undefined; readonly queued: boolean }, { readonly kind: "folder_gone" | "read_only"; readonly message: string }>>;
  /** Says an earlier prompt otherwise, or has it answered anew (without `blocks`): the conversation goes back to before it, files stay. A running turn is stopped. */
  resend(
    entry: EntryId,
    blocks: readonly Block[] | undefined,
  ): Promise<Result<{ readonly turn: TurnId }, { readonly kind: "unknown_prompt" | "folder_gone" | "read_only"; readonly message: string }>>;
  /** Resolves with the end of the running turn; at once when none runs. */
  idle(): Promise<TurnEnd | undefined>;
  stop(): Promise<void>;
  /** the person does not want to wait for the next try */
  retryNow(): void;
  answer(question: QuestionId, answer: PermissionAnswer): Promise<Result<null, { readonly kind: "unknown_question" }>>;
  answerPerson(question: QuestionId, answer: PersonAnswer): Promise<Result<null, { readonly kind: "unknown_question" | "unfit" }>>;
  /** The person says whether an interrupted call took effect (S2); false when that is no longer asked. */
  tellOutcome(call: CallId, happened: boolean): Promise<boolean>;
  setMode(mode: PermissionMode): Promise<void>;
  setModel(maker: Maker): Promise<void>;
  rename(title: string): Promise<void>;
  /** On top of the list, or out of the way; what is absent stays as it is. */
  file(change: { readonly pinned?: boolean; readonly archived?: boolean }): Promise<void>;
  moveFolder(cwd: string): Promise<Result<null, { readonly kind: "folder_gone" }>>;
  editQueue(change: { readonly kind: "delete" | "send_now"; readonly id: string }): Promise<void>;
  planRollback(target: CheckpointId, pick: RollbackPick): Promise<Result<RollbackPreview, RollbackFailure>>;
  /** Names a stone of this session's trail ("": no name of its own), or keeps it whatever the bounds say. */
  markCheckpoint(
    checkpoint: CheckpointId,
    mark: { readonly name?: string | undefined; readonly pinned?: boolean | undefined },
  ): Promise<Result<null, RollbackFailure>>;
  applyRollback(plan: PlanId): Promise<Result<{ readonly before: CheckpointId; readonly files: readonly string[] }, RollbackFailure>>;
  /** What came over from its copy into the folder that it is a copy of, or was taken back there (K8). */
  noteBroughtOver(brought: { readonly files: readonly string[]; readonly before: CheckpointId; readonly upTo: CheckpointId } | "undone"): Promise<void>;
  follow(listener: (news: SessionNews) => void): Disposable;
  eventsFrom(seq: Seq): Promise<readonly StoredEvent[]>;
  close(): Promise<void>;
}
