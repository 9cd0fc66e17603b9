// The loop's vocabulary (L1). The loop yields events and owns no side effect but through its Deps.
import type { Block, Maker, Message } from "#shared/chat/blocks.ts";
import type { NoteDraft } from "#shared/chat/note.ts";
import type { StopReason } from "#shared/chat/stop-reason.ts";
import type { Usage } from "#shared/chat/usage.ts";
import type { LiveEvent } from "#shared/events/live.ts";
import type { CallId, EntryId, ReplyId, SessionId, TurnId } from "#shared/lib/ids.ts";
import type { ContinueReason } from "#shared/loop/reasons.ts";
import type { Notice, TurnEnd } from "#shared/loop/turn-end.ts";
import type { Timeouts } from "#shared/settings/settings.ts";
import type { ToolOutcome } from "#shared/tools/outcome.ts";
import type { GuardName } from "#shared/trace/trace.ts";
import type { ContextPipeline, FitMode } from "#electron/context/contract.ts";
import type { Clock } from "#electron/lib/clock.ts";
import type { Scope } from "#electron/lib/scope.ts";
import type { PreparedCall, Prepare } from "#electron/pipeline/contract.ts";
import type { Provider } from "#electron/providers/contract.ts";
import type { TurnScheduler } from "#electron/scheduler/contract.ts";
import type { Trace } from "#electron/trace/contract.ts";

export type Reply = { readonly id: ReplyId; readonly blocks: readonly Block[]; readonly stop: StopReason; readonly usage: Usage; readonly by: Maker };

/** Things that happen at most once in a turn; set where they are tried and never taken back (L9). */
export type OnceFlag = "max_tokens_raised" | "soft_reminder" | "context_warned" | "prompt_cut_warned" | "call_as_text";

/** The ONE state of a turn. Only `continueWith`, `onSuccess` and `grow` make a later one; `grow` cannot touch what steers it. */
export interface LoopState {
  readonly history: readonly Message[];
  /** loop iterations begun */
  readonly step: number;
  /** HTTP requests made */
  readonly requests: number;
  /** steps that brought no reply (L11) */
  readonly lostSteps: number;
  readonly transition: ContinueReason | undefined;
  readonly used: Readonly<Record<ContinueReason, number>>;
  readonly once: ReadonlySet<OnceFlag>;
  readonly maxTokens: number | undefined;
  /** words for the person were given in this turn */
  readonly gaveText: boolean;
  /** fresh tokens of this turn: input outside the cache and output */
  readonly spentTokens: number;
  /** ms slept between attempts in this turn */
  readonly backoffMs: number;
  /** replies in a row that continued a cut text by next to nothing */
  readonly smallContinuations: number;
  /** replies in a row that were cut in the middle of a call (A05) */
  readonly cutCalls: number;
  /** calls refused for want of a permission */
  readonly denied: number;
  readonly onFallback: boolean;
}

/** What only grows with what happened; it never steers the loop by itself. */
export type Growth = Partial<Omit<LoopState, "used" | "once" | "transition">>;

export type LoopLimits = {
  readonly caps: Readonly<Record<ContinueReason, number>>;
  /** undefined: no hard limit (interactive) */
  readonly maxSteps: number | undefined;
  /** 0 = off */
  readonly reminderAfterSteps: number;
  readonly timeouts: Timeouts;
  /** broad detection of loops beside the narrow guards (L16) */
  readonly broadDetection?: boolean;
  /** nobody watches: back-off is capped in all, limits end the turn instead of asking */
  readonly headless?: boolean;
};

/** An end without the counts, which the finaliser adds. */
export type EndCore = Omit<TurnEnd, "steps" | "requests" | "lostSteps">;

/** What `decide` knows of a reply beyond its blocks. */
export type ReplyFacts = {
  /** a call of it has started: the reply stands (DESIGN decision C) */
  readonly started: boolean;
  /** the stream broke after a call had started */
  readonly broke: boolean;
  readonly calls: readonly { readonly name: string; readonly degenerate: boolean; readonly cut: boolean }[];
  /** the output limit struck inside a call that was never completed */
  readonly halfCall: boolean;
  /** the text is a tool call written out as words (A20) */
  readonly callAsText: boolean;
  /** tokens that a reply may have now, and how far that can be raised */
  readonly room: { readonly now: number; readonly ceiling: number };
};

/** What a step led to. `orElse` is the way to let go when the reason's cap is used up (L8). */
export type Decision =
  | {
      readonly kind: "run_tools";
      readonly reason: ContinueReason;
      readonly patch?: Growth;
      readonly once?: OnceFlag;
      readonly warning?: Notice;
      readonly fit?: FitMode;
      readonly orElse?: EndCore;
    }
  | {
      readonly kind: "continue";
      readonly reason: ContinueReason;
      readonly orElse: EndCore;
      readonly note?: NoteDraft;
      readonly patch?: Growth;
      readonly once?: OnceFlag;
      readonly withdraw?: boolean;
      readonly fit?: FitMode;
    }
  | { readonly kind: "gates" }
  /** calls of the reply, if any, are answered as not run */
  | { readonly kind: "finish"; readonly end: EndCore };

