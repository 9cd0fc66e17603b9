// Admission and the run itself: slot and keys, a fresh checkpoint if somebody was waited for, intent, run, end of writing.
import type { ToolOutcome } from "#shared/tools/outcome.ts";
import { createScope } from "#electron/lib/scope.ts";
import type { Entry } from "#electron/scheduler/contract.ts";
import type { ToolContext, ToolReturn } from "#electron/tools/contract.ts";
import type { CallInFlight } from "./contract.ts";
import type { PipelineDeps } from "./deps.ts";
import { orGiveUp } from "./give-up.ts";
import { abortedOutcome, exceptionOutcome, outcomeOf } from "./settle.ts";

/** Never rejects. */
export async function admitAndRun(deps: PipelineDeps, call: CallInFlight, cx: ToolContext): Promise<ToolOutcome> {
  const admitted = await deps.admission.enter(keysOf(call, cx), cx.scope.signal);
  if (admitted === undefined) return abortedOutcome(call, cx.scope.cause, false);
  try {
    const preparing = makeReady(deps, call, cx);
    const ready = await orGiveUp(preparing, deps, cx.scope.signal);
    if (ready === undefined || cx.scope.signal.aborted) {
      void preparing.then((late) => late.end()).catch(() => {}); // whenever it comes, the watch is ended
      return abortedOutcome(call, cx.scope.cause, false);
    }
    deps.journal.state(call, "running");
    try {
      return await run(deps, call, cx);
    } finally {
      // Whose a change was is worth less than what the run gave.
      await orGiveUp(ready.end(), deps, cx.scope.signal).catch(() => {});
    }
  } catch (error) {
    return exceptionOutcome(call, "the pipeline", error);
  } finally {
    admitted[Symbol.dispose]();
  }
}

/** What must stand before the run: a fresh checkpoint if somebody was waited for, the intent in the log, and the watch over its writes. */
async function makeReady(deps: PipelineDeps, call: CallInFlight, cx: ToolContext): Promise<{ end(): Promise<void> }> {
  if (call.waited && call.traits.mayWrite) await deps.protect(call, cx);
  await deps.journal.started(call, cx);
  const end = call.traits.mayWrite && !cx.scope.signal.aborted ? await deps.watchWrites(call, cx) : async () => {};
  return { end };
}

// A hook may have turned a concurrency-safe call into one that is not: the turn's own key keeps it apart from the others of its reply.
function keysOf(call: CallInFlight, cx: ToolContext): Entry {
  const { effects, conflictKeys, readOnly, concurrencySafe } = call.traits;
  const writes = effects.flatMap((effect) => (effect.kind === "writes" || effect.kind === "deletes" ? [effect.target] : []));
  const reads = effects.flatMap((effect) => (effect.kind === "reads" ? [effect.target] : []));
  const shared = [...reads, ...(readOnly ? conflictKeys : [])].filter((key) => !writes.includes(key));
  const alone = [...writes, ...(readOnly ? [] : conflictKeys)];
  const turnKey = `turn:${cx.turn}`;
  const withoutSlot = effects.length > 0 && effects.every((effect) => effect.kind === "asks_person");
  return concurrencySafe ? { shared: [...shared, turnKey], alone, withoutSlot } : { shared, alone: [...alone, turnKey], withoutSlot };
}

async function run(deps: PipelineDeps, call: CallInFlight, cx: ToolContext): Promise<ToolOutcome> {
  const { tool } = call;
  if (tool === undefined) return exceptionOutcome(call, "the pipeline", "a call without a tool was admitted");
  const begun = deps.clock.monotonic();
  const elapsed = () => Math.max(0, deps.clock.monotonic() - begun);
  // A tool that must finish is not told of the stop; it runs in a scope of its own (T8).
  const own = tool.interrupt === "finish_first" ? createScope(`finish:${call.id}`) : undefined;
  const scope = own ?? cx.scope;
  try {
    const work: Promise<ToolReturn> = Promise.resolve(
      tool.call(call.input, { ...cx, scope, facts: call.facts }, (progress) => deps.journal.progress(call, progress)),
    );
    const returned = own === undefined ? await orGiveUp(work, deps, cx.scope.signal) : await work;
    if (returned?.cut === true) deps.trace.emit({ name: "result_cut", tool: tool.name });
    return returned === undefined ? withMs(abortedOutcome(call, cx.scope.cause, true), elapsed()) : outcomeOf(call, returned, elapsed());
  } catch (error) {
    const outcome = cx.scope.signal.aborted ? abortedOutcome(call, cx.scope.cause, true) : exceptionOutcome(call, `the tool ${tool.name}`, error);
    return withMs(outcome, elapsed());
  } finally {
    await own?.close({ by: "shutdown" });
  }
}

function withMs(outcome: ToolOutcome, ms: number): ToolOutcome {
  return { ...outcome, metrics: { ...outcome.metrics, ms } };
}
