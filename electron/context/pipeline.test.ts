import { describe, expect, it } from "vitest";
import { plainText, text, type Block, type Message } from "#shared/chat/blocks.ts";
import { checkHistory } from "#shared/chat/history-check.ts";
import { hasNote } from "#shared/chat/note.ts";
import { CallId } from "#shared/lib/ids.ts";
import type { ModelInfo } from "#electron/providers/contract.ts";
import { createManualClock } from "#electron/testkit/manual-clock.ts";
import type { FixedPart } from "./contract.ts";
import { BREAKER_OPEN_MS, CACHE_WARM_MS } from "./limits.ts";
import { createContextPipeline, type ContextDeps } from "./pipeline.ts";
import { marksFor } from "./thresholds.ts";
import type { ContextFacts } from "./turn-notes.ts";

const { signal } = new AbortController();
const info = (window: number | undefined): ModelInfo => ({
  window,
  maxOutput: 8_192,
  maxOutputCeiling: 32_000,
  dialect: "anthropic",
  images: true,
  prices: undefined,
});
const words = (tokens: number) => "word ".repeat(tokens);
const SUMMARY = "Goal: all tests pass. Next steps: run them again.";

const user = (...blocks: readonly Block[]): Message => ({ role: "user", blocks });
const pair = (id: string, tokens: number, name = "read"): readonly Message[] => [
  { role: "assistant", blocks: [{ type: "tool_use", id: CallId.parse(id), name, input: { file_path: id } }] },
  user({ type: "tool_result", id: CallId.parse(id), content: [text(words(tokens))], isError: false }),
];
const steps = (count: number, tokens: number, name?: string) => Array.from({ length: count }, (_, k) => pair(`c${k}`, tokens, name)).flat();

const NO_FACTS: ContextFacts = {
  folderMap: async () => undefined,
  instructions: async () => [],
  moment: async () => [],
  now: () => new Date(0),
  goal: () => undefined,
  todos: () => [],
  hypotheses: () => [],
  decisions: () => [],
  changedFiles: () => [],
};

function setup(change: Partial<ContextDeps> = {}) {
  const clock = createManualClock();
  const summaries: (readonly Message[])[] = [];
  const fixed: FixedPart = { system: [words(1_000)], tools: [] };
  const pipeline = createContextPipeline({
    fixed: () => fixed,
    isReproducible: (tool) => tool === "read",
    facts: NO_FACTS,
    clock,
    summarise: async (messages) => {
      summaries.push(messages);
      return SUMMARY;
    },
    ...change,
  });
  return { pipeline, clock, summaries };
}

describe("thresholds (C2)", () => {
  it.each([
    [200_000, { layers: 80_000, summary: 60_000, cut: 40_000, last: 3_000, aim: 0 }],
    [160_000, { layers: 80_000, summary: 60_000, cut: 40_000, last: 3_000, aim: 0 }],
    [128_000, { layers: 64_000, summary: 48_640, cut: 32_000, last: 3_000, aim: 0 }],
    [60_000, { layers: 6_000, summary: 6_000, cut: 6_000, last: 1_800, aim: 18_000 }],
    [32_000, { layers: 3_200, summary: 3_200, cut: 3_200, last: 960, aim: 9_600 }],
  ])("window of %i", (window, marks) => {
    expect(marksFor(window, { maxOutput: 8_192 })).toEqual(marks);
  });

  it("a completion buffer is a floor, never taken off as well", () => {
    expect(marksFor(1_000_000, { maxOutput: 128_000 })).toEqual({ layers: 100_000, summary: 100_000, cut: 100_000, last: 3_000, aim: 0 });
  });
});

