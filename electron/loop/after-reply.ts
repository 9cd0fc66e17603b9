// A reply is appended, then decided on, then carried out (L2, L3): tools, another try, the gates, or the end.
import { freshTokens, windowTokens } from "#shared/chat/usage.ts";
import { afterTools, type Next } from "./after-tools.ts";
import { onceOnly, onSuccess } from "./continue-with.ts";
import type { Decision, EndCore, LoopEvent, LoopState, ReplyFacts } from "./contract.ts";
import { decide } from "./decide.ts";
import { runGates } from "./end-gates.ts";
import { PROMPT_CUT_MIN_TOKENS, PROMPT_CUT_SHARE } from "./limits.ts";
import { contextFull, makeRoom } from "./make-room.ts";
import { notice } from "./notices.ts";
import type { OpenReply } from "./open-reply.ts";
import { hasRealText, isCallAsText } from "./real-text.ts";
import { addNotes } from "./say.ts";
import { settleCalls, type SettleMode } from "./settle.ts";
import { grow, withReply } from "./state.ts";
import { modelOf, transition, type Turn } from "./turn.ts";

export async function* afterReply(begun: LoopState, open: OpenReply, broke: boolean, turn: Turn): AsyncGenerator<LoopEvent, Next, void> {
  await open.intake.prepared(open.reply.stop.kind === "max_tokens");
  const facts = factsOf(begun, open, broke, turn);
  const state = yield* appended(begun, open, broke, turn);
  if (turn.signal.aborted) return yield* stopped(state, open, turn, undefined);
  const decision = decide(state, open.reply, facts);
  switch (decision.kind) {
    case "run_tools":
      return yield* runTools(state, open, { ...decision, broke }, turn);
    case "continue":
      return yield* goOn(state, open, decision, turn);
    case "gates":
      open.scheduler.discard();
      await open.scope.close({ by: "shutdown" });
      turn.deps.breaker?.succeeded();
      return yield* runGates(onSuccess(state), open.reply, turn);
    case "finish":
      return yield* stopped(state, open, turn, decision.end);
  }
}

/** The calls of a reply that will not be acted on are answered as not run; an undefined end means that the turn was aborted. */
export async function* stopped(state: LoopState, open: OpenReply, turn: Turn, end: EndCore | undefined): AsyncGenerator<LoopEvent, Next, void> {
  const cause = turn.deps.scope.cause ?? { by: "watchdog", detail: "the reply could not be used" };
  const settled = yield* settleCalls(state, open, { kind: "not_run", cause }, turn);
  return { kind: "finish", state: settled.state, end };
}

/** Appends the reply to history and tells it; growth counts what it brought. */
export async function* appended(state: LoopState, { reply }: OpenReply, partial: boolean, turn: Turn): AsyncGenerator<LoopEvent, LoopState, void> {
  const { deps } = turn;
  const { usage } = reply;
  const estimate = deps.context.measure(state.history);
  const history = withReply(state.history, reply.blocks);
  if (windowTokens(usage) > 0 && reply.blocks.length > 0) deps.context.saw(history, windowTokens(usage));
  deps.spend?.add(usage, reply.by);
  yield { type: "reply", step: state.step, reply, partial };
  const grown = grow(state, {
    history,
    gaveText: state.gaveText || hasRealText(reply),
    spentTokens: state.spentTokens + freshTokens(usage),
    cutCalls: reply.stop.kind === "max_tokens" ? state.cutCalls : 0,
  });
  const sent = windowTokens(usage) - usage.output;
  const cut = sent > 0 && estimate >= PROMPT_CUT_MIN_TOKENS && sent < estimate * PROMPT_CUT_SHARE;
  return cut ? yield* warnedOfCutPrompt(grown, estimate, sent) : grown;
}

/** A local server may cut the prompt silently; what it reports as read gives it away (A20). */
function* warnedOfCutPrompt(state: LoopState, sentTokens: number, readTokens: number): Generator<LoopEvent, LoopState, void> {
  const next = onceOnly(state, "prompt_cut_warned");
  if (next === "spent") return state;
  yield { type: "warning", notice: notice("prompt_cut_by_server", { sent: sentTokens, read: readTokens }) };
  return next;
}

