import { describe, expect, it } from "vitest";
import { text, type Block } from "#shared/chat/blocks.ts";
import type { StopReason } from "#shared/chat/stop-reason.ts";
import { NO_USAGE } from "#shared/chat/usage.ts";
import { CallId, ReplyId } from "#shared/lib/ids.ts";
import type { Decision, LoopState, Reply, ReplyFacts } from "./contract.ts";
import { decide } from "./decide.ts";
import { initialState } from "./state.ts";

const state = (change: Partial<LoopState> = {}): LoopState => ({ ...initialState({ history: [], prompt: { role: "user", blocks: [text("go")] } }), ...change });
const use: Block = { type: "tool_use", id: CallId.parse("1"), name: "read", input: {} };
const reply = (stop: StopReason, ...blocks: Block[]): Reply => ({ id: ReplyId.parse("r"), blocks, stop, usage: NO_USAGE, by: { provider: "p", model: "m" } });
const facts = (change: Partial<ReplyFacts> = {}): ReplyFacts => ({
  started: false,
  broke: false,
  calls: [],
  halfCall: false,
  callAsText: false,
  room: { now: 100, ceiling: 200 },
  ...change,
});
const call = { name: "read", degenerate: false, cut: false };
const LONG = text("w".repeat(500));

/** What matters of a decision, as one line. */
function short(decision: Decision): string {
  switch (decision.kind) {
    case "gates":
      return "gates";
    case "finish":
      return `finish ${decision.end.why} ${decision.end.notice?.key ?? ""}`;
    case "run_tools":
      return `run ${decision.reason}${decision.warning === undefined ? "" : " with warning"}${decision.fit === undefined ? "" : ` fit ${decision.fit}`}`;
    case "continue":
      return `continue ${decision.reason}${decision.withdraw === true ? " withdrawn" : ""}${decision.fit === undefined ? "" : ` fit ${decision.fit}`} else ${decision.orElse.why}`;
  }
}

