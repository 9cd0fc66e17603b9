// One step with all its attempts (L19, L20, L22): request, stream, and when that breaks: keep what came, try again, change the model
// or give up. It never decides what a whole reply means.
import type { Block } from "#shared/chat/blocks.ts";
import { windowTokens } from "#shared/chat/usage.ts";
import { oneLine } from "#shared/lib/text.ts";
import { createAgentTime, type AgentTime } from "#electron/ladder/agent-time.ts";
import { tickMsFor } from "#electron/ladder/watchdog.ts";
import type { ModelRequest, ProviderFailure } from "#electron/providers/contract.ts";
import { runAttempt, type AttemptEnd } from "./attempt.ts";
import { backOff } from "./back-off.ts";
import { createCallIntake } from "./call-intake.ts";
import { createCollector, type Collector } from "./collect-reply.ts";
import type { EndCore, LoopEvent, LoopState, Reply } from "./contract.ts";
import { MIN_OUTPUT_TOKENS, OUTPUT_MARGIN_TOKENS, RETRIES_PER_CALL } from "./limits.ts";
import { notice } from "./notices.ts";
import type { OpenReply } from "./open-reply.ts";
import { hasRealText } from "./real-text.ts";
import { exhausted, isRetryable, NO_TRIES, planRetry, type Break, type Plan, type Tries } from "./retry-plan.ts";
import { grow } from "./state.ts";
import { modelOf, transition, type Model, type Turn } from "./turn.ts";

export type StepOutcome = { readonly state: LoopState } /** `broke`: the stream broke after a call had started, so the reply stands (DESIGN decision C) */ & (
  | { readonly kind: "reply"; readonly open: OpenReply; readonly broke: boolean }
  | { readonly kind: "overflow"; readonly failure: ProviderFailure }
  /** the means are exhausted; `kept`: text that had come */
  | { readonly kind: "gave_up"; readonly end: EndCore; readonly kept: Reply | undefined }
  | { readonly kind: "aborted"; readonly open: OpenReply | undefined }
);

const DETAIL_CHARS = 200;

type Phase = { readonly turn: Turn; readonly time: AgentTime; readonly phaseAt: number; readonly requestsBefore: number };
type Attempt = { readonly open: OpenReply; readonly collector: Collector; readonly end: AttemptEnd };
type Again = { readonly kind: "again"; readonly state: LoopState; readonly tries: Tries };

export async function* runStep(begun: LoopState, turn: Turn): AsyncGenerator<LoopEvent, StepOutcome, void> {
  const { deps } = turn;
  const time = createAgentTime({ clock: deps.clock, tickMs: tickMsFor(turn.ladder), personWaitMs: deps.personWaitMs });
  const phase: Phase = { turn, time, phaseAt: time.now(), requestsBefore: begun.requests };
  let state = begun;
  let tries = NO_TRIES;
  for (;;) {
    if (turn.signal.aborted) return { kind: "aborted", state, open: undefined };
    state = grow(state, { requests: state.requests + 1 });
    const attempt = yield* oneAttempt(state, phase, tries.total + 1);
    const { open, end } = attempt;
    if (end.kind === "aborted") return { kind: "aborted", state, open };
    const broken = breakOf(attempt);
    if (broken === undefined) return { kind: "reply", state, open, broke: false };
    if (open.scheduler.started) return { kind: "reply", state, open, broke: true };
    const next = yield* afterBreak({ state, tries: counted(tries, broken), broken, attempt }, phase);
    if (next.kind !== "again") return next;
    ({ state, tries } = next);
  }
}

