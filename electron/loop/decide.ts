// What a reply leads to, from its content first and its stop reason second (L3 to L6). Pure; the table test is its specification.
import { assertNever } from "#shared/lib/assert-never.ts";
import { cutStream, missingCall, outputLimit, paused, plainEnding, refused, runCalls, unknownStop, windowFull, type Seen } from "./branches.ts";
import type { Decision, LoopState, Reply, ReplyFacts } from "./contract.ts";

export function decide(state: LoopState, reply: Reply, facts: ReplyFacts): Decision {
  const seen: Seen = { state, reply, facts };
  return facts.calls.length > 0 ? decideWithCalls(seen) : decideWithoutCalls(seen);
}

function decideWithCalls(seen: Seen): Decision {
  const { stop } = seen.reply;
  switch (stop.kind) {
    case "tool_use":
    case "pause":
      return runCalls(seen, false);
    case "end_turn":
    case "stop_sequence":
      return runCalls(seen, true);
    case "max_tokens":
      return outputLimit(seen);
    case "refusal":
      return refused(seen.reply);
    case "context_window":
      return windowFull(seen);
    case "none":
      return cutStream(seen);
    case "other":
      return unknownStop(stop.raw);
    default:
      return assertNever(stop);
  }
}

function decideWithoutCalls(seen: Seen): Decision {
  const { stop } = seen.reply;
  switch (stop.kind) {
    case "end_turn":
    case "stop_sequence":
      return plainEnding(seen);
    case "tool_use":
      return missingCall(seen);
    case "max_tokens":
      return outputLimit(seen);
    case "refusal":
      return refused(seen.reply);
    case "context_window":
      return windowFull(seen);
    case "pause":
      return paused();
    case "none":
      return cutStream(seen);
    case "other":
      return unknownStop(stop.raw);
    default:
      return assertNever(stop);
  }
}