type Row = readonly [
  name: string,
  stop: StopReason,
  given: { readonly blocks?: Block[]; readonly facts?: Partial<ReplyFacts>; readonly state?: Partial<LoopState> },
  decision: string,
];
const called = { blocks: [use], facts: { calls: [call] } };
const rows: readonly Row[] = [
  // L3, L4: content decides, a whitelist says which endings are plain
  ["tool_use with a call", { kind: "tool_use" }, called, "run tool_use"],
  ["end_turn with a call runs it and warns", { kind: "end_turn" }, called, "run tool_use with warning"],
  ["stop_sequence with a call", { kind: "stop_sequence" }, called, "run tool_use with warning"],
  ["pause with a call", { kind: "pause" }, called, "run tool_use"],
  ["an unknown reason with a call never runs it", { kind: "other", raw: "x" }, called, "finish failed notices.unknown_stop"],
  ["a refusal with a call", { kind: "refusal" }, called, "finish refused notices.refused"],
  ["no reason with a call that did not start", { kind: "none" }, called, "finish empty notices.empty_reply"],
  ["no reason with a call that started", { kind: "none" }, { blocks: [use], facts: { calls: [call], started: true, broke: true } }, "run timeout_retry"],
  ["end_turn", { kind: "end_turn" }, { blocks: [text("done")] }, "gates"],
  ["stop_sequence", { kind: "stop_sequence" }, { blocks: [text("done")] }, "gates"],
  // L5
  [
    "empty arguments",
    { kind: "tool_use" },
    { blocks: [use], facts: { calls: [{ ...call, degenerate: true }, call] } },
    "continue empty_param_retry withdrawn fit lighten else failed",
  ],
  [
    "empty arguments with end_turn",
    { kind: "end_turn" },
    { blocks: [use], facts: { calls: [{ ...call, degenerate: true }] } },
    "continue empty_param_retry withdrawn fit lighten else failed",
  ],
  [
    "empty arguments after a start: the reply stands",
    { kind: "tool_use" },
    { blocks: [use], facts: { calls: [{ ...call, degenerate: true }, call], started: true } },
    "run tool_use",
  ],
  // L6
  ["tool_use without a call", { kind: "tool_use" }, { blocks: [text("I will")] }, "continue unanswered_retry else cut"],
  ["tool_use with nothing", { kind: "tool_use" }, {}, "continue unanswered_retry else empty"],
  ["max_tokens: the limit can be raised", { kind: "max_tokens" }, { blocks: [LONG] }, "continue max_tokens_escalate else cut"],
  [
    "max_tokens: raised before",
    { kind: "max_tokens" },
    { blocks: [LONG], state: { once: new Set(["max_tokens_raised"]) } },
    "continue max_tokens_continuation else cut",
  ],
  [
    "max_tokens: no room to raise",
    { kind: "max_tokens" },
    { blocks: [LONG], facts: { room: { now: 200, ceiling: 200 } } },
    "continue max_tokens_continuation else cut",
  ],
  ["max_tokens with whole calls runs them", { kind: "max_tokens" }, called, "run max_tokens_escalate"],
  [
    "max_tokens: second small continuation",
    { kind: "max_tokens" },
    { blocks: [text("bit")], state: { transition: "max_tokens_continuation", smallContinuations: 1 } },
    "finish cut notices.output_limit",
  ],
  [
    "max_tokens: a long one after a small one",
    { kind: "max_tokens" },
    { blocks: [LONG], state: { transition: "max_tokens_continuation", smallContinuations: 1 } },
    "continue max_tokens_escalate else cut",
  ],
  [
    "max_tokens: third cut call in a row",
    { kind: "max_tokens" },
    { blocks: [use], facts: { calls: [{ ...call, cut: true }] }, state: { cutCalls: 2 } },
    "finish cut notices.call_cut_again",
  ],
  ["max_tokens inside a call that never came", { kind: "max_tokens" }, { facts: { halfCall: true } }, "continue max_tokens_escalate else cut"],
  ["refusal", { kind: "refusal" }, { blocks: [text("no")] }, "finish refused notices.refused"],
  ["window full", { kind: "context_window" }, { blocks: [text("half")] }, "continue context_overflow_retry withdrawn fit overflow else failed"],
  ["window full with a call", { kind: "context_window" }, called, "continue context_overflow_retry withdrawn fit overflow else failed"],
  [
    "window full after a start",
    { kind: "context_window" },
    { blocks: [use], facts: { calls: [call], started: true } },
    "run context_overflow_retry fit overflow",
  ],
  ["pause", { kind: "pause" }, { blocks: [text("…")] }, "continue max_tokens_continuation else cut"],
  ["none with nothing left to try", { kind: "none" }, {}, "finish empty notices.empty_reply"],
  ["none with text", { kind: "none" }, { blocks: [text("half")] }, "finish cut notices.cut_reply"],
  ["an unknown reason", { kind: "other", raw: "x" }, { blocks: [text("half")] }, "finish failed notices.unknown_stop"],
  // A20
  ["a call written as text", { kind: "end_turn" }, { blocks: [text("{}")], facts: { callAsText: true } }, "continue unanswered_retry else let_go"],
];

describe("decide", () => {
  it.each(rows)("%s", (_name, stop, given, decision) => {
    expect(short(decide(state(given.state), reply(stop, ...(given.blocks ?? [])), facts(given.facts)))).toBe(decision);
  });

  it("counts cut calls and small continuations in the patch, and begins anew after a good one", () => {
    const cut = decide(state({ cutCalls: 1 }), reply({ kind: "max_tokens" }, use), facts({ calls: [{ ...call, cut: true }] }));
    expect(cut.kind === "run_tools" && cut.patch).toEqual({ cutCalls: 2, smallContinuations: 0, maxTokens: 200 });
    const good = decide(state({ cutCalls: 2, smallContinuations: 1 }), reply({ kind: "max_tokens" }, LONG), facts());
    expect(good.kind === "continue" && good.patch).toEqual({ cutCalls: 0, smallContinuations: 0, maxTokens: 200 });
  });

  it("says to the model what was called with empty arguments, as text", () => {
    const decision = decide(
      state(),
      reply({ kind: "tool_use" }, use),
      facts({
        calls: [
          { ...call, degenerate: true },
          { name: "write", degenerate: false, cut: false },
        ],
      }),
    );
    expect(decision.kind === "continue" && decision.note?.text).toContain("- read with empty arguments {}\n- write\n");
  });
});
