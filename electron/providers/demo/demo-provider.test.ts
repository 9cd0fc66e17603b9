import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Block, Message } from "#shared/chat/blocks.ts";
import { noteBlock } from "#shared/chat/note.ts";
import { CallId } from "#shared/lib/ids.ts";
import type { ModelEvent, ToolDefinition } from "#electron/providers/contract.ts";
import { createManualClock } from "#electron/testkit/manual-clock.ts";
import { collect, requestFor } from "#electron/testkit/provider-run.ts";
import { createDemoProvider } from "./demo-provider.ts";
import { testResult } from "./fix.ts";

const TOOLS: readonly ToolDefinition[] = ["ls", "read", "glob", "grep", "bash", "edit", "write"].map((name) => ({
  name,
  description: name,
  schema: { type: "object" },
  strictAllowed: true,
}));
const SAMPLE = path.join(import.meta.dirname, "sample-project");

describe("what the demo says", () => {
  it("names no part of the window that is not there, and nothing that only the window has without saying so", async () => {
    const texts = await Promise.all(["fix", "notes", "page", "explain"].map((name) => readFile(path.join(import.meta.dirname, `${name}.text.ts`), "utf8")));
    const words = [/preview\*? tab|预览/i, /\btab\b|标签/i, /the trail|时间线/i];
    expect(words.map((word) => texts.filter((text) => word.test(text)).length)).toEqual([0, 0, 0]);
  });
});

type Answer = { readonly text: string; readonly isError?: boolean };
type Run = { readonly said: string; readonly calls: readonly { readonly name: string; readonly input: unknown }[]; readonly history: readonly Message[] };

/** Plays one turn: every call is answered by `answer`, until the demo calls nothing more. */
async function turn(
  prompt: string | readonly Message[],
  answer: (name: string, input: Readonly<Record<string, unknown>>) => Answer | Promise<Answer>,
  tools = TOOLS,
): Promise<Run> {
  const provider = createDemoProvider({ clock: createManualClock(), speed: "instant" });
  let history: readonly Message[] = typeof prompt === "string" ? [{ role: "user", blocks: [{ type: "text", text: prompt }] }] : prompt;
  const calls: { name: string; input: unknown }[] = [];
  for (let step = 0; step < 20; step += 1) {
    const events = await collect(provider.stream({ ...requestFor("anthropic", history), tools }, new AbortController().signal));
    const said = events.flatMap((event) => (event.type === "text" ? [event.delta] : [])).join("");
    const made = events.flatMap((event) => (event.type === "tool_call" ? [event] : []));
    expect(said.trim()).not.toBe("");
    expect(events.at(-1)).toEqual({ type: "stopped", reason: { kind: made.length === 0 ? "end_turn" : "tool_use" } });
    if (made.length === 0) return { said, calls, history };
    calls.push(...made.map(({ name, input }) => ({ name, input })));
    history = [
      ...history,
      { role: "assistant", blocks: [{ type: "text", text: said }, ...made.map(asBlock)] },
      { role: "user", blocks: await Promise.all(made.map(async (call) => resultOf(call, await answer(call.name, asInput(call.input))))) },
    ];
  }
  throw new Error("the demo never ends");
}

type Call = Extract<ModelEvent, { type: "tool_call" }>;

const asBlock = (call: Call): Block => ({ type: "tool_use", id: CallId.parse(call.id), name: call.name, input: call.input });
const asInput = (input: unknown): Readonly<Record<string, unknown>> => (typeof input === "object" && input !== null ? { ...input } : {});
const resultOf = (call: Call, answer: Answer): Block => ({
  type: "tool_result",
  id: CallId.parse(call.id),
  content: [{ type: "text", text: answer.text }],
  isError: answer.isError ?? false,
});

function textIn(input: Readonly<Record<string, unknown>>, key: string): string {
  const value = input[key];
  return typeof value === "string" ? value : "";
}

const FILES: Readonly<Record<string, string>> = {
  "package.json": '1\t{ "name": "little-shop",\n2\t"description": "A tiny shop.",\n3\t"scripts": { "test": "node --test", "report": "x" } }',
  "README.md": "1\t# Little Shop",
  "src/price.js": "6\t  return cents - percent;",
  "data/products.json": '1\t{ "id": "a", "name": "Apple", "cents": 60 },',
};
const LISTING = "README.md\npackage.json\nsrc/\ntest/\ndata/";
const FAILED = "not ok 4 - takes 20 percent off\n# tests 5\n# pass 4\n# fail 1";
const PASSED = "# tests 5\n# pass 5\n# fail 0";
const NO: Answer = { text: "The user denied permission to use this tool.", isError: true };

