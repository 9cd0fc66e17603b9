// One call from admission by the scheduler to its one outcome (T3). Never rejects, whatever throws, hangs or aborts.
import type { ToolOutcome } from "#shared/tools/outcome.ts";
import type { ToolContext } from "#electron/tools/contract.ts";
import { admitAndRun } from "./admit.ts";
import type { CallInFlight, FinishGate, Gate, GateVerdict, RunCall } from "./contract.ts";
import type { PipelineDeps } from "./deps.ts";
import { orGiveUp } from "./give-up.ts";
import { gatesAfter, gatesBefore } from "./order.ts";
import { abortedOutcome, exceptionOutcome, isMcp } from "./settle.ts";

export function createRunCall(deps: PipelineDeps): RunCall {
  const before = gatesBefore(deps);
  const after = gatesAfter(deps, false);
  const afterMcp = gatesAfter(deps, true);
  return async (call, cx) => {
    try {
      deps.trace.emit({ name: "call_dispatched", tool: call.tool?.name ?? "unknown" });
      deps.journal.state(call, "checking");
    } catch {
      // What only tells of a call cannot keep it from its result.
    }
    const { call: last, outcome } = await throughGates(deps, before, call, cx);
    return finish({ gates: isMcp(call) ? afterMcp : after, deps }, last, outcome, cx);
  };
}

async function throughGates(
  deps: PipelineDeps,
  gates: readonly Gate[],
  first: CallInFlight,
  cx: ToolContext,
): Promise<{ call: CallInFlight; outcome: ToolOutcome }> {
  let call = first;
  for (const gate of gates) {
    if (cx.scope.signal.aborted) return { call, outcome: abortedOutcome(call, cx.scope.cause, false) };
    const verdict = await runGate(gate, call, cx);
    if (verdict.kind === "settle") return { call, outcome: verdict.outcome };
    call = verdict.call;
  }
  if (cx.scope.signal.aborted) return { call, outcome: abortedOutcome(call, cx.scope.cause, false) };
  return { call, outcome: await admitAndRun(deps, call, cx) };
}

// A gate that hangs cannot outlive the abort of its call.
async function runGate(gate: Gate, call: CallInFlight, cx: ToolContext): Promise<GateVerdict> {
  const { signal } = cx.scope;
  let onAbort = () => {};
  const aborted = new Promise<GateVerdict>((resolve) => {
    onAbort = () => resolve({ kind: "settle", outcome: abortedOutcome(call, cx.scope.cause, false) });
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([gate.run(call, cx), aborted]);
  } catch (error) {
    return { kind: "settle", outcome: exceptionOutcome(call, `the ${gate.name} step`, error) };
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

type Finish = { readonly gates: readonly FinishGate[]; readonly deps: PipelineDeps };

async function finish({ gates, deps }: Finish, call: CallInFlight, settled: ToolOutcome, cx: ToolContext): Promise<ToolOutcome> {
  let outcome = settled;
  for (const gate of gates) {
    try {
      // A gate that hangs changes nothing; the outcome so far stands.
      outcome = (await orGiveUp(gate.run(call, outcome, cx), deps, cx.scope.signal)) ?? outcome;
    } catch (error) {
      outcome = exceptionOutcome(call, `the ${gate.name} step`, error);
    }
  }
  return outcome;
}
