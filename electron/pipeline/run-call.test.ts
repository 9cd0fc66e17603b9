import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { CallId } from "#shared/lib/ids.ts";
import { err, ok, type Result } from "#shared/lib/result.ts";
import type { ToolOutcome } from "#shared/tools/outcome.ts";
import type { HookOutcome, HookRunner } from "#electron/hooks/contract.ts";
import { createSystemClock } from "#electron/lib/clock.ts";
import { createScope } from "#electron/lib/scope.ts";
import { createAdmission } from "#electron/scheduler/admission.ts";
import { createKeyedLock } from "#electron/scheduler/keyed-lock.ts";
import { contextFor, fakeCall, fakeTool } from "#electron/testkit/calls.ts";
import type { Tool } from "#electron/tools/contract.ts";
import type { CallInFlight } from "./contract.ts";
import type { PipelineDeps } from "./deps.ts";
import { gatesAfter, gatesBefore } from "./order.ts";
import { createPrepare } from "./prepare.ts";
import { createRunCall } from "./run-call.ts";

const clock = createSystemClock();
const parse = (tool: Tool, raw: unknown): Result<unknown, string> => {
  const parsed = tool.input.safeParse(raw);
  return parsed.success ? ok(parsed.data) : err("text: expected string");
};
const noHooks: HookRunner = { run: async () => [] };

function makeDeps(change: Partial<PipelineDeps> = {}) {
  const log: string[] = [];
  const tool = fakeTool();
  const registry = { tools: [tool], find: (name: string) => (name === "probe" ? tool : undefined), near: () => ["probe"] };
  const deps: PipelineDeps = {
    registry,
    prepare: createPrepare({ registry, place: { cwd: "/work-folder", home: "/home/person" }, classify: () => fakeCall("x").traits, parse }),
    clock,
    trace: { emit: () => {} },
    hooks: noHooks,
    admission: createAdmission(createKeyedLock(), 4),
    abortGraceMs: 20,
    mode: () => "default",
    authorise: async () => ({ behavior: "allow", waited: false }),
    protect: async (call) => void log.push(`protect ${call.id}`),
    watchWrites: async () => async () => {},
    journal: {
      state: () => {},
      started: async (call) => void log.push(`started ${call.id}`),
      refused: async (call, by) => void log.push(`refused ${call.id} ${by}`),
      settled: async (call, outcome) => void log.push(`settled ${call.id} ${outcome.status}`),
      progress: () => {},
    },
    limit: async (content) => ({ content, cut: false }),
    redact: (text) => text.replaceAll("sk-secret", "[hidden]"),
    hookStop: (reason) => void log.push(`stop ${reason}`),
    tell: { unknownTool: (name, near) => `No tool ${name}. Near: ${near.join(", ")}`, denied: (_tool, denial) => `Denied: ${denial.because}` },
    ...change,
  };
  return { deps, log };
}

async function runOne(deps: PipelineDeps, call: CallInFlight, abort?: (scope: ReturnType<typeof createScope>) => void): Promise<ToolOutcome> {
  const scope = createScope("call");
  const outcome = createRunCall(deps)(call, contextFor(call, scope, clock));
  abort?.(scope);
  return outcome;
}

const kindOf = (outcome: ToolOutcome) => (outcome.status === "ok" ? "ok" : outcome.failure.kind);
const writing = (id: string, change: Partial<CallInFlight> = {}) => fakeCall(id, { traits: { ...fakeCall(id).traits, mayWrite: true }, ...change });

