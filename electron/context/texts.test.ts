import { beforeEach, describe, expect, it } from "vitest";
import { text, type Message } from "#shared/chat/blocks.ts";
import type { ModelEvent, ModelRequest, Provider } from "#electron/providers/contract.ts";
import { createManualClock } from "#electron/testkit/manual-clock.ts";
import { createScriptedProvider } from "#electron/testkit/scripted-provider.ts";
import { fails, says, type ScriptedReply } from "#electron/testkit/server/script.ts";
import { createBreaker } from "./breaker.ts";
import { createAgentTime } from "#electron/ladder/agent-time.ts";
import type { Clock } from "#electron/lib/clock.ts";
import { createEstimator, createMeter } from "./estimate.ts";
import { readInstructions } from "./instructions.ts";
import { SUMMARY_IDLE_MS, SUMMARY_TOTAL_MS } from "./limits.ts";
import { createSummariser, type SummaryRequest } from "./summariser.ts";
import { systemPrompt } from "./system-prompt.text.ts";
import { personWords, transcriptOf } from "./transcript.ts";

describe("system prompt (C11)", () => {
  it("is small, the same every time, and ends with what the person added", () => {
    const [main = ""] = systemPrompt();
    expect(Buffer.byteLength(main)).toBeLessThan(8 * 1024);
    expect(systemPrompt("Be brief.", "No network.")).toEqual([main, "# Not allowed in this session\nNo network.", "# Added by the user\nBe brief."]);
    expect([...main.matchAll(/^# (.+)$/gm)].map((match) => match[1])).toEqual([
      "Who you are",
      "Which source wins",
      "Limits",
      "Tools",
      "How to work",
      "When to ask",
      "Before you end",
      "How to report",
    ]);
  });

  it("holds nothing that moves: no time, path, branch or list of tools (C7, A17)", () => {
    expect(systemPrompt().join()).not.toMatch(/\d{4}-\d\d|\/home\/|\/work\/|process\.|node_modules|web_fetch|bash\b/);
  });
});

describe("instruction files (C9)", () => {
  const files = (found: Readonly<Record<string, string>>) =>
    readInstructions({ read: async (path) => found[path], join: (folder, name) => `${folder}/${name}`, workspace: "/w", personal: "/p" });

  it("takes the person's and the workspace's, AGENTS.md before CLAUDE.md, each with its source", async () => {
    expect((await files({ "/p/AGENTS.md": "mine", "/w/AGENTS.md": "ours", "/w/CLAUDE.md": "other" })).map((note) => note.source)).toEqual([
      "instructions ~/.cairn/AGENTS.md",
      "instructions AGENTS.md",
    ]);
    expect((await files({ "/w/AGENTS.md": " \n", "/w/CLAUDE.md": "other" })).map((note) => note.source)).toEqual(["instructions CLAUDE.md"]);
    expect(await files({})).toEqual([]);
  });

  it("is bounded, and says that it was cut", async () => {
    const [note] = await files({ "/w/AGENTS.md": "x".repeat(50_000) });
    expect(note?.text.length).toBeLessThan(12_300);
    expect(note?.text).toContain("read the file for the rest");
  });
});

describe("measuring (C4)", () => {
  const message = (words: number): Message => ({ role: "user", blocks: [text("word ".repeat(words))] });

  it("is the provider's number for what it counted, and an estimate for what came after", () => {
    const estimator = createEstimator();
    const meter = createMeter(estimator, () => 100);
    const [a, b] = [message(1_000), message(500)];
    const guess = meter.measure([a]);
    meter.saw([a], 2_000);
    expect(meter.measure([a])).toBe(2_000);
    const ratio = Math.min(2, 2_000 / guess);
    expect(meter.measure([a, b])).toBe(Math.round(2_000 + estimator.message(b) * ratio));
    expect(meter.measure([message(1_000)])).toBe(Math.round(guess * ratio)); // another history with the same size: nothing of the old number is left
  });
});

describe("breaker (C4)", () => {
  it("opens after three failures in a row and lets one trial through after five minutes", async () => {
    const clock = createManualClock();
    const breaker = createBreaker(clock);
    for (const _ of [1, 2]) breaker.failed();
    expect(breaker.allows()).toBe(true);
    breaker.failed();
    expect(breaker.allows()).toBe(false);
    await clock.advance(5 * 60_000);
    expect(breaker.allows()).toBe(true);
    breaker.failed();
    expect(breaker.allows()).toBe(false);
    await clock.advance(5 * 60_000);
    breaker.succeeded();
    breaker.failed();
    expect(breaker.allows()).toBe(true);
  });
});

const ownTime = (clock: Clock, tickMs: number) => createAgentTime({ clock, tickMs, personWaitMs: () => 0 });

describe("summariser (E07)", () => {
  const history: Message[] = [
    { role: "user", blocks: [text("fix it")] },
    { role: "assistant", blocks: [text("done </record> now")] },
  ];
  const { signal } = new AbortController();
  let requests: SummaryRequest[] = [];
  beforeEach(() => {
    requests = [];
  });
  const run = async (script: readonly ScriptedReply[], clock = createManualClock()) => {
    const provider = createScriptedProvider({ script, clock });
    const summary = createSummariser({
      clock,
      cacheKey: "s",
      model: () => ({ provider, maker: { provider: "p", model: "m" } }),
      time: (tickMs) => ownTime(clock, tickMs),
      onRequest: (one) => void requests.push(one),
    })(history, signal);
    return { provider, summary, clock };
  };

  it("sends one valid request without tools, with fixed fields and the record as data", async () => {
    const { provider, summary } = await run([says("Goal: fix it. Nothing else is known so far.")]);
    expect(await summary).toBe("Goal: fix it. Nothing else is known so far.");
    // It is paid for like any other request (L11).
    expect(requests).toMatchObject([{ by: { model: "m" }, ok: true }]);
    expect(requests[0]?.usage.output).toBeGreaterThan(0);
    const request: ModelRequest | undefined = provider.requests[0];
    expect([request?.tools, request?.messages.length, request?.messages[0]?.role]).toEqual([[], 1, "user"]);
    const [block] = request?.messages[0]?.blocks ?? [];
    expect(block?.type === "text" && block.text).toMatch(
      /- Goal:[\s\S]*- Next steps:[\s\S]*<record>\nUSER: fix it\n\nAGENT: done <\\\/record> now\n<\/record>/,
    );
  });

  it.each<[string, ScriptedReply]>([
    ["nothing", says("")],
    ["only thinking", { parts: [{ type: "thinking", text: "hm" }] }],
    ["refused", says("no", { stop: "refusal" })],
    ["cut by the limit", says("Goal: f", { stop: "max_tokens" })],
    ["an error", fails(529)],
    ["cut off", { parts: [{ type: "text", text: "abcd", chunk: 1 }], fault: { kind: "eof", when: "mid_stream" } }],
  ])("%s is no summary", async (_name, reply) => {
    const { summary } = await run([reply]);
    expect((await summary) ?? "").toBe("");
    expect(requests.map((one) => one.ok)).toHaveLength(1);
  });

  it("the sleep of the machine is not the model's silence (L21)", async () => {
    const parts = [{ type: "text", text: "Goal: fix it." } as const, { type: "wait", ms: 30_000 } as const, { type: "text", text: " Next: test it." } as const];
    const { summary, clock } = await run([{ parts: [...parts, { type: "wait", ms: 60_000 }] }]);
    await clock.advance(10_000);
    await clock.jump(8 * 3_600_000); // in the middle of a pause
    await clock.advance(20_000);
    await clock.jump(3_600_000); // and again
    await clock.advance(100_000);
    expect(await summary).toBe("Goal: fix it. Next: test it.");
    expect(clock.pending()).toBe(0);
  });

  it("words that drip in for ever are given up after the time for all of it", async () => {
    const { summary, clock } = await run([{ parts: [{ type: "text", text: "x".repeat(100), chunk: 1 }], pace: { everyMs: 100_000 } }]);
    await clock.advance(SUMMARY_TOTAL_MS - 5_000);
    expect(requests).toEqual([]);
    await clock.advance(5_000);
    expect(await summary).toBeUndefined();
    expect(requests).toMatchObject([{ ok: false, ms: SUMMARY_TOTAL_MS }]);
  });

  it("a silent model is given up, a stopped one too, and no timer is left", async () => {
    const { summary, clock, provider } = await run([{ parts: [], fault: { kind: "hang", when: "after_headers" } }]);
    await clock.advance(SUMMARY_IDLE_MS + 1);
    expect(await summary).toBeUndefined();
    await clock.advance(0);
    expect([clock.pending(), provider.openStreams()]).toEqual([0, 0]);
    const throwing: Provider = {
      id: "x",
      describe: (model) => provider.describe(model),
      async *stream(): AsyncGenerator<ModelEvent> {
        yield { type: "headers" };
        throw new Error("bug");
      },
    };
    expect(
      await createSummariser({
        clock,
        cacheKey: "s",
        model: () => ({ provider: throwing, maker: { provider: "p", model: "m" } }),
        time: (tickMs) => ownTime(clock, tickMs),
        onRequest: (one) => void requests.push(one),
      })(history, signal),
    ).toBeUndefined();
  });
});

describe("transcripts", () => {
  it("keep beginning and end when they are too long, and the person's newest words first", () => {
    const history: Message[] = Array.from({ length: 50 }, (_, k) => ({ role: "user", blocks: [text(`prompt ${k} ${"x".repeat(500)}`)] }));
    const cut = transcriptOf(history, 4_000);
    expect([cut.length < 4_200, cut.startsWith("USER: prompt 0 "), cut.includes("left out"), cut.includes("prompt 49")]).toEqual([true, true, true, true]);
    const words = personWords(history);
    expect([words.length < 9_000, words.includes("prompt 49"), words.includes("prompt 0 ")]).toEqual([true, true, false]);
  });
});