/** A sample project that answers from memory; `more` answers first. */
function sample(more: (name: string, input: Readonly<Record<string, unknown>>) => Answer | undefined = () => undefined) {
  let runs = 0;
  return (name: string, input: Readonly<Record<string, unknown>>): Answer => {
    const special = more(name, input);
    if (special !== undefined) return special;
    if (name === "ls") return { text: LISTING };
    if (name === "read") return { text: FILES[textIn(input, "file_path")] ?? "1\tx" };
    if (name !== "bash") return { text: "ok" };
    runs += 1;
    return runs === 1 ? { text: FAILED, isError: true } : { text: PASSED };
  };
}

const names = (run: Run) => run.calls.map((call) => call.name);

describe("fixing the failing test", () => {
  it("looks, runs, reads, edits, checks and tells", async () => {
    const run = await turn("Fix the failing test", sample());
    expect(names(run)).toEqual(["ls", "read", "bash", "read", "read", "grep", "edit", "bash"]);
    expect(run.calls[2]?.input).toEqual({ command: "npm test", description: "Run the tests to see which one fails" });
    expect(run.calls[6]?.input).toEqual({
      file_path: "src/price.js",
      old_string: "  return cents - percent;",
      new_string: "  return Math.round(cents * (1 - percent / 100));",
    });
    expect(run.said).toContain("All 5 tests pass now");
  });

  it("speaks the language of the prompt", async () => {
    const run = await turn("请修复失败的测试", sample());
    expect(names(run)).toContain("edit");
    expect(run.said).toContain("5 个测试现在全部通过");
  });

  it("respects a no to the edit and shows what it would do", async () => {
    const run = await turn(
      "Fix the failing test",
      sample((name) => (name === "edit" ? NO : undefined)),
    );
    expect(names(run).at(-1)).toBe("edit");
    expect(run.said).toContain("+  return Math.round");
  });

  it("respects a no to commands, and then says that nothing was checked", async () => {
    const run = await turn(
      "Fix the failing test",
      sample((name) => (name === "bash" ? NO : undefined)),
    );
    expect(names(run).filter((name) => name === "bash")).toHaveLength(1);
    expect(names(run)).toContain("edit");
    expect(run.said).toContain("**not** run the tests");
  });

  it("changes nothing when the tests pass already, or when the line is not there any more", async () => {
    const green = await turn(
      "Fix the failing test",
      sample((name) => (name === "bash" ? { text: PASSED } : undefined)),
    );
    expect(green.said).toContain("nothing to fix");
    const mended = await turn(
      "Fix the failing test",
      sample((name, input) => (input["file_path"] === "src/price.js" && name === "read" ? { text: "6\t  return right;" } : undefined)),
    );
    expect(names(mended)).not.toContain("edit");
    expect(mended.said).toContain("fixed already");
  });

  it("says so when there is no Node.js, when its edit does not help, and when this is another project", async () => {
    const noNode = await turn(
      "Fix the failing test",
      sample((name) => (name === "bash" ? { text: "npm: command not found", isError: true } : undefined)),
    );
    expect(noNode.said).toContain("**not** run the tests");
    const still = await turn(
      "Fix the failing test",
      sample((name) => (name === "bash" ? { text: FAILED, isError: true } : undefined)),
    );
    expect(still.said).toContain("still fail");
    const other = await turn(
      "Fix the failing test",
      sample((name) => (name === "read" ? { text: '{"name":"mine"}' } : undefined)),
    );
    expect(other.said).toContain("not the sample project");
  });
});

describe("the other tasks", () => {
  it("explains what it has really read", async () => {
    const run = await turn("Explain this project", sample());
    expect(run.said).toContain("## little-shop\n\nA tiny shop.");
    expect(run.said).toContain("`npm run test`, `npm run report`");
    expect((await turn("这个项目是什么？", sample())).said).toContain("命令");
  });

  it("explains an empty folder and one it may not see", async () => {
    expect((await turn("Explain this project", () => ({ text: "" }))).said).toContain("empty");
    expect((await turn("Explain this project", () => NO)).said).toContain("not allowed");
  });

  it("writes notes into a file that does not exist yet", async () => {
    const run = await turn(
      "Write a notes file",
      sample((name) => (name === "ls" ? { text: `${LISTING}\nNOTES.md` } : undefined)),
    );
    expect(run.calls.at(-1)).toMatchObject({ name: "write", input: { file_path: "SUMMARY.md" } });
    expect(JSON.stringify(run.calls.at(-1))).toContain("# Notes on little-shop");
    const no = await turn(
      "写一份说明笔记",
      sample((name) => (name === "write" ? NO : undefined)),
    );
    expect(no.said).toContain("什么都不写");
  });

  it("makes a page of the products there are", async () => {
    const run = await turn("Make a small web page", sample());
    expect(run.calls.at(-1)).toMatchObject({ name: "write", input: { file_path: "shop.html" } });
    expect(JSON.stringify(run.calls.at(-1))).toContain("<li><span>Apple</span><b>0.60 €</b></li>");
    expect(run.said).toContain("with 1 products");
  });

  it("says plainly that it is only a demo, and how to connect a model", async () => {
    const run = await turn("What is the meaning of life, in rust?", sample());
    expect(run.calls.length + run.said.length).toBeGreaterThan(0);
    const hello = await turn("hello", sample());
    expect(hello.said).toMatch(/only the \*\*demo\*\*[\s\S]*Settings → Model[\s\S]*ANTHROPIC_API_KEY[\s\S]*--provider/);
    expect((await turn("你好", sample())).said).toContain("设置 → 模型");
  });

  it("goes on with the task before when told to", async () => {
    const denied = await turn(
      "Fix the failing test",
      sample((name) => (name === "edit" ? NO : undefined)),
    );
    const again = await turn(
      [
        ...denied.history,
        { role: "assistant", blocks: [{ type: "text", text: denied.said }] },
        { role: "user", blocks: [{ type: "text", text: "ok, do it" }] },
      ],
      sample(),
    );
    expect(again.said).toContain("All 5 tests pass now");
  });

  it("does not take the harness's notes for the person's words", async () => {
    const run = await turn(
      [{ role: "user", blocks: [{ type: "text", text: "Explain this project" }, noteBlock({ source: "x", text: "fix the failing test 修复" })] }],
      sample(),
    );
    expect(run.said).toContain("## little-shop");
  });

  it("answers in words alone when it gets no tools, or not the one it needs", async () => {
    expect((await turn("Fix the failing test", sample(), [])).said).toContain("Fix the failing test");
    expect(
      (
        await turn(
          "Fix the failing test",
          sample(),
          TOOLS.filter((tool) => tool.name !== "edit"),
        )
      ).said,
    ).toContain("`edit`");
  });
});