describe("fit by thresholds", () => {
  it("leaves a history alone that has room", async () => {
    const { pipeline } = setup();
    expect(await pipeline.fit([user(text("go")), ...steps(10, 5_000)], info(200_000), "thresholds", signal)).toEqual({ kind: "fits" });
  });

  it("clears old results below 80 000 tokens left, without a model, measured (C1, C4)", async () => {
    const { pipeline, summaries } = setup();
    const history = [user(text("go")), ...steps(26, 5_000)];
    const outcome = await pipeline.fit(history, info(200_000), "thresholds", signal);
    if (outcome.kind !== "compacted") throw new Error(outcome.kind);
    expect([outcome.before, outcome.before > outcome.after, pipeline.measure(outcome.history) === outcome.after, summaries.length]).toEqual([
      pipeline.measure(history),
      true,
      true,
      0,
    ]);
    expect(200_000 - outcome.after).toBeGreaterThan(80_000);
    expect(checkHistory(outcome.history, true)).toEqual([]);
    expect(outcome.history.slice(-4)).toEqual(history.slice(-4));
  });

  it("asks for a summary only when that is not enough below 60 000 (C1)", async () => {
    const { pipeline, summaries } = setup();
    const prompts = Array.from({ length: 30 }, (_, k): Message[] => [user(text(`${k} ${words(5_000)}`)), { role: "assistant", blocks: [text("done")] }]).flat();
    const outcome = await pipeline.fit([...prompts, user(text("the newest prompt"))], info(200_000), "thresholds", signal);
    if (outcome.kind !== "compacted") throw new Error(outcome.kind);
    expect([outcome.layers.at(-1), summaries.length]).toEqual([5, 1]);
    expect(hasNote(outcome.history, "summary")).toBe(true);
    expect(plainText(outcome.history.at(-1)?.blocks ?? [])).toContain("the newest prompt");
  });

  it("leaves the prefix alone while the provider's cache is warm, until 60 000 are left (C3)", async () => {
    const { pipeline, clock } = setup();
    const history = [user(text("go")), ...steps(26, 5_000)];
    pipeline.saw(history.slice(0, -1), pipeline.measure(history.slice(0, -1)));
    expect((await pipeline.fit(history, info(200_000), "thresholds", signal)).kind).toBe("fits");
    await clock.advance(CACHE_WARM_MS);
    expect((await pipeline.fit(history, info(200_000), "thresholds", signal)).kind).toBe("compacted");
  });

  it("a small gain between the marks is not worth a new prefix", async () => {
    const { pipeline } = setup();
    const prompts = Array.from({ length: 13 }, (_, k): Message[] => [
      user(text(`${k} ${words(10_000)}`)),
      { role: "assistant", blocks: [text("done")] },
    ]).flat();
    expect((await pipeline.fit([...prompts, ...pair("1", 200), user(text("now"))].slice(0, -1), info(200_000), "thresholds", signal)).kind).toBe("fits");
  });

  it("an unknown window is never window 0 (E05)", async () => {
    const { pipeline } = setup();
    expect((await pipeline.fit([user(text("go")), ...steps(50, 9_000)], info(undefined), "thresholds", signal)).kind).toBe("fits");
  });

  it("a fixed part above the mark switches it off at once and names the biggest parts (E05)", async () => {
    const fixed: FixedPart = { system: [words(1_000)], tools: [{ name: "t", description: words(28_000), schema: {}, strictAllowed: true }] };
    const { pipeline, summaries } = setup({ fixed: () => fixed });
    for (let n = 0; n < 3; n++) {
      const outcome = await pipeline.fit([user(text("hi"))], info(32_000), "thresholds", signal);
      expect(outcome).toMatchObject({ kind: "failed", why: "fixed_part_too_big" });
      expect(outcome.kind === "failed" && outcome.biggest[0]).toMatchObject({ name: "tools" });
    }
    expect(summaries.length).toBe(0);
  });

  it("two compactions that do not get below the mark are the last ones of the session (E05)", async () => {
    const { pipeline, summaries } = setup();
    const huge = [user(text(words(28_500)))];
    const outcomes = [];
    for (let n = 0; n < 4; n++) outcomes.push(await pipeline.fit(huge, info(32_000), "thresholds", signal));
    expect(outcomes.map((outcome) => outcome.kind === "failed" && outcome.why)).toEqual(["no_gain", "no_gain", "no_gain", "no_gain"]);
    expect(summaries.length).toBe(0);
    // Off for the session: even a history that could be shortened is left to the provider's own verdict.
    const long = [user(text("go")), ...steps(40, 5_000)];
    expect(await pipeline.fit(long, info(200_000), "thresholds", signal)).toMatchObject({ kind: "failed", why: "no_gain" });
    expect((await pipeline.fit(long, info(200_000), "overflow", signal)).kind).toBe("compacted");
  });
});

describe("a summary that fails (E07)", () => {
  const prompts = Array.from({ length: 30 }, (_, k): Message[] => [user(text(`${k} ${words(5_000)}`)), { role: "assistant", blocks: [text("done")] }]).flat();
  const history = [...prompts, user(text("the newest prompt"))];

  it.each([
    ["nothing", undefined],
    ["blank", "   \n"],
    ["too short to say anything", "ok"],
  ])("%s: the history stays, no second try in the same turn", async (_name, summary) => {
    let asked = 0;
    const { pipeline } = setup({ summarise: async () => ((asked += 1), summary) });
    for (let n = 0; n < 3; n++) expect(await pipeline.fit(history, info(200_000), "thresholds", signal)).toMatchObject({ kind: "failed" });
    expect(asked).toBe(1);
    await pipeline.turnNotes(history);
    await pipeline.fit(history, info(200_000), "overflow", signal);
    expect(asked).toBe(2);
  });

  it("Stop in the middle leaves everything as it was", async () => {
    const stop = new AbortController();
    const { pipeline } = setup({ summarise: async () => (stop.abort(), SUMMARY) });
    expect(await pipeline.fit(history, info(200_000), "thresholds", stop.signal)).toMatchObject({ kind: "failed", why: "aborted" });
  });

  it("three failures open the breaker for five minutes, then one trial (C4)", async () => {
    let asked = 0;
    const { pipeline, clock } = setup({ summarise: async () => ((asked += 1), undefined) });
    const inThisTurn = async () => {
      await pipeline.turnNotes(history);
      const outcome = await pipeline.fit(history, info(200_000), "thresholds", signal);
      return outcome.kind === "failed" ? outcome.why : outcome.kind;
    };
    const before = [await inThisTurn(), await inThisTurn()];
    expect(before).toEqual(["summary_failed", "summary_failed"]);
    await pipeline.fit([user(text(words(150_000)))], info(undefined), "overflow", signal);
    expect([await inThisTurn(), asked]).toEqual(["breaker_open", 2]);
    await clock.advance(BREAKER_OPEN_MS);
    expect([await inThisTurn(), asked]).toEqual(["summary_failed", 3]);
  });
});