async function* oneAttempt(state: LoopState, phase: Phase, n: number): AsyncGenerator<LoopEvent, Attempt, void> {
  const { deps } = phase.turn;
  const model = modelOf(state, deps);
  const scope = deps.scope.child(`step:${state.step}.${n}`);
  const scheduler = deps.openScheduler(scope, state.step);
  const intake = createCallIntake({ prepare: deps.prepare, scheduler, usedIds: phase.turn.usedIds, newCallId: deps.newCallId });
  const id = deps.newReplyId();
  const collector = createCollector({ id, by: model.maker, intake, redact: deps.redact });
  const request = requestFor(state, phase.turn, model);
  yield { type: "live", event: { type: "step_started", turn: deps.turn, step: state.step, reply: id } };
  const begun = deps.clock.monotonic();
  const end = yield* runAttempt({
    turn: deps.turn,
    provider: model.provider,
    request,
    collector,
    signal: phase.turn.signal,
    clock: deps.clock,
    ladder: phase.turn.ladder,
    time: phase.time,
    phaseAt: phase.phaseAt,
    ...(deps.onRetryNow === undefined ? {} : { onRetryNow: deps.onRetryNow }),
    onFirstContent: (ms) => deps.trace.emit({ name: "first_content", step: state.step, attempt: n, ms }),
  });
  traceAttempt({ turn: phase.turn, end, step: state.step, attempt: n, ms: deps.clock.monotonic() - begun });
  const reply = collector.reply(end.kind === "ended" ? end.stop : { kind: "none" });
  return { collector, end, open: { reply, intake, scheduler, scope, halfCall: collector.halfCall, maxTokens: request.maxTokens } };
}

function requestFor(state: LoopState, turn: Turn, { maker, info }: Model): ModelRequest {
  const { deps } = turn;
  const { system, tools } = deps.context.fixed;
  const wanted = Math.min(state.maxTokens ?? info.maxOutput, info.maxOutputCeiling);
  const left = info.window === undefined ? wanted : info.window - deps.context.measure(state.history) - OUTPUT_MARGIN_TOKENS;
  const maxTokens = Math.min(wanted, Math.max(MIN_OUTPUT_TOKENS, left));
  return { model: maker.model, system, tools, messages: state.history, maxTokens, cacheKey: deps.session, blob: deps.blob };
}

function traceAttempt({
  turn,
  end,
  step,
  attempt,
  ms,
}: {
  readonly turn: Turn;
  readonly end: AttemptEnd;
  readonly step: number;
  readonly attempt: number;
  readonly ms: number;
}): void {
  const { trace } = turn.deps;
  if (end.kind === "broke" && end.fired !== undefined) trace.emit({ name: "watchdog_fired", ...end.fired });
  const failure = end.kind === "broke" ? { failure: end.failure.kind } : end.kind === "ended" ? {} : { failure: end.kind };
  trace.emit({ name: "request_done", step, attempt, ok: end.kind === "ended", ms: Math.max(0, ms), ...failure });
}

/** What is wrong with an attempt that was not stopped; undefined: it is a reply. */
function breakOf({ end, collector, open }: Attempt): Break | undefined {
  switch (end.kind) {
    case "ended":
      if (end.stop.kind !== "none") return undefined;
      return collector.hasContent
        ? { kind: "cut", failure: NO_REASON, unmarkedEnd: true }
        : { kind: "empty", failure: { ...NO_REASON, message: "the reply was empty and had no stop reason" } };
    case "retry_now":
      return { kind: "timeout", failure: { kind: "timeout", retryable: true, code: "retry_now", message: "tried again at the user's wish" }, now: true };
    case "broke":
      if (end.fired !== undefined) return { kind: "timeout", failure: end.failure, hadText: hasRealText(open.reply) };
      if (open.reply.blocks.length > 0 || collector.hasContent) return { kind: "cut", failure: end.failure };
      return { kind: end.headers && EMPTY_CODES.has(end.failure.code ?? "") ? "empty" : "fault", failure: end.failure };
    case "aborted":
      return undefined;
  }
}

/** The answer began and ended with nothing in it: no event at all, or no end mark. */
const EMPTY_CODES: ReadonlySet<string> = new Set(["eof", "empty"]);

const NO_REASON: ProviderFailure = { kind: "protocol", retryable: true, code: "no_stop_reason", message: "the reply ended without a stop reason" };

function counted(tries: Tries, broken: Break): Tries {
  return { total: tries.total + 1, sinceSwitch: tries.sinceSwitch + 1, unmarked: tries.unmarked + (broken.unmarkedEnd === true ? 1 : 0) };
}

type Broken = { readonly state: LoopState; readonly tries: Tries; readonly broken: Break; readonly attempt: Attempt };

