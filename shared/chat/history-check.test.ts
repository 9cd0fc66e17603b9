import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CallId } from "#shared/lib/ids.ts";
import { text, type Block, type Message } from "./blocks.ts";
import { checkHistory, createHistoryChecker, type HistoryProblem } from "./history-check.ts";

const user = (...blocks: readonly Block[]): Message => ({ role: "user", blocks });
const assistant = (...blocks: readonly Block[]): Message => ({ role: "assistant", blocks });
const use = (id: string, name = "read"): Block => ({ type: "tool_use", id: CallId.parse(id), name, input: {} });
const result = (id: string, output = "ok"): Block => ({ type: "tool_result", id: CallId.parse(id), content: [text(output)], isError: false });
const thinking: Block = { type: "thinking", text: "hm", signature: "s", by: { provider: "p", model: "m" } };

const cases: readonly (readonly [string, readonly Message[], readonly HistoryProblem[]])[] = [
  ["nothing wrong", [user(text("a")), assistant(text("b"), use("1"), use("2")), user(result("1"), result("2"), text("c"))], []],
  ["a call without its answer", [user(text("a")), assistant(use("1")), user(text("b"))], [{ kind: "orphan_call", at: 1, id: "1" }]],
  ["a call at the end", [user(text("a")), assistant(use("1"))], [{ kind: "orphan_call", at: 1, id: "1" }]],
  ["a result nobody asked for", [user(text("a")), assistant(text("b")), user(result("9"))], [{ kind: "dangling_result", at: 2, id: "9" }]],
  [
    "an answer one message too late",
    [user(text("a")), assistant(use("1")), user(text("b")), assistant(text("c")), user(result("1"))],
    [
      { kind: "orphan_call", at: 1, id: "1" },
      { kind: "dangling_result", at: 4, id: "1" },
    ],
  ],
  ["two results for one call", [user(text("a")), assistant(use("1")), user(result("1"), result("1"))], [{ kind: "duplicate_id", at: 2, id: "1" }]],
  [
    "one id twice",
    [user(text("a")), assistant(use("1")), user(result("1")), assistant(use("1")), user(result("1"))],
    [{ kind: "duplicate_id", at: 3, id: "1" }],
  ],
  ["results in another order", [user(text("a")), assistant(use("1"), use("2")), user(result("2"), result("1"))], [{ kind: "result_order", at: 2 }]],
  ["words before the results", [user(text("a")), assistant(use("1")), user(text("x"), result("1"))], [{ kind: "result_order", at: 2 }]],
  ["blank text", [user(text(" \n"), text("a"))], [{ kind: "blank_text", at: 0 }]],
  ["a blank result", [user(text("a")), assistant(use("1")), user(result("1", ""))], [{ kind: "blank_text", at: 2 }]],
  ["a message with nothing in it", [user(text("a")), assistant(), user(text("b"))], [{ kind: "empty_message", at: 1 }]],
  ["the same role twice", [user(text("a")), user(text("b"))], [{ kind: "role_repeat", at: 1 }]],
  ["a call in a user message", [user(text("a"), use("1"))], [{ kind: "misplaced_block", at: 0 }]],
  ["thinking at the end of a reply", [user(text("a")), assistant(text("b"), thinking)], [{ kind: "trailing_thinking", at: 1 }]],
  ["half a character", [user(text("\ud83d"))], [{ kind: "not_well_formed", at: 0 }]],
  ["an id that no protocol takes", [user(text("a")), assistant(use("bash:0")), user(result("bash:0"))], [{ kind: "bad_id", at: 1 }]],
  ["a tool name that no protocol takes", [user(text("a")), assistant(use("1", "my tool!")), user(result("1"))], [{ kind: "bad_name", at: 1 }]],
];

describe("checkHistory", () => {
  it.each(cases)("%s", (_name, history, problems) => {
    expect(checkHistory(history, false)).toEqual(problems);
    const checker = createHistoryChecker();
    expect([checker(history, false), checker(history, false)]).toEqual([problems, problems]);
  });

  it("finds the same in a history that grows, shrinks and changes, however often it looked before", () => {
    const pool = [
      ...cases.flatMap(([, history]) => history),
      ...Array.from({ length: 6 }, (_, n) => assistant(use(`g${n}`))),
      ...Array.from({ length: 6 }, (_, n) => user(result(`g${n}`))),
    ];
    const change = fc.record({ what: fc.constantFrom("push", "push", "pair", "pop", "replace"), n: fc.nat(pool.length - 1), at: fc.nat(30) });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const checker = createHistoryChecker();
        let history: readonly Message[] = [];
        for (const { what, n, at } of changes) {
          const message = pool[n] ?? user();
          if (what === "push") history = [...history, message];
          else if (what === "pair") history = [...history, assistant(use(`p${history.length}`)), user(result(`p${history.length}`))];
          else if (what === "pop") history = history.slice(0, -1);
          else history = history.map((one, k) => (k === at ? message : one));
          expect(checker(history, true)).toEqual(checkHistory(history, true));
        }
      }),
      { numRuns: 300 },
    );
  });

  it("asks more of a history that is to be sent", () => {
    expect(checkHistory([assistant(text("a"))], true)).toEqual([
      { kind: "first_not_user", at: 0 },
      { kind: "last_not_user", at: 0 },
    ]);
    expect(checkHistory([], true)).toEqual([
      { kind: "first_not_user", at: 0 },
      { kind: "last_not_user", at: 0 },
    ]);
    expect(checkHistory([user(text("a"))], true)).toEqual([]);
  });
});
