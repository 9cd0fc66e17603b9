// The calls of one reply, to their end: N calls, N results, all in one message, in call order (L18).
import type { ToolResultBlock } from "#shared/chat/blocks.ts";
import { markedContent } from "#shared/chat/data-mark.ts";
import type { AbortCause } from "#shared/loop/turn-end.ts";
import type { ToolOutcome } from "#shared/tools/outcome.ts";
import type { LoopEvent, LoopState, Round } from "./contract.ts";
import type { OpenReply } from "./open-reply.ts";
import { grow, withUserBlocks } from "./state.ts";
import type { Turn } from "./turn.ts";

/**
 * `run`: the reply's end was seen, everything may run. `broke`: what has started is let finish, the rest is answered as not run
 * (DESIGN decision C). `not_run`: nothing more may start and what runs is stopped.
 */
export type SettleMode = { readonly kind: "run" } | { readonly kind: "broke" | "not_run"; readonly cause: AbortCause };

export type Settled = { readonly state: LoopState; readonly round: Round };

export async function* settleCalls(state: LoopState, open: OpenReply, mode: SettleMode, turn: Turn): AsyncGenerator<LoopEvent, Settled, void> {
  const { reply, scope } = open;
  await open.intake.prepared(reply.stop.kind === "max_tokens");
  open.intake.release();
  const outcomes = await collect(open, mode, turn);
  await scope.close(turn.deps.scope.cause ?? { by: "shutdown" });
  const done = open.intake.calls.flatMap((call, k) => {
    const outcome = outcomes[k];
    return outcome === undefined ? [] : [{ call, outcome }];
  });
  const round: Round = { reply, done };
  if (outcomes.length === 0) return { state, round };
  const denied = outcomes.filter((outcome) => outcome.status === "failed" && outcome.failure.kind === "permission_denied").length;
  const history = withUserBlocks(state.history, outcomes.map(resultOf));
  yield { type: "results", step: state.step, calls: outcomes.map((outcome) => outcome.callId) };
  return { state: grow(state, { history, denied: state.denied + denied }), round };
}

async function collect(open: OpenReply, mode: SettleMode, turn: Turn): Promise<readonly ToolOutcome[]> {
  const { scheduler, intake } = open;
  const outcomes: ToolOutcome[] = [];
  const onAbort = () => scheduler.abort(turn.deps.scope.cause ?? { by: "person" });
  turn.signal.addEventListener("abort", onAbort, { once: true });
  try {
    if (turn.signal.aborted) onAbort();
    else if (mode.kind === "run") scheduler.close();
    else if (mode.kind === "not_run") scheduler.abort(mode.cause);
    // Of a reply whose end was not seen only the concurrency-safe calls at its head can have started.
    const startedHead = intake.calls.findIndex((call) => !call.traits.concurrencySafe);
    const finish = mode.kind === "broke" ? (startedHead < 0 ? intake.calls.length : startedHead) : -1;
    if (finish === 0 && mode.kind === "broke") scheduler.abort(mode.cause);
    for await (const outcome of scheduler.results()) {
      outcomes.push(outcome);
      if (mode.kind === "broke" && outcomes.length === finish) scheduler.abort(mode.cause);
    }
    return outcomes;
  } finally {
    turn.signal.removeEventListener("abort", onAbort);
  }
}

function resultOf(outcome: ToolOutcome): ToolResultBlock {
  return { type: "tool_result", id: outcome.callId, content: markedContent(outcome.forModel), isError: outcome.status === "failed" };
}