describe("call pipeline", () => {
  it("has its gates in the order of the contract", () => {
    const { deps } = makeDeps();
    expect(gatesBefore(deps).map((gate) => gate.name)).toEqual(["find", "checkpoint", "pre_hooks", "permission", "validate"]);
    expect(gatesAfter(deps, false).map((gate) => gate.name)).toEqual(["limit", "post_hooks", "serialise", "record"]);
    expect(gatesAfter(deps, true).map((gate) => gate.name)).toEqual(["post_hooks", "limit", "serialise", "record"]);
  });

  it("takes the checkpoint before anything may write, and again when a person was waited for", async () => {
    const { deps, log } = makeDeps({ authorise: async () => ({ behavior: "allow", waited: true }) });
    expect(kindOf(await runOne(deps, writing("w")))).toBe("ok");
    expect(log).toEqual(["protect w", "protect w", "started w", "settled w ok"]);
  });

  it("an unknown tool, a denial and bad input settle with their own kind and never start", async () => {
    const { deps, log } = makeDeps({ authorise: async () => ({ behavior: "deny", by: "deny_rules", because: "rule bash", byPerson: false, why: undefined }) });
    expect(kindOf(await runOne(deps, fakeCall("u", { tool: undefined })))).toBe("not_found");
    expect(kindOf(await runOne(deps, fakeCall("d")))).toBe("permission_denied");
    const allow = makeDeps();
    expect(kindOf(await runOne(allow.deps, fakeCall("i", { input: undefined, parseError: "text: expected string" })))).toBe("invalid_input");
    expect([...log, ...allow.log].filter((line) => line.startsWith("started"))).toEqual([]);
    expect(log).toEqual(["settled u failed", "refused d deny_rules", "settled d failed"]);
  });

  it("broken arguments never run, even where every parameter is optional (L25)", async () => {
    const optional = fakeTool({ input: z.strictObject({ text: z.string().optional() }) });
    const registry = { tools: [optional], find: () => optional, near: () => [] };
    const prepare = createPrepare({ registry, place: { cwd: "/w", home: "/h" }, classify: () => fakeCall("x").traits, parse });
    const call = await prepare({ id: CallId.parse("c"), name: "probe", input: {}, invalid: { raw: '{"text": "a', why: "cut" } });
    const { deps, log } = makeDeps();
    expect(kindOf(await runOne(deps, call))).toBe("invalid_input");
    expect(log).toEqual(["settled c failed"]);
  });

  it("a hook may change the input; the model is told without the values, an echo is no change", async () => {
    const hooks = (input: unknown): HookRunner => ({
      run: async (event): Promise<readonly HookOutcome[]> => (event === "PreToolUse" ? [{ kind: "changed_input", input }] : []),
    });
    const seen: unknown[] = [];
    const tool = fakeTool({ call: async (input) => (seen.push(input), { ok: true, forModel: [{ type: "text", text: "done" }] }) });
    const registry = { tools: [tool], find: () => tool, near: () => [] };
    const prepare = createPrepare({ registry, place: { cwd: "/w", home: "/h" }, classify: () => fakeCall("x").traits, parse });
    const changed = await runOne(makeDeps({ hooks: hooks({ text: "other" }), prepare, registry }).deps, fakeCall("c", { tool }));
    const echoed = await runOne(makeDeps({ hooks: hooks({ text: "e" }), prepare, registry }).deps, fakeCall("e", { tool }));
    expect(seen).toEqual([{ text: "other" }, { text: "e" }]);
    expect(changed.forModel).toHaveLength(2);
    expect(JSON.stringify(changed.forModel)).not.toContain("other");
    expect(echoed.forModel).toEqual([{ type: "text", text: "done" }]);
  });

  it("exactly one of the two post hooks runs per call, also for refused and cancelled ones", async () => {
    const events: string[] = [];
    const hooks: HookRunner = { run: async (event) => (events.push(event), []) };
    await runOne(makeDeps({ hooks }).deps, fakeCall("ok"));
    await runOne(
      makeDeps({ hooks, authorise: async () => ({ behavior: "deny", by: "ask", because: "x", byPerson: true, why: undefined }) }).deps,
      fakeCall("no"),
    );
    await runOne(makeDeps({ hooks }).deps, fakeCall("gone", { tool: undefined }));
    expect(events.filter((event) => event.startsWith("Post"))).toEqual(["PostToolUse", "PostToolUseFailure", "PostToolUseFailure"]);
  });

  it("hides secrets, mends broken text and never gives the model nothing", async () => {
    const text = (value: string) => fakeTool({ call: async () => ({ ok: true, forModel: [{ type: "text", text: value }] }) });
    const one = await runOne(makeDeps().deps, fakeCall("a", { tool: text("key sk-secret \ud83d end") }));
    const none = await runOne(makeDeps().deps, fakeCall("b", { tool: text("  \n") }));
    expect(one.forModel).toEqual([{ type: "text", text: "key [hidden] \ufffd end" }]);
    expect(none.forModel).toEqual([{ type: "text", text: "(no output)" }]);
  });

  it("a tool that ignores its abort is given up after the grace", async () => {
    const tool = fakeTool({ call: () => new Promise(() => {}) });
    const outcome = await runOne(makeDeps().deps, fakeCall("h", { tool }), (scope) => setTimeout(() => scope.abort({ by: "person" }), 5));
    expect(kindOf(outcome)).toBe("aborted");
  });

  it("a tool that must finish is not told of the stop", async () => {
    const tool = fakeTool({
      interrupt: "finish_first",
      call: async (_input, cx) => (await clock.sleep(15), { ok: true, forModel: [{ type: "text", text: cx.scope.signal.aborted ? "told" : "whole" }] }),
    });
    const outcome = await runOne(makeDeps().deps, fakeCall("f", { tool }), (scope) => setTimeout(() => scope.abort({ by: "person" }), 5));
    expect(outcome.forModel).toEqual([{ type: "text", text: "whole" }]);
  });

  it("marks what a tool returns as data of its source, and what hooks add as theirs; its own notes are not data (P8)", async () => {
    const hooks: HookRunner = {
      run: async (event): Promise<readonly HookOutcome[]> =>
        event === "PreToolUse"
          ? [
              { kind: "context", text: "before" },
              { kind: "changed_input", input: { text: "other" } },
            ]
          : [{ kind: "block", reason: "not formatted" }],
    };
    const { source: _own, ...plain } = fakeTool();
    const tool = { ...plain, source: () => "file a.ts" };
    const registry = { tools: [tool], find: () => tool, near: () => [] };
    const prepare = createPrepare({ registry, place: { cwd: "/w", home: "/h" }, classify: () => fakeCall("x").traits, parse });
    const { forModel } = await runOne(makeDeps({ hooks, prepare, registry }).deps, fakeCall("c", { tool }));
    expect(forModel.map((part) => (part.type === "text" ? [part.from, part.text] : []))).toEqual([
      ["file a.ts", "done"],
      [undefined, "Note: a hook of the user changed the input of this call before it ran."],
      ["hook PreToolUse", "before"],
      ["hook PostToolUse", "A hook of the user objects to this result: not formatted"],
    ]);
    expect((await runOne(makeDeps().deps, fakeCall("n", { tool: plain }))).forModel).toEqual([{ type: "text", text: "done", from: "probe" }]);
  });

  it.each<[string, HookOutcome[], string | undefined]>([
    ["allow, then ask", [permission("allow"), permission("ask")], "ask"],
    ["ask, then allow", [permission("ask"), permission("allow")], "ask"],
    ["deny, then allow", [permission("deny"), permission("allow")], "deny"],
    ["nothing", [], undefined],
  ])("of several hooks the strictest counts, and the chain decides with it: %s", async (_name, outcomes, says) => {
    const asked: unknown[] = [];
    const { deps } = makeDeps({
      hooks: { run: async (event) => (event === "PreToolUse" ? outcomes : []) },
      authorise: async (query) => (asked.push(query.hookSays), { behavior: "deny", by: "deny_rules", because: "rule", byPerson: false, why: undefined }),
    });
    expect([kindOf(await runOne(deps, fakeCall("c"))), asked]).toEqual(["permission_denied", [says]]);
  });

  it("the last change of several hooks is the input; one that was taken back is none", async () => {
    const seen: unknown[] = [];
    const tool = fakeTool({ call: async (input) => (seen.push(input), { ok: true, forModel: [{ type: "text", text: "done" }] }) });
    const registry = { tools: [tool], find: () => tool, near: () => [] };
    const prepare = createPrepare({ registry, place: { cwd: "/w", home: "/h" }, classify: () => fakeCall("x").traits, parse });
    const changes = (...texts: string[]): HookRunner => ({
      run: async (event) => (event === "PreToolUse" ? texts.map((text) => ({ kind: "changed_input", input: { text } })) : []),
    });
    const back = await runOne(makeDeps({ hooks: changes("other", "b"), prepare, registry }).deps, fakeCall("b", { tool }));
    const twice = await runOne(makeDeps({ hooks: changes("one", "two"), prepare, registry }).deps, fakeCall("t", { tool }));
    expect(seen).toEqual([{ text: "b" }, { text: "two" }]);
    expect([back.forModel.length, twice.forModel.length]).toEqual([1, 2]);
  });

  it("changed input is checked and validated like any other, and has its checkpoint when it may now write (K2)", async () => {
    const tool = fakeTool();
    const registry = { tools: [tool], find: () => tool, near: () => [] };
    const asked: unknown[] = [];
    const hooks = (input: Record<string, unknown>): HookRunner => ({
      run: async (event): Promise<readonly HookOutcome[]> =>
        event === "PreToolUse"
          ? [
              { kind: "permission", says: "allow", reason: "" },
              { kind: "changed_input", input },
            ]
          : [],
    });
    const prepare = createPrepare({ registry, place: { cwd: "/w", home: "/h" }, classify: () => writing("x").traits, parse });
    const authorise: PipelineDeps["authorise"] = async (query) => (asked.push(query.input), { behavior: "allow", waited: false });
    const good = makeDeps({ hooks: hooks({ text: "rm" }), prepare, registry, authorise });
    const bad = makeDeps({ hooks: hooks({ text: 7 }), prepare, registry, authorise });
    expect(kindOf(await runOne(good.deps, fakeCall("g", { tool })))).toBe("ok");
    expect(kindOf(await runOne(bad.deps, fakeCall("b", { tool })))).toBe("invalid_input");
    expect([good.log, bad.log, asked]).toEqual([["protect g", "started g", "settled g ok"], ["settled b failed"], [{ text: "rm" }, { text: 7 }]]);
  });

  it("a hook that ends the work keeps the call from running", async () => {
    const { deps, log } = makeDeps({ hooks: { run: async (event) => (event === "PreToolUse" ? [{ kind: "stop", reason: "enough" }] : []) } });
    expect(kindOf(await runOne(deps, fakeCall("s")))).toBe("hook_blocked");
    expect(log).toEqual(["stop enough", "settled s failed"]);
  });

  it("hooks may change the output of MCP calls only, and the raw text is not kept (T3)", async () => {
    const hooks: HookRunner = { run: async (event) => (event === "PostToolUse" ? [{ kind: "changed_output", output: "clean" }] : []) };
    const call = async () => ({ ok: true, forModel: [{ type: "text", text: "raw" }], view: { kind: "text", text: "raw" } }) as const;
    const order: string[] = [];
    const limit: PipelineDeps["limit"] = async (content) => (order.push(JSON.stringify(content)), { content, cut: false });
    const { source: _own, ...mcp } = fakeTool({ name: "mcp__a__b", call });
    const changed = await runOne(makeDeps({ hooks, limit }).deps, fakeCall("m", { tool: mcp, name: "mcp__a__b" }));
    const kept = await runOne(makeDeps({ hooks }).deps, fakeCall("k", { tool: fakeTool({ call }) }));
    expect(changed.forModel).toEqual([{ type: "text", text: "clean", from: "mcp__a__b" }]);
    expect(JSON.stringify([changed, order])).not.toContain("raw");
    expect(kept.forModel).toEqual([{ type: "text", text: "raw" }]);
  });

  it("gives exactly one outcome whatever throws, hangs, aborts or answers twice at any point", async () => {
    const fault = fc.constantFrom("none", "throw", "hang");
    const where = fc.constantFrom(
      "state",
      "protect",
      "pre",
      "post",
      "authorise",
      "validate",
      "started",
      "settled",
      "limit",
      "redact",
      "call",
      "watch",
      "unwatch",
    );
    const outcome = fc.oneof(
      fc.constantFrom<HookOutcome>({ kind: "stop", reason: "s" }, { kind: "block", reason: "b" }, { kind: "context", text: "</data>" }, { kind: "nothing" }),
      fc.constantFrom("allow", "ask", "deny").map((says): HookOutcome => ({ kind: "permission", says, reason: "" })),
      fc.jsonValue().map((input): HookOutcome => ({ kind: "changed_input", input })),
      fc.jsonValue().map((output): HookOutcome => ({ kind: "changed_output", output })),
    );
    const given = fc.record({ place: where, kind: fault, aborts: fc.boolean(), mcp: fc.boolean(), said: fc.array(outcome, { maxLength: 4 }) });
    await fc.assert(
      fc.asyncProperty(given, async ({ place, kind, aborts, mcp, said }) => {
        const settled: string[] = [];
        const at = async (name: string) => {
          if (name !== place) return;
          if (kind === "throw") throw new Error(`broken ${place}`);
          if (kind === "hang") await new Promise(() => {});
        };
        const now = (name: string) => {
          if (name === place && kind === "throw") throw new Error(`broken ${place}`);
        };
        const base = makeDeps().deps;
        const name = mcp ? "mcp__a__b" : "probe";
        const tool = fakeTool({
          name,
          validate: async (input) => (await at("validate"), ok(input)),
          call: async () => (await at("call"), { ok: true, forModel: [{ type: "text", text: "done" }] }),
        });
        const deps: PipelineDeps = {
          ...base,
          protect: () => at("protect"),
          hooks: { run: async (event) => (await at(event === "PreToolUse" ? "pre" : "post"), said) },
          authorise: async () => (await at("authorise"), { behavior: "allow", waited: true }),
          watchWrites: async () => (await at("watch"), () => at("unwatch")),
          limit: async (content) => (await at("limit"), { content, cut: false }),
          redact: (text) => (now("redact"), text),
          journal: {
            ...base.journal,
            state: () => now("state"),
            started: () => at("started"),
            settled: async (_call, outcome) => (settled.push(outcome.status), at("settled")),
          },
        };
        const aborting = aborts || kind === "hang" ? (scope: ReturnType<typeof createScope>) => setTimeout(() => scope.abort({ by: "person" }), 2) : undefined;
        const result = await runOne(deps, writing("c", { tool, name }), aborting);
        expect([result.callId, settled.length]).toEqual(["c", 1]);
        expect(result.forModel.length).toBeGreaterThan(0);
        if (place === "unwatch" && aborting === undefined && said.length === 0) expect(kindOf(result)).toBe("ok");
        if (kind === "throw" && aborting === undefined && (place === "limit" || place === "redact" || place === "settled"))
          expect(kindOf(result)).toBe("exception");
      }),
      { numRuns: 200 * Number(process.env["CAIRN_FUZZ"] ?? 1) },
    );
  }, 120_000);
});

function permission(says: "allow" | "ask" | "deny"): HookOutcome {
  return { kind: "permission", says, reason: "" };
}
