// Between the results of one step and the next request: guards and other interventions speak up (L12, L13, L16).
import type { ContinueReason } from "#shared/loop/reasons.ts";
import type { Notice } from "#shared/loop/turn-end.ts";
import type { EndCore, Intervention, LoopEvent, LoopState, Round } from "./contract.ts";
import { endWith } from "./notices.ts";
import { PERSON_SAID_GO_ON } from "./notes.text.ts";
import { addNotes } from "./say.ts";
import { transition, type Turn } from "./turn.ts";

/** `finish` without an end: the turn was aborted. */
export type Next = { readonly state: LoopState } & ({ readonly kind: "go" } | { readonly kind: "finish"; readonly end: EndCore | undefined });

/** `reason`: why the loop goes on if nobody intervenes. */
export async function* afterTools(begun: LoopState, turn: Turn, round: Round, reason: ContinueReason): AsyncGenerator<LoopEvent, Next, void> {
  turn.facts.observe(round);
  let state = begun;
  let intervened = false;
  for (const intervention of turn.interventions) {
    const verdict = intervention.check(state, round);
    if (verdict.kind === "quiet") continue;
    turn.deps.trace.emit({ name: "guard_fired", guard: intervention.name });
    if (verdict.kind === "ask") {
      const answer = yield* asked(state, turn, intervention, verdict.notice);
      if (answer.kind === "finish") return answer;
      state = answer.state;
      intervened = true;
      continue;
    }
    const next = yield* transition(state, turn, { reason: intervention.reason });
    if (next === "spent") continue;
    state = yield* addNotes(next, [{ source: intervention.name, text: verdict.text }]);
    intervened = true;
  }
  if (intervened) return { kind: "go", state };
  const next = yield* transition(state, turn, { reason });
  return { kind: "go", state: next === "spent" ? state : next };
}

async function* asked(state: LoopState, turn: Turn, intervention: Intervention, question: Notice): AsyncGenerator<LoopEvent, Next, void> {
  const end: EndCore = {
    ...endWith("brake", "brake", "switch_model"),
    notice: { key: "notices.brake", ...(question.params === undefined ? {} : { params: question.params }) },
  };
  const { askPerson } = turn.deps;
  if (askPerson === undefined) return { kind: "finish", state, end };
  const answer = await askPerson(question, turn.signal);
  if (turn.signal.aborted) return { kind: "finish", state, end: undefined };
  if (answer === "stop") return { kind: "finish", state, end };
  const next = yield* transition(state, turn, { reason: intervention.reason });
  return { kind: "go", state: yield* addNotes(next === "spent" ? state : next, [PERSON_SAID_GO_ON]) };
}
