// Call and permission events → call states and open questions.
import { lastingEffects } from "#shared/tools/lasting.ts";
import type { ModelContent } from "#shared/chat/blocks.ts";
import type { EventOf, StoredEvent } from "#shared/events/durable.ts";
import { assertNever } from "#shared/lib/assert-never.ts";
import type { CallId } from "#shared/lib/ids.ts";
import type { Grow } from "./grow.ts";
import type { CallView, SessionView } from "./view.ts";

const TOLD_HAPPENED = "The call was interrupted while it ran. The person has looked and says that it took effect, so do not repeat it.";
const TOLD_DID_NOT = "The call was interrupted while it ran. The person has looked and says that it did not take effect. Make it again if it is still wanted.";

export type CallEvent = EventOf<
  | "call_started"
  | "call_intended"
  | "call_settled"
  | "outcome_told"
  | "permission_asked"
  | "permission_answered"
  | "permission_refused"
  | "person_asked"
  | "person_answered"
>;

export function reduceCalls(view: SessionView, { at }: Pick<StoredEvent, "at">, event: CallEvent, grow: Grow): SessionView {
  switch (event.type) {
    case "call_started":
      return started(view, at, event, grow);
    case "call_intended":
      return intended(view, event, grow);
    case "outcome_told":
      return told(view, event, grow);
    case "call_settled":
      return withCall(
        view,
        event.call,
        {
          turn: event.turn,
          tool: event.tool,
          state: event.outcome.status,
          outcome: event.outcome,
          forModel: event.outcome.forModel,
        },
        grow,
      );
    case "permission_asked": {
      const asksForCall = event.question.detail.kind !== "notice";
      const next = !asksForCall
        ? view
        : withCall(view, event.question.call, { turn: event.turn, tool: event.question.tool, state: "waiting_for_person" }, grow);
      return { ...next, pending: [...view.pending, event.question], attention: "needs_you" };
    }
    case "permission_answered":
      return answered(view, event, "proposed", grow);
    case "person_asked": {
      const { question, turn } = event;
      const next = withCall(view, question.call, { turn, tool: question.tool, state: "waiting_for_person" }, grow);
      return { ...next, pending: [...view.pending, question], attention: "needs_you" };
    }
    case "person_answered":
      return answered(view, event, "running", grow);
    case "permission_refused":
      return view;
    default:
      return assertNever(event);
  }
}

/** `state`: where the call goes on. */
function answered(
  view: SessionView,
  { question, call, turn, answer }: EventOf<"permission_answered" | "person_answered">,
  state: CallView["state"],
  grow: Grow,
): SessionView {
  const pending = view.pending.filter((open) => open.id !== question);
  const next =
    view.calls[call] === undefined
      ? view
      : withCall(view, call, { turn, state, ...("kind" in answer && answer.kind === "cancelled" ? { unanswered: true } : {}) }, grow);
  return { ...next, pending, attention: pending.length > 0 ? "needs_you" : view.turn === undefined ? view.attention : "working" };
}

function started(view: SessionView, at: number, event: EventOf<"call_started">, grow: Grow): SessionView {
  const { turn, tool, input, readOnly, idempotency = "none", schema } = event;
  const lasting = lastingEffects(event.effects, view.cwd, readOnly);
  const begun = { readOnly, idempotency, schema, files: [], lasting };
  return withCall(view, event.call, { turn, tool, input, state: "running", startedAt: at, begun }, grow);
}

function intended(view: SessionView, { call, turn, files }: EventOf<"call_intended">, grow: Grow): SessionView {
  const begun = view.calls[call]?.begun;
  return begun === undefined ? view : withCall(view, call, { turn, begun: { ...begun, files: [...begun.files, ...files] } }, grow);
}

/** The person's word replaces "unknown" in what the model reads. */
function told(view: SessionView, { call, turn, happened }: EventOf<"outcome_told">, grow: Grow): SessionView {
  if (view.calls[call]?.outcome?.interrupted !== "unknown") return view;
  const forModel: ModelContent = [{ type: "text", text: happened ? TOLD_HAPPENED : TOLD_DID_NOT }];
  return withCall(view, call, { turn, told: happened ? "happened" : "did_not", forModel }, grow);
}

function withCall(view: SessionView, id: CallId, change: Partial<CallView> & Pick<CallView, "turn">, grow: Grow): SessionView {
  const known: CallView = view.calls[id] ?? {
    id,
    turn: change.turn,
    tool: "",
    input: {},
    state: "proposed",
    startedAt: undefined,
    outcome: undefined,
    forModel: undefined,
  };
  return { ...view, calls: grow.add(view.calls, id, { ...known, ...change }) };
}