async function* afterBreak(seen: Broken, phase: Phase): AsyncGenerator<LoopEvent, StepOutcome | Again, void> {
  const { state, broken, attempt } = seen;
  const overflow = broken.failure.kind === "context_window" || broken.failure.kind === "too_large";
  const plan = overflow ? undefined : planFor(seen, phase);
  const kept = plan?.kind === "give_up" && plan.end.why === "cut" ? textOnly(attempt.open.reply) : undefined;
  yield* dropped(attempt, phase.turn, kept === undefined);
  if (plan === undefined) return { kind: "overflow", state, failure: broken.failure };
  switch (plan.kind) {
    case "give_up":
      return { kind: "gave_up", state, end: plan.end, kept };
    case "fallback":
      return yield* switchedModel(state, phase.turn);
    case "retry":
      return yield* retried(seen, phase, plan.inMs);
  }
}

function planFor({ state, tries, broken }: Broken, { turn, time, phaseAt, requestsBefore }: Phase): Plan {
  const { deps } = turn;
  const requests = state.requests - requestsBefore;
  const plan = planRetry({
    broken,
    tries,
    requests,
    backoffMs: state.backoffMs,
    timeouts: deps.limits.timeouts,
    headless: deps.limits.headless === true,
    elapsedMs: time.now() - phaseAt,
    fallbackLeft: deps.fallback !== undefined && !state.onFallback,
    breakerOpen: deps.breaker?.open === true,
    random: deps.random?.() ?? Math.random(),
  });
  const spent = broken.kind !== "fault" && state.used.timeout_retry >= deps.limits.caps.timeout_retry;
  if (plan.kind === "retry" && spent) return { kind: "give_up", end: exhausted(broken, requests) };
  if (plan.kind !== "give_up" || deps.breaker?.open !== true || !isRetryable(broken.failure)) return plan;
  deps.trace.emit({ name: "guard_fired", guard: "session_breaker" });
  return { kind: "give_up", end: { ...plan.end, facts: [notice("recovery_paused")] } };
}

/** The attempt is dropped: what it showed is withdrawn before anything new is shown (L22). */
async function* dropped({ open, collector }: Attempt, turn: Turn, withdraw: boolean): AsyncGenerator<LoopEvent, void, void> {
  const { usage, by } = open.reply;
  if (withdraw && windowTokens(usage) > 0) {
    turn.deps.spend?.add(usage, by);
    yield { type: "used", usage, by };
  }
  open.intake.close();
  open.scheduler.discard();
  await open.scope.close({ by: "watchdog", detail: "the attempt was dropped" });
  if (withdraw && collector.shown) yield { type: "live", event: { type: "tombstone", turn: turn.deps.turn, reply: open.reply.id } };
}

/** A cut reply whose calls never ran: its words are kept, its calls are not. */
function textOnly(reply: Reply): Reply | undefined {
  const blocks = reply.blocks.filter((block: Block) => block.type === "text" || block.type === "thinking");
  return blocks.length === 0 ? undefined : { ...reply, blocks };
}

function* switchedModel(state: LoopState, turn: Turn): Generator<LoopEvent, Again, void> {
  const { deps } = turn;
  deps.trace.emit({ name: "cache_break", why: "model_changed" });
  yield { type: "warning", notice: notice("fallback_used", { from: deps.maker.model, to: deps.fallback?.maker.model ?? "" }) };
  return { kind: "again", state: grow(state, { onFallback: true }), tries: NO_TRIES };
}

async function* retried({ state, tries, broken }: Broken, phase: Phase, inMs: number): AsyncGenerator<LoopEvent, StepOutcome | Again, void> {
  const { deps } = phase.turn;
  const { failure } = broken;
  // A refused request is only sent again; a reply that broke is a step gone over once more, and counted as such (L7).
  const next = broken.kind === "fault" ? state : yield* transition(state, phase.turn, { reason: "timeout_retry" });
  if (next === "spent") return { kind: "gave_up", state, end: exhausted(broken, state.requests - phase.requestsBefore), kept: undefined };
  if (failure.learned === true) yield { type: "warning", notice: notice("sent_without_part", { detail: oneLine(failure.message, DETAIL_CHARS) }) };
  const status = failure.status === undefined ? {} : { status: failure.status };
  const detail = failure.message === "" ? {} : { detail: oneLine(failure.message, DETAIL_CHARS) };
  yield {
    type: "live",
    event: { type: "retrying", turn: deps.turn, attempt: tries.total, of: RETRIES_PER_CALL, inMs, why: failure.code ?? failure.kind, ...status, ...detail },
  };
  const slept = inMs > 0 ? await backOff(inMs, deps, phase.time) : 0;
  return { kind: "again", state: grow(next, { backoffMs: next.backoffMs + slept }), tries };
}
