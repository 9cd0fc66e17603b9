import { describe, expect, it } from "vitest";
import type { PermissionMode } from "#shared/permissions/mode.ts";
import type { AskedItem, PersonAnswer } from "#shared/questions/question.ts";
import { definitionsOf } from "#electron/tools/definitions.ts";
import { createRegistry } from "#electron/tools/registry.ts";
import { isRecord } from "#electron/tools/schema.ts";
import { callTool } from "#electron/tools/testkit/call-tool.ts";
import { declarationFaults } from "#electron/tools/testkit/declarations.ts";
import { type Askable, createAskUserTool } from "./ask-user.ts";
import { createPlanExitTool, type PlanDeps } from "./plan-exit.ts";

const ITEM = { question: "Which database?", header: "Database", options: [{ label: "SQLite", description: "one file" }, { label: "Postgres" }] };
const MANY = { ...ITEM, question: "Which tests?", header: "Tests", multiSelect: true };
const place = { cwd: "/ws", home: "/h" };

function asking(answer: PersonAnswer | undefined) {
  const asked: (readonly AskedItem[])[] = [];
  const askable: Askable = { kind: "person", ask: async (items) => (asked.push(items), answer) };
  return { asked, tool: createAskUserTool({ askable }) };
}

function planning(change: Partial<PlanDeps> = {}, answer?: PersonAnswer) {
  const seen: { mode: PermissionMode; readonly saved: string[]; readonly asked: string[] } = { mode: "plan", saved: [], asked: [] };
  const deps: PlanDeps = {
    mode: () => seen.mode,
    file: () => "/data/plan.md",
    read: async () => undefined,
    save: async (plan) => void seen.saved.push(plan),
    person: {
      ask: async (plan) => (seen.asked.push(plan), answer),
      setMode: async (mode) => void (seen.mode = mode),
    },
    ...change,
  };
  return { seen, tool: createPlanExitTool(deps) };
}

describe("the tools that need the person", () => {
  const tools = [asking(undefined).tool, planning().tool];

  it("are declared whole, and nothing about them is ever asked or written (P2)", async () => {
    expect(declarationFaults(tools, { ask_user: { input: { questions: [ITEM] }, place }, plan_exit: { input: {}, place } })).toEqual([]);
    for (const tool of tools) {
      const { traits } = await callTool(tool, tool.name === "ask_user" ? { questions: [ITEM] } : {});
      expect(traits).toMatchObject({ readOnly: true, mayWrite: false, destructive: false, effects: [{ kind: "asks_person" }], conflictKeys: [] });
    }
  });

  it("have the names and parameters that models know (T20)", () => {
    const registry = createRegistry(tools);
    expect(definitionsOf(registry).map(({ name, schema }) => [name, isRecord(schema["properties"]) ? Object.keys(schema["properties"]) : []])).toEqual([
      ["ask_user", ["questions"]],
      ["plan_exit", ["plan"]],
    ]);
    const asked = ["AskUserQuestion", "ask_user_question", "ExitPlanMode", "exit_plan_mode"];
    expect(asked.map((name) => registry.find(name)?.name)).toEqual(["ask_user", "ask_user", "plan_exit", "plan_exit"]);
    expect(Buffer.byteLength(JSON.stringify(definitionsOf(registry)))).toBeLessThan(2_600);
  });
});

describe("ask_user", () => {
  it("asks all questions at once and brings back choices and own words", async () => {
    const { asked, tool } = asking({ kind: "answers", answers: [{ picked: ["SQLite"] }, { picked: ["SQLite", "Postgres"], words: "both, by hand" }] });
    const { text, returned } = await callTool(tool, { questions: [ITEM, MANY] });
    expect(asked).toEqual([
      [
        {
          header: "Database",
          question: "Which database?",
          choices: [
            { label: "SQLite", description: "one file" },
            { label: "Postgres", description: "" },
          ],
          multiSelect: false,
        },
        expect.objectContaining({ multiSelect: true }),
      ],
    ]);
    expect(text).toBe(
      "The user answered.\n\nDatabase: Which database?\nThey chose: SQLite.\n\nTests: Which tests?\nThey chose: SQLite; Postgres.\nIn their own words: both, by hand",
    );
    expect(returned?.view).toEqual({
      kind: "answers",
      declined: false,
      items: [
        { header: "Database", question: "Which database?", picked: ["SQLite"] },
        { header: "Tests", question: "Which tests?", picked: ["SQLite", "Postgres"], words: "both, by hand" },
      ],
    });
  });

  it("says whose the decision is when the person leaves it, and what was answered instead of a choice", async () => {
    const left = await callTool(asking({ kind: "declined" }).tool, { questions: [ITEM] });
    expect([left.text, left.returned?.view]).toEqual([
      expect.stringMatching(/leaves it to you.*do not ask the same again/),
      { kind: "answers", declined: true, items: [{ header: "Database", question: "Which database?", picked: [] }] },
    ]);
    expect((await callTool(asking({ kind: "answers", answers: [{ picked: [], words: "a file" }] }).tool, { questions: [ITEM] })).text).toMatch(
      /none of the offered\.\nIn their own words: a file/,
    );
  });

  it("is one failed call when it is stopped, and an answer at once where nobody can be asked", async () => {
    expect((await callTool(asking(undefined).tool, { questions: [ITEM] })).returned).toMatchObject({ ok: false, failure: { kind: "aborted" } });
    const nobody = async (kind: "headless" | "subagent") => callTool(createAskUserTool({ askable: { kind } }), { questions: [ITEM] });
    const headless = await nobody("headless");
    expect(headless.returned).toMatchObject({ ok: false, failure: { kind: "tool_error", retryable: false } });
    expect(headless.text).toMatch(/Nobody is there/);
    expect((await nobody("subagent")).text).toMatch(/sub-agent cannot ask the user/);
  });

  it.each([
    [{ questions: [] }, /at least 1/],
    [{ questions: Array.from({ length: 5 }, () => ITEM) }, /at most 4/],
    [{ questions: [{ ...ITEM, options: [{ label: "A" }] }] }, /at least 2/],
    [{ questions: [{ ...ITEM, options: ["A", "B", "C", "D", "E"].map((label) => ({ label })) }] }, /at most 4/],
    [{ questions: [{ ...ITEM, options: [{ label: "A" }, { label: "A " }] }] }, /labels that differ/],
    [{ questions: [{ ...ITEM, header: " " }] }, /header/],
    [{ questions: [{ ...ITEM, question: "x".repeat(1_001) }] }, /at most 1000|at most 1,000/],
    [{ questions: [{ ...ITEM, kind: "choice" }] }, /unknown field/],
  ])("refuses %j", async (input, message) => {
    const { asked, tool } = asking({ kind: "declined" });
    expect((await callTool(tool, input)).text).toMatch(message);
    expect(asked).toEqual([]);
  });
});