/** Durable facts come with what the log needs; live ones are passed through. */
export type LoopEvent =
  | { readonly type: "live"; readonly event: LiveEvent }
  | { readonly type: "reply"; readonly step: number; readonly reply: Reply; readonly partial: boolean }
  | { readonly type: "results"; readonly step: number; readonly calls: readonly CallId[] }
  | { readonly type: "note"; readonly step: number; readonly text: string; readonly source: string }
  | { readonly type: "steer"; readonly blocks: readonly Block[]; readonly queueIds: readonly string[] }
  | { readonly type: "steer_refused"; readonly queueId: string; readonly notice: Notice }
  | { readonly type: "compacted"; readonly before: number; readonly after: number; readonly layers: readonly number[]; readonly history: readonly Message[] }
  | { readonly type: "transition"; readonly step: number; readonly reason: ContinueReason }
  | { readonly type: "withdrawn"; readonly reply: ReplyId; readonly why: string }
  | { readonly type: "warning"; readonly notice: Notice }
  /** what a dropped attempt had used: paid for, though nothing of it is kept */
  | { readonly type: "used"; readonly usage: Usage; readonly by: Maker };

/** `let_go`: the gate gives up with an honest record; `end` ends the turn at once, the later gates are not asked. */
export type GateVerdictAtEnd =
  | { readonly kind: "pass" }
  | { readonly kind: "hold"; readonly note: string }
  | { readonly kind: "let_go"; readonly record: Notice; readonly end?: "let_go" | "empty" };
export interface EndGate {
  readonly name: GuardName;
  readonly reason: ContinueReason;
  check(state: LoopState, reply: Reply, signal: AbortSignal): Promise<GateVerdictAtEnd>;
}

/** The calls of one step with what came of them. */
export type Round = { readonly reply: Reply; readonly done: readonly { readonly call: PreparedCall; readonly outcome: ToolOutcome }[] };

/** Something that speaks up between two steps: a guard of L16, evidence against a hypothesis (L13), a goal's budget (L12). */
export interface Intervention {
  readonly name: GuardName;
  readonly reason: ContinueReason;
  /** `ask`: nothing can come of going on (L16 c); the person decides, headless the turn ends with `brake` */
  check(
    state: LoopState,
    round: Round,
  ): { readonly kind: "quiet" } | { readonly kind: "note"; readonly text: string } | { readonly kind: "ask"; readonly notice: Notice };
}

/** Money or tokens spent (L11). `warn` is said once, `reached` stays until `lift`. */
export interface SpendMeter {
  add(usage: Usage, maker: Maker): void;
  check(): { readonly kind: "ok" } | { readonly kind: "warn" | "reached"; readonly notice: Notice };
  /** the person said: go on */
  lift(): void;
}

/** Failures of recovery over the turns of a session (L8). */
export interface SessionBreaker {
  readonly open: boolean;
  failed(): void;
  succeeded(): void;
}

/** Messages of the person's that came while the turn ran (L17). `refused`: held back by a hook, with what the person is told. */
export type Steering = {
  readonly blocks: readonly Block[];
  readonly queueIds: readonly string[];
  readonly notes: readonly NoteDraft[];
  readonly refused: readonly { readonly queueId: string; readonly notice: Notice }[];
};

/** What the loop asks of the session around it. */
export interface LoopDeps {
  readonly session: SessionId;
  readonly turn: TurnId;
  readonly maker: Maker;
  readonly provider: Provider;
  /** used when the first one stays down; with its own maker */
  readonly fallback: { readonly provider: Provider; readonly maker: Maker } | undefined;
  readonly prepare: Prepare;
  /** masks keys in the text of a reply, before it is stored or sent back (R3) */
  redact(text: string): string;
  openScheduler(scope: Scope, step: number): TurnScheduler;
  readonly context: ContextPipeline;
  readonly gates: readonly EndGate[];
  /** beyond the guards of L16, which are always there */
  readonly interventions?: readonly Intervention[];
  readonly limits: LoopLimits;
  readonly clock: Clock;
  readonly scope: Scope;
  readonly trace: Trace;
  /** what waits to be delivered at this step boundary; whoever listens to prompts has heard it (H1) */
  takeSteering(): Promise<Steering | undefined>;
  /** what has to be said before the next request because something around the turn changed, such as the mode (C7) */
  stepNotes?(history: readonly Message[]): readonly NoteDraft[];
  /** ms a person was waited for, so far; excluded from every limit (L21) */
  personWaitMs(): number;
  newReplyId(): ReplyId;
  newCallId(): CallId;
  newEntryId(): EntryId;
  blob(ref: string): Promise<string | undefined>;
  /** absent: nobody can be asked */
  askPerson?(question: Notice, signal: AbortSignal): Promise<"go_on" | "stop">;
  /** the person pressed "try again now" */
  onRetryNow?(listener: () => void): Disposable;
  readonly spend?: SpendMeter;
  /** fresh tokens that sub-agents used for this turn since this was last asked (L23) */
  takeOthersTokens?(): number;
  readonly breaker?: SessionBreaker;
  /** reason of a hook that said the turn should end */
  hookStop?(): string | undefined;
  /** 0 to 1; jitter of back-off */
  random?(): number;
}
export type TurnStart = { readonly history: readonly Message[]; readonly prompt: Message };
