// The loop's vocabulary (L1). The loop yields events and owns no side effect but through its Deps.
import type { Block, Maker, Message } from "#shared/chat/blocks.ts";
import type { StopReason } from "#shared/chat/stop-reason.ts";
import type { Usage } from "#shared/chat/usage.ts";
import type { LiveEvent } from "#shared/events/live.ts";
import type { CallId, EntryId, ReplyId, SessionId, TurnId } from "#shared/lib/ids.ts";
import type { ContinueReason } from "#shared/loop/reasons.ts";
import type { Notice, TurnEnd } from "#shared/loop/turn-end.ts";
import type { Timeouts } from "#shared/settings/settings.ts";
import type { ContextPipeline } from "#electron/context/contract.ts";
import type { Clock } from "#electron/lib/clock.ts";
import type { Scope } from "#electron/lib/scope.ts";
import type { Prepare } from "#electron/pipeline/contract.ts";
import type { Provider } from "#electron/providers/contract.ts";
import type { TurnScheduler } from "#electron/scheduler/contract.ts";
import type { Trace } from "#electron/trace/contract.ts";

export type Reply = { readonly id: ReplyId; readonly blocks: readonly Block[]; readonly stop: StopReason; readonly usage: Usage; readonly by: Maker };

/** The ONE state of a turn. Only `continueWith` and `onSuccess` make a later one. */
export interface LoopState {
  readonly history: readonly Message[];
  /** loop iterations begun */
  readonly step: number;
  /** HTTP requests made */
  readonly requests: number;
  readonly lostSteps: number;
  readonly transition: ContinueReason | undefined;
  readonly used: Readonly<Record<ContinueReason, number>>;
  readonly once: ReadonlySet<string>;
  readonly maxTokens: number | undefined;
  readonly gaveText: boolean;
}

export type LoopLimits = {
  readonly caps: Readonly<Record<ContinueReason, number>>;
  /** undefined: no hard limit (interactive) */
  readonly maxSteps: number | undefined;
  readonly reminderAfterSteps: number;
  readonly timeouts: Timeouts;
};

/** What a step led to. `invalid` calls in `run_tools` are answered with an error by the pipeline, never run. */
export type Decision =
  | { readonly kind: "run_tools"; readonly warning?: Notice }
  | { readonly kind: "continue"; readonly reason: ContinueReason; readonly compactFirst?: boolean; readonly note?: string; readonly withdraw?: boolean; readonly patch?: Partial<Pick<LoopState, "maxTokens" | "history">>; readonly onceFlag?: string }
  | { readonly kind: "gates" }
  | { readonly kind: "finish"; readonly end: Omit<TurnEnd, "steps" | "requests" | "lostSteps"> };

/** Durable facts come with what the log needs; live ones are passed through. */
export type LoopEvent =
  | { readonly type: "live"; readonly event: LiveEvent }
  | { readonly type: "reply"; readonly step: number; readonly reply: Reply; readonly partial: boolean }
  | { readonly type: "results"; readonly step: number; readonly calls: readonly CallId[] }
  | { readonly type: "note"; readonly step: number; readonly text: string; readonly source: string }
  | { readonly type: "steer"; readonly blocks: readonly Block[]; readonly queueIds: readonly string[] }
  | { readonly type: "compacted"; readonly before: number; readonly after: number; readonly layers: readonly number[]; readonly history: readonly Message[] }
  | { readonly type: "transition"; readonly step: number; readonly reason: ContinueReason }
  | { readonly type: "withdrawn"; readonly reply: ReplyId; readonly why: string }
  | { readonly type: "warning"; readonly notice: Notice };

export type GateVerdictAtEnd = { readonly kind: "pass" } | { readonly kind: "hold"; readonly note: string } | { readonly kind: "let_go"; readonly record: Notice };
export interface EndGate {
  readonly name: string;
  readonly reason: ContinueReason;
  check(state: LoopState, reply: Reply, signal: AbortSignal): Promise<GateVerdictAtEnd>;
}

/** What the loop asks of the session around it. */
export interface LoopDeps {
  readonly session: SessionId;
  readonly turn: TurnId;
  readonly maker: Maker;
  readonly provider: Provider;
  /** used when the first one stays down; with its own maker */
  readonly fallback: { readonly provider: Provider; readonly maker: Maker } | undefined;
  readonly prepare: Prepare;
  openScheduler(scope: Scope, step: number): TurnScheduler;
  readonly context: ContextPipeline;
  readonly gates: readonly EndGate[];
  readonly limits: LoopLimits;
  readonly clock: Clock;
  readonly scope: Scope;
  readonly trace: Trace;
  /** messages waiting to be delivered at the next step boundary */
  takeSteering(): { readonly blocks: readonly Block[]; readonly queueIds: readonly string[] } | undefined;
  /** ms a person was waited for, so far; excluded from every limit (L21) */
  personWaitMs(): number;
  newReplyId(): ReplyId;
  newCallId(): CallId;
  newEntryId(): EntryId;
  blob(ref: string): Promise<string | undefined>;
}
export type TurnStart = { readonly history: readonly Message[]; readonly prompt: Message };
export type RunTurn = (start: TurnStart, deps: LoopDeps) => AsyncGenerator<LoopEvent, TurnEnd, void>;
