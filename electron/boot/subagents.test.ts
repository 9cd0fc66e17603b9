// Sub-agents through the whole engine (L23): own history and tools, the parent's rights, log, folder and money.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { StoredEvent, type EventOf, type SessionEvent } from "#shared/events/durable.ts";
import { type HeadlessFixture, headlessFixture } from "#electron/testkit/headless-run.ts";
import { startModelServer, type ModelServer } from "#electron/testkit/server/model-server.ts";
import { callPart, calls, fails, says, type ScriptedReply } from "#electron/testkit/server/script.ts";
import type { SeenRequest } from "#electron/testkit/server/seen-request.ts";

let at: HeadlessFixture;
let server: ModelServer | undefined;
let seen: SeenRequest[] = [];
beforeEach(async () => {
  seen = [];
  at = await headlessFixture();
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  await at.end();
});

type Answer = (request: SeenRequest, n: number) => ScriptedReply;
const isParent = (request: SeenRequest) => request.tools.includes("task");
const asText = (request: SeenRequest) => JSON.stringify(request.body);

/** Each history has a script of its own; a sub-agent is known by its prompt. */
async function serve(parent: readonly ScriptedReply[], child: Answer, modelName = "test-model"): Promise<readonly string[]> {
  let said = 0;
  server = await startModelServer({
    script: (request) => {
      seen.push(request);
      return isParent(request) ? (parent[said++] ?? says("too much")) : child(request, request.results.length);
    },
  });
  return ["--provider", "anthropic", "--base-url", server.url, "--model", modelName];
}
async function settings(values: unknown): Promise<readonly string[]> {
  const file = join(at.cwd, "..", "settings-given.json");
  await writeFile(file, JSON.stringify(values));
  return ["--settings", file];
}
async function log(): Promise<readonly SessionEvent[]> {
  const root = join(at.dataDir, "sessions");
  const files = (await readdir(root, { recursive: true })).filter((name) => /(?:events|log)\.jsonl$/.test(name));
  const lines = (await Promise.all(files.map((name) => readFile(join(root, name), "utf8")))).flatMap((text) => text.trim().split("\n"));
  return lines.map((line) => StoredEvent.parse(JSON.parse(line)).event);
}
function only<T extends SessionEvent["type"]>(events: readonly SessionEvent[], type: T): readonly EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}
const task = (prompt: string, id?: string) => callPart("task", { description: "part", prompt }, id);
const requests = (who: "parent" | "child") => seen.filter((request) => isParent(request) === (who === "parent"));