describe("overflow and lighten", () => {
  it("makes an overflow much smaller even when the window is unknown", async () => {
    const { pipeline } = setup();
    const history = [user(text("go")), ...steps(20, 3_000, "edit")];
    const outcome = await pipeline.fit(history, info(undefined), "overflow", signal);
    if (outcome.kind !== "compacted") throw new Error(outcome.kind);
    expect(outcome.after).toBeLessThanOrEqual(outcome.before * 0.5);
    expect(checkHistory(outcome.history, true)).toEqual([]);
  });

  it("cuts the newest results when nothing else is left to cut", async () => {
    const { pipeline } = setup();
    const outcome = await pipeline.fit([user(text("go")), ...pair("1", 150_000)], info(200_000), "overflow", signal);
    expect(outcome).toMatchObject({ kind: "compacted", layers: [7] });
  });

  it("says honestly that words of the person cannot be made smaller", async () => {
    const { pipeline } = setup();
    const outcome = await pipeline.fit([user(text(words(300_000)))], info(200_000), "overflow", signal);
    expect(outcome).toMatchObject({ kind: "failed", why: "no_gain", biggest: [{ name: "message" }, { name: "system" }, { name: "tools" }] });
  });

  it("lightens without a model, whatever the window", async () => {
    const { pipeline, summaries } = setup();
    const outcome = await pipeline.fit([user(text("go")), ...steps(10, 3_000)], info(200_000), "lighten", signal);
    expect([outcome.kind, summaries.length]).toEqual(["compacted", 0]);
  });
});

describe("what returns and what travels (C5, C7 to C10)", () => {
  const facts: ContextFacts = {
    folderMap: async () => "src (ts)\ntests: npm test",
    instructions: async () => [{ source: "instructions AGENTS.md", text: "Use tabs." }],
    moment: async () => ["branch main, 2 files changed"],
    now: () => new Date(0),
    goal: () => ({ text: "ship it", budget: { unit: "steps", limit: 9 }, used: 0, state: "open" }),
    todos: () => [{ text: "one", status: "pending" }],
    hypotheses: () => [{ id: "h1", claim: "the cache is stale", falsifier: "a cold start fails too", state: "open" }],
    decisions: () => [],
    changedFiles: () => ["src/a.ts"],
  };

  it("the first turn gets map, instructions and moment; later ones only the moment", async () => {
    const { pipeline } = setup({ facts });
    const first = await pipeline.turnNotes([user(text("go"))]);
    expect(first.map((note) => note.source)).toEqual(["folder_map", "instructions AGENTS.md", "now"]);
    expect(first.at(-1)?.text).toContain("branch main");
    const { withNotes } = await import("#electron/loop/state.ts");
    expect((await pipeline.turnNotes(withNotes([user(text("go"))], first))).map((note) => note.source)).toEqual(["now"]);
  });

  it("after a compaction goal, to-do list, hypotheses and changed files come back, and what was lost of the rest", async () => {
    const { pipeline } = setup({ facts });
    expect((await pipeline.returningNotes([user(text("summary"))])).map((note) => note.source)).toEqual([
      "folder_map",
      "instructions AGENTS.md",
      "goal",
      "todos",
      "hypotheses",
      "changed_files",
    ]);
  });

  it("a count of the provider that cannot be right does not measure: making smaller is judged by one ruler (C4)", async () => {
    const { pipeline } = setup();
    const history = [user(text("go")), ...steps(6, 2_500)];
    pipeline.saw(history, 100);
    const outcome = await pipeline.fit(history, info(200_000), "overflow", signal);
    expect(outcome.kind).toBe("compacted");
    if (outcome.kind === "compacted") expect(outcome.after).toBeLessThan(outcome.before);
  });

  it("what the person rejected outlives a summary word for word (C5)", async () => {
    const { pipeline } = setup();
    const history: Message[] = [
      user(text("Make it faster")),
      { role: "assistant", blocks: [text("I would rewrite it in plan A.")] },
      user(text("No, not plan A. Never touch the cache.")),
      ...Array.from({ length: 60 }, (_, k): Message[] => [{ role: "assistant", blocks: [text(words(2_500))] }, user(text(`next ${k}`))]).flat(),
    ];
    const outcome = await pipeline.fit(history, info(200_000), "overflow", signal);
    if (outcome.kind !== "compacted") throw new Error(outcome.kind);
    expect(JSON.stringify(outcome.history)).toContain("No, not plan A. Never touch the cache.");
  });
});
