import { cleanup, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { createFakeEngine } from "#renderer/testkit/fake-engine.ts";
import type { FakeLog } from "#renderer/testkit/log.ts";
import { renderWindow, settle } from "#renderer/testkit/render.tsx";
import { storyOf, type Story } from "#renderer/testkit/sample-sessions.ts";
import { CallId, TurnId } from "#shared/lib/ids.ts";
import type { CardView } from "#shared/tools/card.ts";
import type { Interrupted } from "#shared/tools/recovery.ts";
import { shortPath, subjectOf } from "./describe.ts";
import { ToolCard } from "./tool-card.tsx";

const SHELL: Extract<CardView, { kind: "shell" }> = {
  kind: "shell",
  command: "npm test",
  output: "",
  exitCode: 0,
  signal: null,
  timedOut: false,
  background: false,
  stillRunning: [],
};
const CWD = "/home/me/work";

async function setUp(tell: (story: Story, log: FakeLog) => void) {
  const engine = createFakeEngine();
  const log = engine.addSession("s1", CWD);
  const story = storyOf(log, Date.now());
  story.prompt("go");
  tell(story, log);
  const id = Object.values(log.view().calls)[0]?.id ?? CallId.parse("c1");
  await renderWindow(<ToolCard id={id} />, { engine, session: log.id });
  return { log, id };
}
const card = () => screen.getByTestId("tool-card");

describe("tool card", () => {
  it.each<[string, unknown, CardView, string]>([
    ["read", { path: `${CWD}/src/a.ts` }, { kind: "file_read", path: "a.ts", from: 1, to: 80, total: 200 }, "Readsrc/a.tslines 1–80 of 200"],
    ["grep", { pattern: "fix" }, { kind: "search", pattern: "fix", matches: 3, files: 2, cut: false, sample: [] }, "Searchedfix3 matches in 2 files"],
    ["glob", { pattern: "*.ts" }, { kind: "listing", path: ".", count: 12, cut: true, sample: [] }, "Looked for files*.tsfirst 12 entries"],
    ["mcp__maps__route", {}, { kind: "text", text: "ok" }, "Used mcp__maps__route"],
  ])("says what %s did, on what, with what result", async (tool, input, view, words) => {
    await setUp((story) => story.run(tool, input, view, 10));
    expect([card().dataset["tool"], card().dataset["state"], card().textContent]).toEqual([tool, "ok", words]);
  });

  it.each<[string, string, CardView, RegExp]>([
    [
      "what was asked and answered",
      "ask_user",
      {
        kind: "answers",
        declined: false,
        items: [
          { header: "Db", question: "Which\u200b?", picked: ["SQLite"], words: "one file" },
          { header: "T", question: "Tests?", picked: [], words: "by hand" },
        ],
      },
      /^Asked youWhich\\u\{200b\}\?SQLiteIn your words: one fileTests\?In your words: by hand$/,
    ],
    [
      "what was left to it",
      "ask_user",
      { kind: "answers", declined: true, items: [{ header: "Db", question: "Which?", picked: [] }] },
      /^Asked youleft to the agentWhich\?left to the agent$/,
    ],
    [
      "a plan and the answer to it",
      "plan_exit",
      { kind: "plan", plan: "# A\u202e", decision: "rejected", words: "no" },
      /^PlanrejectedA\\u\{202e\}Your words: no$/,
    ],
    ["an approved plan", "plan_exit", { kind: "plan", plan: "B", decision: "approved" }, /^PlanapprovedB$/],
  ])("shows %s, without the time that the person took", async (_what, tool, view, words) => {
    await setUp((story) => story.run(tool, {}, view, 90_000));
    expect(card().textContent).toMatch(words);
  });

  it("shows a change with its lines and numbers", async () => {
    const lines = [
      { kind: "del" as const, text: "old", old: 1 },
      { kind: "add" as const, text: "new", new: 1 },
    ];
    await setUp((story) =>
      story.run(
        "edit",
        {},
        { kind: "file_change", change: "edited", diff: { path: "a.ts", added: 1, removed: 1, hunks: [{ oldStart: 1, newStart: 1, lines }] } },
        2_000,
      ),
    );
    expect(card().textContent).toBe("Editeda.ts+1−12.0 s1−old1+new");
  });

  it("shows a command like a terminal and names how it failed", async () => {
    await setUp((story) => story.run("bash", { command: "npm test" }, { ...SHELL, output: "\u001b[31m2 failed\u001b[0m", exitCode: 1 }, 3_200));
    expect(card().textContent).toBe("Rannpm testfailed (code 1)3.2 s$ npm test2 failed");
  });

  it("shows the end of long output, and all of it on demand", async () => {
    const output = Array.from({ length: 100 }, (_, at) => `line ${at}`).join("\n");
    await setUp((story) => story.run("bash", {}, { ...SHELL, output }, 10));
    expect(screen.queryByText("line 0")).toBeNull();
    expect(screen.getByText("line 99")).toBeTruthy();
    await userEvent.click(screen.getByText("… 84 earlier lines"));
    expect(screen.getByText("line 0")).toBeTruthy();
  });

  it("folds nothing away that takes no more room than the offer to show it", async () => {
    await setUp((story) => story.run("bash", {}, { ...SHELL, output: Array.from({ length: 18 }, (_, at) => `line ${at}`).join("\n") }, 10));
    expect(screen.getByText("line 0")).toBeTruthy();
  });

  it("explains a failure in plain words, with what the agent was told", async () => {
    await setUp((story) => story.fail("bash", { command: "sleep 999" }, "timeout", "Timed out after 120 s."));
    expect(card().dataset["state"]).toBe("failed");
    expect(card().textContent).toContain("This step took too long and was ended.");
    expect(within(card()).getByText("Timed out after 120 s.")).toBeTruthy();
  });

  it("tells a step that was stopped while it ran from one that never began, and from a question left unanswered", async () => {
    const settled = (own: FakeLog, call: CallId): void =>
      own.append({
        v: 1,
        type: "call_settled",
        turn: own.view().turn?.id ?? TurnId.parse("t"),
        call,
        tool: "bash",
        outcome: {
          status: "failed",
          callId: call,
          metrics: { ms: 0, bytes: 0 },
          forModel: [],
          display: "full",
          failure: { kind: "aborted", retryable: false, message: "The call was cancelled by the user." },
        },
      });
    const shown = async (tell: (story: Story, own: FakeLog) => void): Promise<string> => {
      await setUp(tell);
      const words = card().textContent ?? "";
      cleanup();
      return words;
    };
    expect(await shown((story) => story.fail("bash", {}, "aborted", "cancelled"))).toContain("stopped while it ran, so part of it may have happened");
    const never = await shown((story, own) => {
      story.ask({ verb: "run_command", subject: "ls", detail: { kind: "command", command: "ls", cwd: CWD } });
      settled(own, Object.values(own.view().calls)[0]?.id ?? CallId.parse("none"));
    });
    expect(never).toContain("not run");
    expect(never).toContain("This step was stopped before it began, so it was not run.");
    const unanswered = await shown((story, own) => {
      story.askPerson({ kind: "plan", plan: "p" });
      const [asked] = own.view().pending;
      if (asked === undefined) throw new Error("nothing asked");
      const turn = own.view().turn?.id ?? TurnId.parse("t");
      own.append({ v: 1, type: "call_started", turn, call: asked.call, tool: "plan_exit", input: {}, effects: [], readOnly: true });
      own.append({ v: 1, type: "person_answered", turn, question: asked.id, call: asked.call, answer: { kind: "cancelled" } });
      settled(own, asked.call);
    });
    expect(unanswered).toContain("You stopped before answering");
  });

  it("lives: waits, runs with its output and seconds, then settles", async () => {
    const { log, id } = await setUp((_story, own) =>
      own.append(
        {
          v: 1,
          type: "call_started",
          turn: own.view().turn?.id ?? TurnId.parse("t"),
          call: CallId.parse("c1"),
          tool: "bash",
          input: { command: "make" },
          effects: [],
          readOnly: false,
        },
        Date.now() - 65_000,
      ),
    );
    log.live({ type: "call_state", call: id, tool: "bash", state: "running", input: { command: "make" } });
    log.live({ type: "call_progress", call: id, progress: { kind: "output", text: "compiling…" } });
    await settle();
    expect(card().dataset["state"]).toBe("running");
    expect(card().textContent).toMatch(/^Runningmakerunning1 min [5-9] s\$ makecompiling…Run in background$/);
    log.append({
      v: 1,
      type: "call_settled",
      turn: log.view().turn?.id ?? TurnId.parse("t"),
      call: id,
      tool: "bash",
      outcome: { status: "ok", callId: id, metrics: { ms: 70_000, bytes: 1 }, forModel: [], display: "full", view: { ...SHELL, command: "make" } },
    });
    await settle();
    expect([card().dataset["state"], card().textContent]).toEqual(["ok", "Ranmake1 min 10 s$ make(no output)"]);
  });

  it("shows an answer that is waited for", async () => {
    await setUp((story) => story.ask({ verb: "run_command", subject: "ls", detail: { kind: "command", command: "ls", cwd: CWD } }));
    expect([card().dataset["state"], card().textContent]).toEqual(["asking", "RunlsWaits for your answer"]);
  });

  it.each([
    ["full", "ok", true],
    ["summary", "ok", false],
    ["summary", "failed", true],
    ["hidden", "failed", true],
  ] as const)("a result of mode %s that is %s shows its body by itself: %s (T10)", async (display, status, open) => {
    await setUp((story, log) => {
      story.ask({ verb: "use_tool", subject: "x", detail: { kind: "json", json: "{}" } });
      const call = Object.values(log.view().calls)[0];
      if (call === undefined) throw new Error("no call");
      const base = { callId: call.id, metrics: { ms: 1, bytes: 1 }, forModel: [{ type: "text" as const, text: "the body" }], display };
      const failure = { kind: "tool_error" as const, retryable: false, message: "the body" };
      const outcome = status === "ok" ? { status, ...base } : { status, ...base, failure };
      log.append({ v: 1, type: "call_settled", turn: call.turn, call: call.id, tool: "x", outcome });
    });
    expect(screen.queryAllByText("the body").length > 0).toBe(open);
    await userEvent.click(within(card()).getAllByRole("button")[0] ?? card());
    expect(screen.queryAllByText("the body").length > 0).toBe(!open);
  });

  it("folds and unfolds by its head", async () => {
    await setUp((story) => story.run("bash", {}, { ...SHELL, output: "seen" }, 10));
    const head = within(card()).getByRole("button", { expanded: true });
    await userEvent.click(head);
    expect(screen.queryByText("seen")).toBeNull();
  });
});

describe("a step that Cairn's own end cut off (S2)", () => {
  const cut = async (interrupted: Interrupted) => {
    const at = await setUp((story, log) => {
      story.ask({ verb: "run_command", subject: "npm publish", detail: { kind: "command", command: "npm publish", cwd: CWD } });
      const call = Object.values(log.view().calls)[0];
      if (call === undefined) throw new Error("no call");
      const base = { callId: call.id, metrics: { ms: 0, bytes: 0 }, forModel: [], display: "full" as const, interrupted };
      const failure = { kind: "aborted" as const, retryable: true, message: "unknown" };
      const outcome = interrupted === "done" ? { status: "ok" as const, ...base } : { status: "failed" as const, ...base, failure };
      log.append({ v: 1, type: "call_settled", turn: call.turn, call: call.id, tool: "bash", outcome });
      story.end({ why: "interrupted" });
    });
    return at;
  };

  it.each([
    ["not_run", "not runCairn was closed before this step ran."],
    ["repeatable", "It only reads"],
    ["done", "so it was done."],
    ["not_done", "The file is as it was before."],
  ] as const)("%s: says what is known and asks nothing", async (interrupted, words) => {
    await cut(interrupted);
    expect(card().textContent).toContain(words);
    expect(screen.queryByTestId("outcome-question")).toBeNull();
  });

  it.each([
    ["It took effect", true, "You said: it took effect."],
    ["It did not", false, "You said: it did not take effect."],
  ])("unknown: asks the person, by keyboard too (%s)", async (button, happened, words) => {
    const { log } = await cut("unknown");
    expect(card().textContent).toContain("outcome unknown");
    const asked = within(screen.getByTestId("outcome-question"));
    asked.getByRole("button", { name: button }).focus();
    await userEvent.keyboard("{Enter}");
    await settle();
    expect(log.stored().at(-1)?.event).toMatchObject({ type: "outcome_told", happened });
    expect(within(card()).getByRole("status").textContent).toBe(words);
    expect(screen.queryByTestId("outcome-question")).toBeNull();
  });

  it("asks no longer once the conversation has gone on", async () => {
    const { log } = await cut("unknown");
    storyOf(log, Date.now()).prompt("go on");
    await settle();
    expect(screen.queryByTestId("outcome-question")).toBeNull();
  });
});

describe("what a call is about", () => {
  it.each([
    [{ command: "ls", path: "x" }, "ls"],
    [{ file_path: "/a" }, "/a"],
    [{ url: "https://a.b" }, "https://a.b"],
    [{ path: 7 }, ""],
    ["text", ""],
    [null, ""],
  ])("subjectOf(%j) is %j", (input, subject) => {
    expect(subjectOf(input)).toBe(subject);
  });

  it.each([
    ["/home/me/work/src/a.ts", "src/a.ts"],
    ["/home/me/workshop/a.ts", "/home/me/workshop/a.ts"],
    ["/etc/hosts", "/etc/hosts"],
    ["src/a.ts", "src/a.ts"],
  ])("shortPath(%j) is %j", (path, short) => {
    expect(shortPath(path, CWD)).toBe(short);
  });
});