describe("a sub-agent", () => {
  it("works over a history of its own; only its report comes back, and its calls are in the log of the parent's turn", async () => {
    await writeFile(join(at.cwd, "price.txt"), "price: 10\n");
    const child: Answer = (_request, n) =>
      [
        calls("read", { file_path: "price.txt" }, "same-id"),
        calls("edit", { file_path: "price.txt", old_string: "10", new_string: "12" }),
        says("Changed price.txt:1."),
      ][n] ?? says("too much");
    const model = await serve([{ parts: [task("raise it in price.txt", "same-id")] }, says("Done.")], child);
    const ran = await at.run(["-p", "secret of the parent", "--permission-mode", "acceptEdits", ...model]);
    expect([ran.code, ran.out, await readFile(join(at.cwd, "price.txt"), "utf8")]).toEqual([0, "Done.\n", "price: 12\n"]);
    server?.assertClean();

    const [first] = requests("child");
    const parentTools = requests("parent")[0]?.tools ?? [];
    expect(first?.tools).toEqual(parentTools.filter((name) => !["task", "goal", "plan_exit"].includes(name)));
    expect([first !== undefined && asText(first).includes("secret of the parent"), first?.system === requests("parent")[0]?.system]).toEqual([false, true]);
    const back = requests("parent")[1]?.results.map((result) => result.text);
    expect(back).toEqual([
      expect.stringMatching(/^<data from="sub-agent">\n\[Report of a sub-agent: 3 steps, 2 calls, \d+ tokens in, \d+ out\]\nChanged price\.txt:1\.\n<\/data>$/),
    ]);

    const events = await log();
    const [started, settled] = [only(events, "call_started"), only(events, "call_settled")];
    expect(started.map((event) => event.tool)).toEqual(["task", "read", "edit"]);
    expect(new Set(started.map((event) => event.turn)).size).toBe(1);
    expect(new Set(started.map((event) => event.call)).size).toBe(3);
    expect(new Set(settled.map((event) => event.call))).toEqual(new Set(started.map((event) => event.call)));
    expect(settled.length).toBe(3);
    expect(only(events, "reply_completed").length).toBe(2);
    expect((await at.run(["checkpoints", "list", "--output-format", "json"])).out).toContain("price.txt");
  });

  it("cannot ask the person, is told so, and plans for its parent when that plans (T16, P2)", async () => {
    const question = { questions: [{ question: "Which?", header: "Way", options: [{ label: "A" }, { label: "B" }] }] };
    const child: Answer = (_request, n) => [calls("ask_user", question), says("Open: A or B?")][n] ?? says("too much");
    const model = await serve([{ parts: [task("find out")] }, says("Done.")], child);
    expect((await at.run(["-p", "go", "--permission-mode", "plan", ...model])).code).toBe(0);
    const [first, second] = requests("child");
    expect(first === undefined ? "" : asText(first)).toMatch(/Plan mode is on[^<]*Report what you found/);
    expect(second?.results.at(-1)?.text).toMatch(/A sub-agent cannot ask the user.*state the open question in your report/);
    server?.assertClean();
  });

  it("has no more rights than its parent; a refusal is a result for it, and its end one for the parent", async () => {
    const model = await serve([{ parts: [task("write")] }, says("It was not allowed.")], (_request, n) =>
      n === 0 ? calls("write", { file_path: "a.txt", content: "x" }) : says("I may not write."),
    );
    const ran = await at.run(["-p", "go", ...model]);
    expect([ran.out, await readdir(at.cwd)]).toEqual(["It was not allowed.\n", []]);
    expect(requests("child")[1]?.results).toMatchObject([{ isError: true }]);
    expect(only(await log(), "permission_refused").map((event) => event.tool)).toEqual(["write"]);
  });

  it("keeps a to-do list of its own", async () => {
    const model = await serve([{ parts: [task("plan")] }, says("Done.")], (_request, n) =>
      n === 0 ? calls("todo_write", { todos: [{ content: "mine", status: "completed" }] }) : says("Planned."),
    );
    expect((await at.run(["-p", "go", ...model])).code).toBe(0);
    expect(only(await log(), "todos_changed")).toEqual([]);
  });

  it("whose provider fails is a failed result; the parent goes on", async () => {
    const model = await serve([{ parts: [task("x")] }, says("I did it myself.")], () => fails(401));
    const ran = await at.run(["-p", "go", ...model]);
    expect([ran.code, ran.out]).toEqual([0, "I did it myself.\n"]);
    const back = requests("parent")[1]?.results ?? [];
    expect(back.map((result) => [result.isError, result.text.includes("did not finish")])).toEqual([[true, true]]);
  });

  it("can be one of several at once, up to the limit", async () => {
    const parts = [task("part A"), task("part B"), task("part C")];
    const who = (request: SeenRequest) => /part ([ABC])/.exec(asText(request))?.[1];
    const child: Answer = (request, n) =>
      n === 0 ? { parts: [{ type: "wait", ms: 200 }, callPart("todo_write", { todos: [] }), callPart("ls", {})] } : says(`Report ${who(request) ?? ""}.`);
    const model = await serve([{ parts }, says("All done.")], child);
    const more = await settings({ maxSubagents: 2, maxParallelCalls: 4 });
    expect((await at.run(["-p", "go", ...model, ...more])).out).toBe("All done.\n");
    const order = requests("child").map(who);
    const late = order.find((name) => name !== order[0] && name !== order[1]);
    expect([new Set(order.slice(0, 2)).size, order.indexOf(late) >= 3, order.length]).toEqual([2, true, 6]);
    expect(requests("parent")[1]?.results.map((result) => result.text.split("\n")[2])).toEqual(["Report A.", "Report B.", "Report C."]);
  });

  it("waits for its own calls in a pool of its own: a pool of one call holds nobody up", async () => {
    const again = await serve([{ parts: [task("part A"), task("part B")] }, says("All done.")], (_request, n) =>
      n === 0 ? { parts: [callPart("todo_write", { todos: [] }), callPart("ls", {})] } : says("Report."),
    );
    const narrow = await settings({ maxSubagents: 4, maxParallelCalls: 1 });
    expect((await at.run(["-p", "go", ...again, ...narrow])).out).toBe("All done.\n");
  });

  it("ends with its parent: its command is killed, every call has its outcome, and the next hello works", async () => {
    let interrupt = () => {};
    const model = await serve([{ parts: [task("sleep")] }, says("hello")], () =>
      calls("bash", { command: "echo begun > begun.txt; sleep 60", description: "sleep" }),
    );
    await mkdir(join(at.cwd, "x"));
    const running = at.run(["-p", "go", "--permission-mode", "bypass", ...model], { stop: (listener) => (interrupt = listener) });
    while (!(await readdir(at.cwd)).includes("begun.txt")) await new Promise((resolve) => setTimeout(resolve, 20));
    const from = performance.now();
    interrupt();
    await running;
    expect(performance.now() - from).toBeLessThan(8_000);
    const events = await log();
    const open = new Set(only(events, "call_started").map((event) => event.call));
    for (const { call } of only(events, "call_settled")) open.delete(call);
    expect([[...open], only(events, "turn_complete").map((event) => event.end.why)]).toEqual([[], ["aborted"]]);
    expect((await at.run(["-p", "hello", "--continue", ...model])).out).toBe("hello\n");
    server?.assertClean();
  });

  it("spends the parent's money: the limit counts both (L11)", async () => {
    const model = await serve(
      [{ parts: [task("x")] }, says("one more")],
      () => says("Costly.", { usage: { input: 1_000_000, output: 1 } }),
      "claude-sonnet-4-5",
    );
    const ran = await at.run(["-p", "go", "--max-spend", "1", "--output-format", "json", ...model]);
    expect([ran.code === 0, requests("child").length, only(await log(), "turn_complete").map((event) => event.end.why)]).toEqual([false, 1, ["spend_limit"]]);
  });

  it("counts in the session's cost, also in the next turn", async () => {
    const usage = { input: 1_000_000, output: 0 };
    const model = await serve([{ parts: [task("x")] }, says("One."), says("Two.")], () => says("Costly.", { usage }), "claude-sonnet-4-5");
    const json = ["--output-format", "json", ...model];
    const costs = [await at.run(["-p", "go", ...json]), await at.run(["-p", "more", "--continue", ...json])].map(
      ({ out }) => z.object({ total_cost_usd: z.number() }).parse(JSON.parse(out)).total_cost_usd,
    );
    expect(costs.map(Math.floor)).toEqual([3, 3]);
    expect(only(await log(), "usage_counted").map((event) => event.usage.input)).toEqual([1_000_000]);
  });

  it("uses up the goal's tokens (L12)", async () => {
    const model = await serve([{ parts: [task("x")] }, says("Not there yet.")], () => says("Long.", { usage: { input: 60_000, output: 0 } }));
    await at.run(["-p", "/goal all green tokens=50k", ...model]);
    const events = await log();
    expect(only(events, "goal_changed").at(-1)?.goal).toMatchObject({ state: "let_go" });
    expect(only(events, "goal_changed").at(-1)?.goal?.used).toBeGreaterThanOrEqual(60_000);
    expect(requests("parent").length).toBe(2);
  });
});