function factsOf(state: LoopState, open: OpenReply, broke: boolean, turn: Turn): ReplyFacts {
  const { info } = modelOf(state, turn.deps);
  return {
    started: open.scheduler.started,
    broke,
    calls: open.intake.calls.map((call) => ({
      name: call.name,
      degenerate: isDegenerate(call),
      cut: call.invalid?.why === "cut" || (open.reply.stop.kind === "max_tokens" && call.invalid !== undefined),
    })),
    halfCall: open.halfCall && open.reply.stop.kind === "max_tokens",
    callAsText: isCallAsText(open.reply.blocks, new Set(turn.deps.context.fixed.tools.map((tool) => tool.name.toLowerCase()))),
    room: { now: state.maxTokens ?? info.maxOutput, ceiling: info.maxOutputCeiling },
  };
}

/** `{}` is degenerate only where the tool cannot do with it (L5): it does not parse. */
function isDegenerate(call: OpenReply["intake"]["calls"][number]): boolean {
  const empty = typeof call.raw === "object" && call.raw !== null && !Array.isArray(call.raw) && Object.keys(call.raw).length === 0;
  return empty && call.invalid === undefined && call.tool !== undefined && call.parseError !== undefined;
}

type RunTools = Extract<Decision, { kind: "run_tools" }> & { readonly broke: boolean };

async function* runTools(begun: LoopState, open: OpenReply, decision: RunTools, turn: Turn): AsyncGenerator<LoopEvent, Next, void> {
  if (decision.warning !== undefined) yield { type: "warning", notice: decision.warning };
  const mode: SettleMode = decision.broke
    ? { kind: "broke", cause: { by: "watchdog", detail: "the model's reply broke off before its end" } }
    : { kind: "run" };
  const { state: settled, round } = yield* settleCalls(begun, open, mode, turn);
  const state = grow(settled, { spentTokens: settled.spentTokens + (turn.deps.takeOthersTokens?.() ?? 0) });
  if (turn.signal.aborted) return { kind: "finish", state, end: undefined };
  if (decision.reason === "tool_use") {
    turn.deps.breaker?.succeeded();
    return yield* afterTools(onSuccess(state), turn, round, "tool_use");
  }
  const once = decision.once === undefined ? {} : { once: decision.once };
  const patch = decision.patch === undefined ? {} : { patch: decision.patch };
  const next = yield* transition(state, turn, { reason: decision.reason, ...once, ...patch });
  if (next === "spent") return { kind: "finish", state, end: decision.orElse };
  turn.facts.observe(round);
  return decision.fit === undefined ? { kind: "go", state: next } : yield* withRoom(next, turn, decision);
}

type GoOn = Extract<Decision, { kind: "continue" }>;

async function* goOn(begun: LoopState, open: OpenReply, decision: GoOn, turn: Turn): AsyncGenerator<LoopEvent, Next, void> {
  const once = decision.once === undefined ? {} : { once: decision.once };
  const patch = decision.patch === undefined ? {} : { patch: decision.patch };
  const next = yield* transition(begun, turn, { reason: decision.reason, ...once, ...patch });
  if (next === "spent") return yield* stopped(begun, open, turn, decision.orElse);
  open.intake.close();
  open.scheduler.discard();
  await open.scope.close({ by: "watchdog", detail: "the reply was not used" });
  const state = decision.withdraw === true ? yield* withdrawn(next, open, decision.reason, turn) : next;
  const roomy = decision.fit === undefined ? ({ kind: "go", state } as const) : yield* withRoom(state, turn, decision);
  if (roomy.kind === "finish") return roomy;
  return { kind: "go", state: yield* addNotes(roomy.state, decision.note === undefined ? [] : [decision.note]) };
}

/** The reply is taken back from screen, view and memory (L22); the step brought nothing. */
function* withdrawn(state: LoopState, { reply }: OpenReply, why: string, turn: Turn): Generator<LoopEvent, LoopState, void> {
  yield { type: "live", event: { type: "tombstone", turn: turn.deps.turn, reply: reply.id } };
  yield { type: "withdrawn", reply: reply.id, why };
  const last = state.history.at(-1);
  const history = last?.role === "assistant" && last.blocks === reply.blocks ? state.history.slice(0, -1) : state.history;
  return grow(state, { history, lostSteps: state.lostSteps + 1 });
}

async function* withRoom(state: LoopState, turn: Turn, decision: RunTools | GoOn): AsyncGenerator<LoopEvent, Next, void> {
  const room = yield* makeRoom(state, turn, decision.fit ?? "lighten");
  if (turn.signal.aborted) return { kind: "finish", state: room.state, end: undefined };
  // Making lighter is a help; making an overflow fit is a must.
  if (room.failed !== undefined && decision.fit === "overflow") return { kind: "finish", state: room.state, end: contextFull(room.failed) };
  return { kind: "go", state: room.state };
}
