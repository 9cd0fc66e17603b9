// Every reason to go on that no other engine test reaches (L7), through the whole product: real tools, hooks, context and files over
// the local model server. What is asserted is what was measured and what the person gets.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ContinueReason } from "#shared/loop/reasons.ts";
import { headlessFixture } from "#electron/testkit/headless-run.ts";
import { startModelServer } from "#electron/testkit/server/model-server.ts";
import { callPart, calls, fails, says, type ScriptedReply } from "#electron/testkit/server/script.ts";

type Row = {
  readonly reason: ContinueReason;
  readonly prompt?: string;
  readonly settings?: (folder: string) => object;
  readonly replies: readonly ScriptedReply[];
  /** all reasons of the run, in order */
  readonly reasons: readonly ContinueReason[];
  readonly out: string;
  readonly code?: number;
  readonly err?: RegExp;
  /** what the last request must hold */
  readonly told?: RegExp;
};

const LONG = "many words ".repeat(60);
const TOO_LONG = fails(400, { message: "prompt is too long: 300000 tokens > 200000 maximum" });
const bigRead = (n: number) => calls("read", { file_path: "big.txt", offset: 1 + n * 400, limit: 400 });
const readSome = Array.from({ length: 8 }, (_, n) => bigRead(n));
const toolUse = (times: number): readonly ContinueReason[] => Array.from({ length: times }, () => "tool_use");
const todos = (status: string) => calls("todo_write", { todos: [{ content: "run the tests", status }] });
const failingOnce = (folder: string) => ({
  hooks: { Stop: [{ hooks: [{ command: `test -f ${folder}/ran || { touch ${folder}/ran; echo 2 tests fail >&2; exit 2; }` }] }] },
});

const ROWS: readonly Row[] = [
  {
    reason: "max_tokens_escalate",
    replies: [says(LONG, { stop: "max_tokens" }), says("the end.")],
    reasons: ["max_tokens_escalate"],
    out: `${LONG}the end.`,
  },
  {
    reason: "max_tokens_continuation",
    replies: [says(LONG, { stop: "max_tokens" }), says(LONG, { stop: "max_tokens" }), says("the end.")],
    reasons: ["max_tokens_escalate", "max_tokens_continuation"],
    out: `${LONG}${LONG}the end.`,
    told: /Continue exactly where it stopped/,
  },
  {
    reason: "reactive_compact",
    replies: [...readSome, TOO_LONG, says("It fits now.")],
    reasons: [...toolUse(8), "reactive_compact"],
    out: "It fits now.",
    told: /removed to save space|Removed to save space/,
  },
  {
    reason: "context_overflow_retry",
    replies: [...readSome, says("half of it", { stop: "context_window" }), says("All of it.")],
    reasons: [...toolUse(8), "context_overflow_retry"],
    out: "All of it.",
    told: /removed to save space|Removed to save space/,
  },
  {
    reason: "stop_hook_retry",
    settings: failingOnce,
    replies: [says("Done."), says("Fixed.")],
    reasons: ["stop_hook_retry"],
    out: "Done.\n\nFixed.",
    told: /2 tests fail/,
  },
  {
    reason: "todo_gate_retry",
    replies: [todos("pending"), says("Done."), todos("completed"), says("Now it is.")],
    reasons: ["tool_use", "todo_gate_retry", "tool_use"],
    out: "Now it is.",
    told: /run the tests/,
  },
  {
    reason: "token_budget_continuation",
    prompt: "make it good +20k",
    replies: [says("Done.", { usage: { output: 4_000 } }), says("And more tests.", { usage: { output: 18_000 } })],
    reasons: ["token_budget_continuation"],
    out: "Done.\n\nAnd more tests.",
    told: /budget of 20000 tokens/,
  },
  {
    reason: "goal_budget_warning",
    prompt: "/goal it works steps=5",
    replies: [...Array.from({ length: 4 }, (_, n) => bigRead(n)), calls("goal", { state: "met", evidence: "it works" }), says("It works.")],
    reasons: ["tool_use", "tool_use", "tool_use", "goal_budget_warning", "tool_use"],
    out: "It works.",
  },
  {
    reason: "loop_recovery",
    replies: [calls("ls", {}), calls("ls", {}), calls("ls", {}), says("Nothing changes here.")],
    reasons: ["tool_use", "tool_use", "loop_recovery"],
    out: "Nothing changes here.",
  },
  {
    reason: "unanswered_retry",
    replies: [{ parts: [{ type: "thinking", text: "hm", signature: "s1" }] }, says("Here it is.")],
    reasons: ["unanswered_retry"],
    out: "Here it is.",
  },
  {
    reason: "empty_param_retry",
    replies: [{ parts: [callPart("read", {}), callPart("write", { file_path: "x", content: "y" })] }, says("I see.")],
    reasons: ["empty_param_retry"],
    out: "I see.",
  },
];

