// One branch per stop reason (L4 to L6), pure. What is common to them (raising the limit, going on with a cut text) is here once.
import { plainText } from "#shared/chat/blocks.ts";
import { isBlank } from "#shared/lib/text.ts";
import type { Decision, EndCore, LoopState, Reply, ReplyFacts } from "./contract.ts";
import { CUT_CALL_ANSWERS, SMALL_CONTINUATION_CHARS, SMALL_CONTINUATIONS } from "./limits.ts";
import { ANSWER_SHORTER, CALL_WAS_TEXT, CONTINUE_TEXT, emptyArguments, GO_ON_AFTER_PAUSE, NO_CALL_CAME, SMALLER_CALLS } from "./notes.text.ts";
import { endWith, notice } from "./notices.ts";

export type Seen = { readonly state: LoopState; readonly reply: Reply; readonly facts: ReplyFacts };

/** A whitelisted ending without calls: the only way to the gates (L12). */
export function plainEnding({ facts }: Seen): Decision {
  if (!facts.callAsText) return { kind: "gates" };
  return { kind: "continue", reason: "unanswered_retry", once: "call_as_text", note: CALL_WAS_TEXT, orElse: endWith("let_go", "call_as_text", "switch_model") };
}

/** "tool_use" without a call: announced and not delivered. */
export function missingCall({ reply }: Seen): Decision {
  const why = isBlank(plainText(reply.blocks)) ? "empty" : "cut";
  return { kind: "continue", reason: "unanswered_retry", note: NO_CALL_CAME, orElse: endWith(why, "no_call_came", "retry") };
}

export function refused(reply: Reply): Decision {
  const said = plainText(reply.blocks);
  return { kind: "finish", end: { ...endWith("refused", "refused", "switch_model"), ...(isBlank(said) ? {} : { detail: said }) } };
}

export function unknownStop(raw: string): Decision {
  return { kind: "finish", end: endWith("failed", "unknown_stop", "retry", { reason: raw }) };
}

export function paused(): Decision {
  return { kind: "continue", reason: "max_tokens_continuation", note: GO_ON_AFTER_PAUSE, orElse: endWith("cut", "output_limit", "retry") };
}

export function windowFull({ facts }: Seen): Decision {
  const orElse = endWith("failed", "context_full_plain", "new_session");
  if (facts.started) return { kind: "run_tools", reason: "context_overflow_retry", fit: "overflow", orElse };
  return { kind: "continue", reason: "context_overflow_retry", withdraw: true, fit: "overflow", orElse };
}

/** No stop reason: the stream was cut. Retried inside the step; what reaches this branch cannot be retried. */
export function cutStream({ reply, facts }: Seen): Decision {
  const end: EndCore = isBlank(plainText(reply.blocks)) ? endWith("empty", "empty_reply", "retry") : endWith("cut", "cut_reply", "retry");
  return facts.started ? { kind: "run_tools", reason: "timeout_retry", orElse: end } : { kind: "finish", end };
}

/** Calls of a reply that ended well: degenerate ones send the whole reply back, unless one has started (L5). */
export function runCalls({ facts }: Seen, mismatch: boolean): Decision {
  if (facts.calls.some((call) => call.degenerate) && !facts.started) {
    const orElse = endWith("failed", "empty_arguments", "switch_model");
    return { kind: "continue", reason: "empty_param_retry", withdraw: true, fit: "lighten", note: emptyArguments(facts.calls), orElse };
  }
  return { kind: "run_tools", reason: "tool_use", ...(mismatch ? { warning: notice("stop_mismatch") } : {}) };
}

/** Output limit: raise it once, then continue, stop when too little comes (L6); cut calls are never run (A05). */
export function outputLimit(seen: Seen): Decision {
  const { state, reply, facts } = seen;
  const cut = facts.halfCall || facts.calls.some((call) => call.cut);
  const cutCalls = cut ? state.cutCalls + 1 : 0;
  if (cutCalls >= CUT_CALL_ANSWERS) return { kind: "finish", end: endWith("cut", "call_cut_again", "switch_model", { times: cutCalls }) };
  const smallContinuations = smallOnes(seen);
  const orElse = endWith("cut", "output_limit", "retry");
  if (smallContinuations >= SMALL_CONTINUATIONS) return { kind: "finish", end: orElse };
  const raise = facts.room.now < facts.room.ceiling && !state.once.has("max_tokens_raised");
  const how = raise
    ? ({ reason: "max_tokens_escalate", once: "max_tokens_raised", patch: { cutCalls, smallContinuations, maxTokens: facts.room.ceiling } } as const)
    : ({ reason: "max_tokens_continuation", patch: { cutCalls, smallContinuations } } as const);
  if (facts.calls.length > 0) return { kind: "run_tools", ...how, orElse };
  const continued = isBlank(plainText(reply.blocks)) ? ANSWER_SHORTER : CONTINUE_TEXT;
  return { kind: "continue", ...how, note: facts.halfCall ? SMALLER_CALLS : continued, orElse };
}

function smallOnes({ state, reply, facts }: Seen): number {
  const continuing = state.transition === "max_tokens_continuation" || state.transition === "max_tokens_escalate";
  const small = facts.calls.length === 0 && plainText(reply.blocks).length < SMALL_CONTINUATION_CHARS;
  return continuing && small ? state.smallContinuations + 1 : 0;
}