describe("plan_exit", () => {
  it("keeps the plan, presents it, and goes on in the mode that the person chose", async () => {
    for (const mode of ["default", "acceptEdits"] as const) {
      const { seen, tool } = planning({}, { kind: "approved", mode });
      const { text, returned } = await callTool(tool, { plan: "# Plan\n" });
      expect(seen).toEqual({ mode, saved: ["# Plan\n"], asked: ["# Plan"] });
      expect([text, returned?.view]).toEqual([
        "The user approved the plan.\nCarry it out now. It is kept in /data/plan.md.",
        { kind: "plan", plan: "# Plan", decision: "approved" },
      ]);
    }
  });

  it("puts the person's changes above the plan", async () => {
    const { tool } = planning({}, { kind: "approved", mode: "default", words: " no calendar " });
    const { text, returned } = await callTool(tool, { plan: "p" });
    expect([text, returned?.view]).toEqual([
      expect.stringMatching(/with these changes, which count more than the plan:\nno calendar\n/),
      { kind: "plan", plan: "p", decision: "approved", words: "no calendar" },
    ]);
  });

  it("stays in plan mode after a no, with the words; in another mode nothing is carried out either", async () => {
    const { seen, tool } = planning({}, { kind: "rejected", words: "too much" });
    const { text, returned } = await callTool(tool, { plan: "p" });
    expect([seen.mode, returned?.view]).toEqual(["plan", { kind: "plan", plan: "p", decision: "rejected", words: "too much" }]);
    expect(text).toBe(
      "The user rejected this plan. They say:\ntoo much\n\nPlan mode stays on: work on another plan and present that; do not present the same one again.",
    );
    let asked = false;
    const left = planning({
      mode: () => (asked ? "default" : "plan"),
      person: { ask: async () => ((asked = true), { kind: "rejected" }), setMode: async () => undefined },
    });
    expect((await callTool(left.tool, { plan: "p" })).text).toMatch(/no reason.*\nDo not carry it out/);
  });

  it("presents the plan file when no plan is given, and says so when there is none", async () => {
    const { seen, tool } = planning({ read: async () => "# From the file\n" }, { kind: "rejected" });
    await callTool(tool, {});
    expect(seen).toMatchObject({ asked: ["# From the file"], saved: [] });
    for (const read of [async () => undefined, async () => " \n"]) {
      expect((await callTool(planning({ read }).tool, {})).text).toMatch(/no plan to present.*write it to \/data\/plan\.md/);
    }
    expect((await callTool(planning({ read: async () => "x".repeat(60_001) }).tool, {})).text).toMatch(/60001 characters; at most 60000/);
  });

  it("has a next step outside plan mode, and asks nobody", async () => {
    const { seen, tool } = planning({}, { kind: "approved", mode: "default" });
    seen.mode = "acceptEdits";
    const { text, returned } = await callTool(tool, { plan: "p" });
    expect([returned?.ok, text, seen.asked, seen.saved]).toEqual([false, expect.stringMatching(/Plan mode is off.*Carry out/), [], []]);
  });

  it("is one failed call when it is stopped; without a person the plan itself is the answer", async () => {
    const { seen, tool } = planning({}, undefined);
    expect([(await callTool(tool, { plan: "p" })).returned, seen.mode]).toEqual([expect.objectContaining({ ok: false }), "plan"]);
    const { person: _none, ...alone } = { mode: () => "plan" as const, file: () => "/f", read: async () => undefined, save: async () => undefined, person: 0 };
    const headless = await callTool(createPlanExitTool(alone), { plan: "p" });
    expect(headless.returned).toMatchObject({ ok: true, view: { kind: "plan", plan: "p", decision: "unasked" } });
  });
});
