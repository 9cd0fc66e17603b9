import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contentText, text, type Block, type Message } from "#shared/chat/blocks.ts";
import { checkHistory } from "#shared/chat/history-check.ts";
import { CallId } from "#shared/lib/ids.ts";
import { validHistory } from "#electron/testkit/history-generator.ts";
import { createEstimator } from "./estimate.ts";
import { clearOld, cutNewest, hardCut, lossless, oldestPairs, oversized, personBlocks, type LayerContext } from "./layers.ts";
import { resultsIn } from "./results.ts";
import { cutBefore, summarised } from "./summarise.ts";

const reproducible = new Set(["read", "bash"]);
const cx = (enough: LayerContext["enough"] = () => false): LayerContext => ({ isReproducible: (tool) => reproducible.has(tool), enough });
const user = (...blocks: readonly Block[]): Message => ({ role: "user", blocks });
const assistant = (...blocks: readonly Block[]): Message => ({ role: "assistant", blocks });
const use = (id: string, name = "read", input: unknown = { file_path: "a" }): Block => ({ type: "tool_use", id: CallId.parse(id), name, input });
const result = (id: string, output: string): Block => ({ type: "tool_result", id: CallId.parse(id), content: [text(output)], isError: false });
const pair = (id: string, output: string, name = "read", input: unknown = { file_path: id }) => [assistant(use(id, name, input)), user(result(id, output))];
/** Two pairs and a prompt: what "the last four messages" protects. */
const newest = [...pair("y", "new"), ...pair("z", "new")];
const outputs = (history: readonly Message[]) => Object.fromEntries(resultsIn(history).map(({ result: block }) => [block.id, contentText(block.content)]));
const BIG = "x ".repeat(400);

describe("layer 0: nothing is lost", () => {
  it("a read that a later one superseded, and exact repeats", () => {
    const history = [
      user(text("go")),
      ...pair("1", `old ${BIG}`, "read", { file_path: "a" }),
      ...pair("2", BIG, "edit"),
      ...pair("3", `new ${BIG}`, "read", { file_path: "a" }),
      ...pair("4", BIG, "edit"),
      ...newest,
    ];
    const after = outputs(lossless(history, cx()));
    expect(after["1"]).toContain("made again later");
    expect(after["2"]).toContain("exactly the same content");
    expect([after["3"], after["4"]]).toEqual([`new ${BIG}`, BIG]);
  });

  it("an old edit with the same input is not superseded: its output cannot be had again", () => {
    const history = [user(text("go")), ...pair("1", `one ${BIG}`, "edit", { n: 1 }), ...pair("2", `two ${BIG}`, "edit", { n: 1 }), ...newest];
    expect(lossless(history, cx())).toBe(history);
  });

  it("pictures that were delivered, but not the newest", () => {
    const picture: Block = { type: "tool_result", id: CallId.parse("1"), content: [{ type: "image", ref: "r", mediaType: "image/png" }], isError: false };
    const shown = [user(text("go")), assistant(use("1")), user(picture), ...newest];
    expect(outputs(lossless(shown, cx()))["1"]).toBe("[picture, already shown]");
    const fresh = [user(text("go")), assistant(use("1")), user(picture)];
    expect(lossless(fresh, cx())).toBe(fresh);
  });
});

describe("layer 1: oversized old results", () => {
  it("each over 10 000 tokens, and the oldest of more than 50 000 in all", () => {
    const words = (tokens: number) => "word ".repeat(tokens);
    const many = Array.from({ length: 8 }, (_, k) => pair(`m${k}`, words(8_000), "edit")).flat();
    const after = outputs(oversized([user(text("go")), ...pair("big", words(12_000)), ...many, ...newest], cx()));
    expect(after["big"]).toContain("about 12000 tokens");
    expect([after["m0"], after["m1"]].every((output) => output?.startsWith("[Removed"))).toBe(true);
    expect(after["m7"]).toBe(words(8_000));
    const small = [user(text("go")), ...pair("1", words(9_000)), ...newest];
    expect(oversized(small, cx())).toBe(small);
  });
});

