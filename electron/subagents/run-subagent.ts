// Runs one sub-agent to its end: the loop of L1 with the powers that the composition root gives it.
import { text, type Message } from "#shared/chat/blocks.ts";
import { noteBlock } from "#shared/chat/note.ts";
import type { CallId } from "#shared/lib/ids.ts";
import type { TurnEnd } from "#shared/loop/turn-end.ts";
import type { Scope } from "#electron/lib/scope.ts";
import type { LoopDeps } from "#electron/loop/contract.ts";
import { runTurn } from "#electron/loop/run-turn.ts";
import type { RunSubagent, SubagentReport, SubagentTask } from "./contract.ts";
import type { SubagentLimit } from "./limit.ts";
import { createReport } from "./report.ts";
import { SUBAGENT_NOTE } from "./subagents.text.ts";

export type SubagentSeat = { readonly call: CallId; readonly scope: Scope; note(text: string): void };
export type SubagentDeps = {
  readonly limit: SubagentLimit;
  /** what the loop of one sub-agent works with; its scope is the seat's */
  open(seat: SubagentSeat): Promise<LoopDeps>;
};

export function createRunSubagent(deps: SubagentDeps): RunSubagent {
  return async (task, { call, scope }, note) => {
    using place = await deps.limit.enter(scope.signal);
    if (place === undefined) return createReport().endedWith(abortedEnd(scope));
    const own = scope.child("subagent");
    try {
      return await run(await deps.open({ call, scope: own, note }), task);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      return createReport().endedWith(own.signal.aborted ? abortedEnd(own) : { why: "failed", detail, steps: 0, requests: 0, lostSteps: 0 });
    } finally {
      // Nothing that it started outlives it; an abort of the parent has closed it already.
      await own.close({ by: "shutdown" });
    }
  };
}

async function run(loopDeps: LoopDeps, task: SubagentTask): Promise<SubagentReport> {
  const report = createReport();
  const loop = runTurn({ history: [], prompt: promptOf(task) }, loopDeps);
  for (;;) {
    const next = await loop.next();
    if (next.done) return report.endedWith(next.value);
    report.heard(next.value);
  }
}

function promptOf(task: SubagentTask): Message {
  return { role: "user", blocks: [noteBlock({ source: "subagent", text: SUBAGENT_NOTE }), text(task.prompt)] };
}

function abortedEnd(scope: Scope): TurnEnd {
  return { why: "aborted", abortedBy: scope.cause?.by ?? "shutdown", steps: 0, requests: 0, lostSteps: 0 };
}