describe("how the demo streams", () => {
  const say = (speed: "calm" | "instant", clock = createManualClock(), signal = new AbortController().signal) =>
    createDemoProvider({ clock, speed }).stream(requestFor("anthropic", "hello"), signal);

  it("types at a calm pace by the clock, and stops at once", async () => {
    const clock = createManualClock();
    const controller = new AbortController();
    const seen: ModelEvent[] = [];
    const running = collect(say("calm", clock, controller.signal), (event) => seen.push(event));
    await clock.advance(600);
    const early = seen.length;
    expect(early).toBeGreaterThan(3);
    await clock.advance(600);
    expect(seen.length).toBeGreaterThan(early);
    controller.abort();
    expect((await running).at(-1)).toMatchObject({ type: "failed", failure: { kind: "aborted" } });
    expect(clock.pending()).toBe(0);
  });

  it("loses no character of what it says, and counts tokens", async () => {
    const events = await collect(say("instant"));
    const text = events.flatMap((event) => (event.type === "text" ? [event.delta] : [])).join("");
    expect(text).toContain("I cannot really think about your question.\n\nIn the sample project");
    expect(events.find((event) => event.type === "usage")).toMatchObject({ usage: { cacheRead: 0, cacheWrite: 0 } });
  });
});

describe("the result of a test run", () => {
  it.each([
    [FAILED, { passed: 4, failed: 1, failing: "takes 20 percent off" }],
    ["✔ adds up\n✖ takes 20 percent off (0.9ms)\nℹ tests 5\nℹ pass 4\nℹ fail 1", { passed: 4, failed: 1, failing: "takes 20 percent off" }],
    [PASSED, { passed: 5, failed: 0, failing: undefined }],
    ["npm: command not found", undefined],
  ])("%s", (output, wanted) => {
    expect(testResult(output)).toEqual(wanted);
  });
});

const dirs: string[] = [];
afterEach(async () => {
  await Promise.all(dirs.splice(0).map((dir) => rm(dir, { recursive: true, force: true })));
});

describe("the sample project itself", () => {
  it("has one failing test, which the demo really mends", async () => {
    const dir = await mkdtemp(path.join(os.tmpdir(), "cairn-demo-"));
    dirs.push(dir);
    await cp(SAMPLE, dir, { recursive: true });
    const outputs: string[] = [];
    const run = await turn("Fix the failing test", async (name, input) => {
      const file = path.join(dir, textIn(input, "file_path") || textIn(input, "path"));
      if (name === "ls") return { text: (await readdir(file)).join("\n") };
      if (name === "read") return { text: await readFile(file, "utf8") };
      if (name === "grep") return { text: "src/price.js:4" };
      if (name === "edit") {
        const before = await readFile(file, "utf8");
        expect(before.split(textIn(input, "old_string"))).toHaveLength(2);
        await writeFile(file, before.replace(textIn(input, "old_string"), textIn(input, "new_string")));
        return { text: "ok" };
      }
      const output = await new Promise<string>((resolve) =>
        execFile(process.execPath, ["--test"], { cwd: dir, env: { PATH: process.env["PATH"] } }, (_error, stdout) => resolve(stdout)),
      );
      outputs.push(output);
      return { text: output };
    });
    expect(outputs.map((output) => testResult(output)?.failed)).toEqual([1, 0]);
    expect(run.said).toContain("All 5 tests pass now");
  });
});