describe("layers 2 and 6: oldest pairs", () => {
  const history = [
    user(text("go")),
    ...Array.from({ length: 8 }, (_, k) => pair(`p${k}`, `out ${k}`)).flat(),
    user(text("next, not like that")),
    assistant(text("ok")),
    user(text("now")),
  ];
  const wellFormed: readonly Message[] = [
    ...history.slice(0, 17),
    assistant(text("done")),
    user(text("next, not like that")),
    assistant(text("ok")),
    user(text("now")),
  ];

  it("at most half, six stay, and the person's words stay", () => {
    const after = oldestPairs(wellFormed, cx());
    expect(after.length).toBe(wellFormed.length - 10);
    expect(Object.keys(outputs(after))).toEqual(["p5", "p6", "p7"]);
    expect(after[0]?.blocks[0]).toEqual(text("go"));
  });

  it("stops when it is enough", () => {
    expect(
      oldestPairs(
        wellFormed,
        cx((now) => now.length <= wellFormed.length - 4),
      ).length,
    ).toBe(wellFormed.length - 4);
  });

  it("the hard cut goes on until little is left, and says so once", () => {
    const after = hardCut(wellFormed, cx());
    expect(after.length).toBeLessThan(6);
    expect(JSON.stringify(after).match(/Earlier steps/g)?.length).toBe(1);
    expect(after.flatMap(personBlocks)).toEqual([text("go"), text("next, not like that"), text("now")]);
  });
});

describe("layer 3: old results", () => {
  it("those that can be had again go, of the others 200 characters stay", () => {
    const history = [user(text("go")), ...pair("1", BIG), ...pair("2", BIG, "edit"), ...pair("3", "short"), ...newest];
    const after = outputs(clearOld(history, cx()));
    expect(after["1"]).toBe("[Removed to save space: old result of read; call the tool again if you need it]");
    expect(after["2"]).toBe(`${BIG.slice(0, 200)}\n[Removed to save space: the rest of this old result of edit]`);
    expect(after["3"]).toBe("short");
  });

  it("never twice, and oldest first until it is enough", () => {
    const history = [user(text("go")), ...pair("1", BIG), ...pair("2", BIG), ...newest];
    const once = clearOld(history, cx());
    expect(clearOld(once, cx())).toBe(once);
    expect(
      outputs(
        clearOld(
          history,
          cx((now) => outputs(now)["1"] !== BIG),
        ),
      )["2"],
    ).toBe(BIG);
  });
});

describe("any layer on any history (C6, E06)", () => {
  const layers = { lossless, oversized, oldestPairs, hardCut, clearOld, cutNewest };
  it.each(Object.entries(layers))("%s keeps calls and results together", (_name, layer) => {
    fc.assert(
      fc.property(validHistory, (history) => {
        const after = layer(history, cx());
        expect(checkHistory(after, true)).toEqual([]);
        expect(after.flatMap(personBlocks)).toEqual(history.flatMap(personBlocks));
        expect(createEstimator().history(layer(after, cx()))).toBeLessThanOrEqual(createEstimator().history(after) + 30);
      }),
    );
  });

  it("a summary never parts a pair, whatever the size of the tail, and keeps the newest prompt word for word", async () => {
    await fc.assert(
      fc.asyncProperty(validHistory, fc.integer({ min: 0, max: 400 }), async (history, tailTokens) => {
        const after = await summarised({
          history,
          tailTokens,
          estimator: createEstimator(),
          summarise: async () => "a summary that says what was done so far",
          signal: new AbortController().signal,
        });
        if (typeof after === "string") return;
        expect(checkHistory(after, true)).toEqual([]);
        expect(after.flatMap(personBlocks).at(-1)).toEqual(history.flatMap(personBlocks).at(-1));
      }),
    );
  });

  it("the tail begins between pairs", () => {
    const estimator = createEstimator();
    const history = [user(text("go")), ...pair("1", "a"), ...pair("2", "b"), ...pair("3", "c")];
    expect([cutBefore(history, 0, estimator), cutBefore(history, 1_000_000, estimator)]).toEqual([5, 3]);
  });
});
