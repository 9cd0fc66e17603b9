// The gates at the end of a turn, asked in order (L12). A gate that is used up lets go with an honest record; it never ends a turn badly.
import type { Notice } from "#shared/loop/turn-end.ts";
import type { Next } from "./after-tools.ts";
import type { EndCore, LoopEvent, LoopState, Reply } from "./contract.ts";
import { endWith, notice } from "./notices.ts";
import { hasRealText } from "./real-text.ts";
import { addNotes } from "./say.ts";
import { transition, type Turn } from "./turn.ts";

export async function* runGates(state: LoopState, reply: Reply, turn: Turn): AsyncGenerator<LoopEvent, Next, void> {
  const records: Notice[] = [];
  for (const gate of turn.gates) {
    const verdict = await gate.check(state, reply, turn.signal);
    if (turn.signal.aborted) return { kind: "finish", state, end: undefined };
    if (verdict.kind === "pass") continue;
    turn.deps.trace.emit({ name: "guard_fired", guard: gate.name });
    if (verdict.kind === "let_go") {
      records.push(verdict.record);
      if (verdict.end === "empty") return { kind: "finish", state, end: emptyEnd(state, turn) };
      if (verdict.end !== undefined) break;
      continue;
    }
    const next = yield* transition(state, turn, { reason: gate.reason });
    if (next !== "spent") return { kind: "go", state: yield* addNotes(next, [{ source: gate.name, text: verdict.note }]) };
    records.push(notice("let_go_gate"));
  }
  return { kind: "finish", state, end: goodEnd(state, reply, turn, records) };
}

function goodEnd(state: LoopState, reply: Reply, turn: Turn, records: readonly Notice[]): EndCore {
  if (!hasRealText(reply)) return emptyEnd(state, turn);
  const [first, ...others] = records;
  if (first === undefined) return { why: "answered" };
  return { why: "let_go", notice: first, action: "go_on", ...(others.length === 0 ? {} : { facts: others }) };
}

/** Nothing was said. With nobody to ask and calls refused for that, this is the reason to tell. */
function emptyEnd(state: LoopState, turn: Turn): EndCore {
  const refused = turn.deps.limits.headless === true && state.denied > 0;
  return refused ? endWith("denied", "denied", "open_settings", { count: state.denied }) : endWith("empty", "empty_reply", "retry", { tries: state.requests });
}