/** Ten requests with their tools, ten runs side by side, on a busy machine. */
const PATIENCE_MS = 90_000;

describe("reasons to go on, through the engine", () => {
  it.concurrent.each(ROWS)(
    "$reason",
    async ({ prompt, settings, replies, reasons, out, told }) => {
      const at = await headlessFixture();
      const server = await startModelServer({ script: replies });
      try {
        await writeFile(join(at.cwd, "big.txt"), Array.from({ length: 4_000 }, (_, n) => `line ${n} with a few words on it`).join("\n"));
        const file = join(at.cwd, "..", "settings.json");
        await writeFile(file, JSON.stringify({ timeouts: { backoffFirst: 2, backoffMax: 5 }, ...settings?.(join(at.cwd, "..")) }));
        const model = ["--provider", "anthropic", "--base-url", server.url, "--model", "claude-opus-5", "--settings", file, "--permission-mode", "bypass"];
        const ran = await at.run(["-p", prompt ?? "do it", ...model]);
        expect([ran.code, ran.out, ran.err]).toEqual([0, `${out}\n`, expect.not.stringMatching(/\[object|undefined/)]);
        expect(ran.trace.flatMap((event) => (event.name === "loop_transition" ? [event.reason] : []))).toEqual(reasons);
        expect(server.requests.length).toBe(replies.length);
        if (told !== undefined) expect(JSON.stringify(server.requests.at(-1)?.body)).toMatch(told);
        server.assertClean();
      } finally {
        await server.close();
        await at.end();
      }
    },
    PATIENCE_MS,
  );
});

describe("the fallback model (L20, L22)", () => {
  it("takes over after three broken tries: what was shown is withdrawn first, the person is told, its answer is the answer", async () => {
    const at = await headlessFixture();
    const half: ScriptedReply = { parts: [{ type: "text", text: "half of an answer", chunk: 4 }], fault: { kind: "reset", when: "mid_stream" } };
    const server = await startModelServer({ script: (request) => (request.model === "first-model" ? half : says("The second one answers.")) });
    try {
      const file = join(at.cwd, "..", "settings.json");
      await writeFile(file, JSON.stringify({ timeouts: { backoffFirst: 2, backoffMax: 5 } }));
      const model = ["--provider", "anthropic", "--base-url", server.url, "--model", "first-model", "--fallback-model", "second-model", "--settings", file];
      const ran = await at.run(["-p", "do it", ...model, "--output-format", "stream-json", "--include-partial-messages"]);
      expect([ran.code, server.requests.map((request) => request.seen.model)]).toEqual([0, ["first-model", "first-model", "first-model", "second-model"]]);
      // Whatever was shown of a reply that is not the last is withdrawn before anything of the next is shown.
      const shown = ran.lines().filter((line) => line["type"] === "text_delta" || line["type"] === "tombstone");
      const replies = [...new Set(shown.map((line) => line["reply"]))];
      expect(replies.length).toBe(4);
      for (const reply of replies.slice(0, -1)) {
        expect(shown.findLast((line) => line["reply"] === reply)?.["type"]).toBe("tombstone");
        expect(shown.findIndex((line) => line["reply"] === replies[replies.indexOf(reply) + 1])).toBeGreaterThan(
          shown.findIndex((line) => line["reply"] === reply && line["type"] === "tombstone"),
        );
      }
      expect(ran.lines().find((line) => line["type"] === "warning_raised")).toMatchObject({
        notice: { key: "notices.fallback_used", params: { from: "first-model", to: "second-model" } },
      });
      expect(ran.json()).toMatchObject({ result: "The second one answers.", is_error: false });
      expect(ran.trace.filter((event) => event.name === "cache_break")).toEqual([{ name: "cache_break", why: "model_changed" }]);
      expect(ran.err).toContain("second-model");
      // Nothing of the broken tries is in the history of the next turn.
      await at.run(["-p", "hello", "--continue", ...model]);
      expect(JSON.stringify(server.requests.slice(4).map((request) => request.body))).not.toContain("half of");
      server.assertClean();
    } finally {
      await server.close();
      await at.end();
    }
  });
});
