// The funnels of O2 through the whole engine: what the product's own pipeline, scheduler and permission chain measured, read back from
// the file they were written to. That calls, turns and requests add up is checked with every headless run (testkit/trace-check.ts).
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TraceEvent } from "#shared/trace/trace.ts";
import { type HeadlessFixture, headlessFixture } from "#electron/testkit/headless-run.ts";
import { type ModelServer, startModelServer } from "#electron/testkit/server/model-server.ts";
import { callPart, calls, says, type ScriptedReply } from "#electron/testkit/server/script.ts";

let at: HeadlessFixture;
let server: ModelServer | undefined;
beforeEach(async () => {
  at = await headlessFixture();
  await writeFile(join(at.cwd, "a.txt"), "alpha\n");
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  await at.end();
});

const bash = (command: string) => callPart("bash", { command });
const reads = (count: number) => Array.from({ length: count }, (_, n) => callPart("read", { file_path: "a.txt", offset: 1, limit: n + 1 }));
const WRITE = { file_path: "w.txt", content: "x" };

async function traceOf(replies: readonly ScriptedReply[], args: readonly string[] = ["--permission-mode", "bypass"]): Promise<readonly TraceEvent[]> {
  server = await startModelServer({ script: (_request, n) => replies[n] ?? says("done") });
  return (await at.run(["-p", "go", "--provider", "anthropic", "--base-url", server.url, "--model", "m", ...args])).trace;
}

type Row = {
  readonly name: string;
  readonly replies: readonly ScriptedReply[];
  readonly args?: readonly string[];
  readonly settings?: object;
  /** events that must be there, as often as given and in this order among their kind */
  readonly events: readonly Record<string, unknown>[];
};

const ROWS: readonly Row[] = [
  {
    name: "one call: dispatched, permitted, done",
    replies: [calls("read", { file_path: "a.txt" })],
    events: [
      { name: "call_dispatched", tool: "read" },
      { name: "permission", verdict: "allow" },
      { name: "call_done", tool: "read", ok: true },
    ],
  },
  {
    name: "a refused call, and which step refused it",
    replies: [calls("write", WRITE)],
    args: [],
    events: [
      { name: "permission", verdict: "deny" },
      { name: "call_done", tool: "write", ok: false, failure: "permission_denied" },
    ],
  },
  {
    name: "refused again and again: the breaker",
    replies: Array.from({ length: 4 }, (_, n) => calls("write", { file_path: `w${n}.txt`, content: "x" })),
    args: [],
    events: [{ name: "guard_fired", guard: "refusal_breaker" }],
  },
  {
    name: "each kind of failure under its own name",
    replies: [{ parts: [callPart("read", { file_path: 7 }), callPart("teleport", {}), callPart("read", { file_path: "none.txt" }), bash("exit 3")] }],
    events: [
      { name: "call_done", tool: "read", ok: false, failure: "invalid_input" },
      { name: "call_done", tool: "unknown", ok: false, failure: "not_found" },
      { name: "call_done", tool: "read", ok: false, failure: "not_found" },
      { name: "call_done", tool: "bash", ok: false, failure: "tool_error" },
    ],
  },
  {
    name: "calls blocked by a hook",
    replies: [calls("ls", {})],
    settings: { hooks: { PreToolUse: [{ matcher: "LS", hooks: [{ command: "echo no >&2; exit 2" }] }] } },
    events: [{ name: "call_done", tool: "ls", ok: false, failure: "hook_blocked" }],
  },
  {
    name: "commands after a failed one are skipped, and counted",
    replies: [{ parts: [bash("touch one && exit 1"), bash("touch two"), bash("touch three")] }],
    events: [
      { name: "call_done", tool: "bash", ok: false, failure: "tool_error" },
      { name: "sibling_cancelled" },
      { name: "sibling_cancelled" },
      { name: "call_done", tool: "bash", ok: false, failure: "aborted" },
      { name: "call_done", tool: "bash", ok: false, failure: "aborted" },
    ],
  },
  {
    name: "a result that is cut",
    replies: [calls("bash", { command: "seq 1 20000" })],
    events: [{ name: "result_cut", tool: "bash" }],
  },
  {
    name: "a tool that takes too long",
    replies: [calls("bash", { command: "sleep 30", timeout: 300 })],
    events: [{ name: "call_done", tool: "bash", ok: false, failure: "timeout" }],
  },
  {
    name: "a hook that stops the prompt: a turn without a request is a turn",
    replies: [],
    settings: { hooks: { UserPromptSubmit: [{ hooks: [{ command: "echo no >&2; exit 2" }] }] } },
    events: [{ name: "turn_complete", why: "failed", steps: 0, requests: 0 }],
  },
  {
    name: "the step limit",
    replies: Array.from({ length: 3 }, (_, n) => calls("read", { file_path: "a.txt", offset: 1, limit: n + 1 })),
    args: ["--max-turns", "2"],
    events: [
      { name: "guard_fired", guard: "step_limit" },
      { name: "turn_complete", why: "step_limit", steps: 2, requests: 3 },
    ],
  },
];

describe("what is measured (O2)", () => {
  it.each(ROWS)("$name", async ({ replies, args, settings, events }) => {
    const file = join(at.cwd, "..", "settings.json");
    await writeFile(file, JSON.stringify(settings ?? {}));
    const trace = await traceOf(replies, [...(args ?? ["--permission-mode", "bypass"]), "--settings", file]);
    const kinds = new Set(events.map((event) => event["name"]));
    const only = trace.filter((event) => kinds.has(event.name) && (event.name !== "call_done" || events.some((wanted) => wanted["tool"] === event.tool)));
    const relevant = kinds.has("guard_fired") || kinds.has("permission") || kinds.has("call_dispatched") ? only.slice(0, events.length) : only;
    expect(relevant).toMatchObject(events);
  });

  it("how many calls began at once", async () => {
    const trace = await traceOf([{ parts: reads(7) }]);
    const width = trace.reduce((sum, event) => sum + (event.name === "batch" ? event.width : 0), 0);
    expect([width, trace.filter((event) => event.name === "call_done").length]).toEqual([7, 7]);
  });

  it("a call that was stopped is done as well, and its turn is one that was aborted", async () => {
    server = await startModelServer({ script: () => calls("bash", { command: "sleep 30" }) });
    const ran = await at.run(["-p", "go", "--provider", "anthropic", "--base-url", server.url, "--model", "m", "--permission-mode", "bypass"], {
      stop: (interrupt) => setTimeout(interrupt, 900),
    });
    expect(ran.code).toBe(130);
    expect(ran.trace.filter((event) => event.name === "call_done")).toMatchObject([{ tool: "bash", ok: false, failure: "aborted" }]);
    expect(ran.trace.at(-1)).toMatchObject({ name: "turn_complete", why: "aborted", abortedBy: "person" });
  });
});
