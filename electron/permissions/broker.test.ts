import { describe, expect, it } from "vitest";
import { CallId, QuestionId, TurnId } from "#shared/lib/ids.ts";
import type { PermissionAnswer, PermissionQuestion } from "#shared/permissions/question.ts";
import { toolWith } from "#electron/testkit/permission-bench.ts";
import type { Tool } from "#electron/tools/contract.ts";
import { classify } from "#electron/tools/classify.ts";
import { type BrokerDeps, createPermissionBroker } from "./broker.ts";
import type { PermissionQuery, Verdict } from "./contract.ts";

const place = { cwd: "/w", home: "/home/u" };
const ASKED: Verdict = { behavior: "ask", by: "ask", reason: "Nothing allows it yet" };
const NEVER = new AbortController().signal;

const writer = (more: Partial<Parameters<typeof toolWith>[1]> = {}) =>
  toolWith("probe", { effects: [{ kind: "writes", target: "/w/a" }], permissionTarget: () => "/w/a", suggestRules: () => ["edit(a)", "edit(**)"], ...more });

function queryFor(tool: Tool, input: unknown = {}, call = "call_1"): PermissionQuery {
  return {
    call: CallId.parse(call),
    turn: TurnId.parse("turn_1"),
    tool,
    input,
    parsed: true,
    facts: undefined,
    traits: classify(tool, input, place, undefined),
    place,
    mode: "default",
    hookSays: undefined,
  };
}

type Shown = {
  readonly question: PermissionQuestion;
  readonly signal: AbortSignal;
  readonly answer: (answer: PermissionAnswer | undefined) => void;
  readonly fail: (error: Error) => void;
};

function bench(more: Partial<BrokerDeps> = {}) {
  const shown: Shown[] = [];
  const log: string[] = [];
  let open = 0;
  let ids = 0;
  const broker = createPermissionBroker({
    ask: (question, signal) =>
      new Promise((resolve, reject) => {
        shown.push({ question, signal, answer: resolve, fail: reject });
        signal.addEventListener("abort", () => resolve(undefined));
      }),
    recheck: async () => ASKED,
    remember: async (rule, scope) => void log.push(`remember ${rule} ${scope}`),
    notRemembered: (rule) => void log.push(`not remembered ${rule}`),
    personWait: {
      open: () => {
        open += 1;
        return { [Symbol.dispose]: () => void (open -= 1) };
      },
    },
    newQuestionId: () => QuestionId.parse(`q_${(ids += 1)}`),
    checkpointTaken: () => false,
    platform: "linux",
    ...more,
  });
  const settled = async () => {
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  return { broker, shown, log, settled, openWaits: () => open };
}

describe("the broker", () => {
  it("shows what will happen and passes the answer on", async () => {
    const { broker, shown, settled } = bench({ checkpointTaken: () => true });
    const answer = broker.ask(queryFor(writer()), ASKED, 0, NEVER);
    await settled();
    expect(shown[0]?.question).toEqual({
      id: "q_1",
      call: "call_1",
      tool: "probe",
      verb: "edit_file",
      subject: "probe",
      detail: { kind: "json", json: "{}" },
      tags: ["changes_files", "checkpoint_taken"],
      suggestions: ["edit(a)", "edit(**)"],
      by: "ask",
      because: "Nothing allows it yet",
      refusals: 0,
      explanation: {
        why: "not_allowed_yet",
        parts: [],
        more: 0,
        unread: false,
        reads: [],
        writes: ["/w/a"],
        deletes: [],
        network: [],
        undo: ["files_saved"],
      },
    });
    shown[0]?.answer({ behavior: "deny", why: "not now" });
    expect(await answer).toEqual({ behavior: "deny", why: "not now" });
  });

  it("counts the wait for the person and closes it however it ends", async () => {
    const { broker, shown, settled, openWaits } = bench();
    const aborted = new AbortController();
    const answers = [
      broker.ask(queryFor(writer(), 1), ASKED, 0, NEVER),
      broker.ask(queryFor(writer(), 2), ASKED, 0, aborted.signal),
      broker.ask(queryFor(writer(), 3), ASKED, 0, NEVER),
    ];
    await settled();
    expect(openWaits()).toBe(3);
    shown[0]?.answer({ behavior: "allow" });
    aborted.abort();
    shown[2]?.fail(new Error("window gone"));
    expect(await Promise.all(answers)).toEqual([{ behavior: "allow" }, undefined, { behavior: "deny", why: "The question could not be shown: window gone" }]);
    await settled();
    expect([openWaits(), broker.pending()]).toEqual([0, 0]);
  });

  it("withdraws the question when its call is aborted", async () => {
    const { broker, shown, settled } = bench();
    const controller = new AbortController();
    const answer = broker.ask(queryFor(writer()), ASKED, 0, controller.signal);
    await settled();
    controller.abort();
    expect([await answer, shown[0]?.signal.aborted]).toEqual([undefined, true]);
  });

  it("does not ask for a call that is aborted already", async () => {
    const { broker, shown } = bench();
    expect([await broker.ask(queryFor(writer()), ASKED, 0, AbortSignal.abort()), shown.length]).toEqual([undefined, 0]);
  });

  it("refuses when a question cannot even be made", async () => {
    const { broker } = bench({
      newQuestionId: () => {
        throw new Error("no ids left");
      },
    });
    expect(await broker.ask(queryFor(writer()), ASKED, 0, NEVER)).toMatchObject({ behavior: "deny" });
    expect(broker.pending()).toBe(0);
  });
});

describe("parallel calls", () => {
  it("with the same call ask once, and each gets the answer", async () => {
    const { broker, shown, settled } = bench();
    const answers = ["call_1", "call_2", "call_3"].map((call) => broker.ask(queryFor(writer(), { a: 1 }, call), ASKED, 0, NEVER));
    await settled();
    expect(shown.length).toBe(1);
    shown[0]?.answer({ behavior: "allow" });
    expect(await Promise.all(answers)).toEqual([{ behavior: "allow" }, { behavior: "allow" }, { behavior: "allow" }]);
  });

  it("stay open for the others when one of them is aborted", async () => {
    const { broker, shown, settled } = bench();
    const controller = new AbortController();
    const first = broker.ask(queryFor(writer()), ASKED, 0, controller.signal);
    const second = broker.ask(queryFor(writer(), {}, "call_2"), ASKED, 0, NEVER);
    await settled();
    controller.abort();
    expect(await first).toBeUndefined();
    expect(shown[0]?.signal.aborted).toBe(false);
    shown[0]?.answer({ behavior: "allow" });
    expect(await second).toEqual({ behavior: "allow" });
  });

  it("that read the same thing are one question, whatever part they read", async () => {
    const { broker, shown, settled } = bench();
    const reader = toolWith("probe", { effects: [{ kind: "reads", target: "/x/a" }], readOnly: true, permissionTarget: () => "/x/a" });
    const verdict: Verdict = { behavior: "ask", by: "path_guard", reason: "It reads outside the workspace", about: "/x/a", personOnly: true };
    void broker.ask(queryFor(reader, { offset: 1 }), verdict, 0, NEVER);
    void broker.ask(queryFor(reader, { offset: 9 }), verdict, 0, NEVER);
    await settled();
    expect(shown.length).toBe(1);
  });

  it("that differ in what they change are separate questions", async () => {
    const { broker, shown, settled } = bench();
    void broker.ask(queryFor(writer(), { text: "a" }), ASKED, 0, NEVER);
    void broker.ask(queryFor(writer(), { text: "b" }), ASKED, 0, NEVER);
    await settled();
    expect(shown.length).toBe(2);
  });
});

describe("remembering", () => {
  it("saves an offered rule and releases what it covers", async () => {
    let remembered = false;
    const { broker, shown, log, settled } = bench({
      remember: async () => void (remembered = true),
      recheck: async () => (remembered ? { behavior: "allow", by: "allow_rules", reason: "rule" } : ASKED),
    });
    const answers = [1, 2].map((input) => broker.ask(queryFor(writer(), input), ASKED, 0, NEVER));
    await settled();
    shown[0]?.answer({ behavior: "allow", remember: { rule: "edit(**)", scope: "folder" } });
    expect(await Promise.all(answers)).toEqual([{ behavior: "allow", remember: { rule: "edit(**)", scope: "folder" } }, { behavior: "allow" }]);
    expect([shown[1]?.signal.aborted, log]).toEqual([true, []]);
  });

  it("never saves a rule that was not offered", async () => {
    const { broker, shown, log, settled } = bench();
    const answer = broker.ask(queryFor(writer()), ASKED, 0, NEVER);
    await settled();
    shown[0]?.answer({ behavior: "allow", remember: { rule: "bash", scope: "everywhere" } });
    expect([await answer, log]).toEqual([{ behavior: "allow" }, []]);
  });

  it("allows this once when the rule could not be saved, and says so", async () => {
    const { broker, shown, log, settled } = bench({
      remember: async () => {
        throw new Error("disk full");
      },
    });
    const answer = broker.ask(queryFor(writer()), ASKED, 0, NEVER);
    await settled();
    shown[0]?.answer({ behavior: "allow", remember: { rule: "edit(a)", scope: "session" } });
    expect([await answer, log]).toEqual([{ behavior: "allow" }, ["not remembered edit(a)"]]);
  });
});

describe("what waits is judged again when mode or rules change", () => {
  it.each([
    [{ behavior: "allow", by: "bypass_mode", reason: "mode" } as const, { behavior: "allow" }],
    [{ behavior: "deny", by: "plan_mode", reason: "plan" } as const, { behavior: "deny", why: "plan" }],
  ])("%j", async (verdict, expected) => {
    const { broker, settled } = bench({ recheck: async () => verdict });
    const answer = broker.ask(queryFor(writer()), ASKED, 0, NEVER);
    await settled();
    await broker.recheckPending();
    expect(await answer).toEqual(expected);
  });

  it("but stays a question when it still is one, or when the judging fails", async () => {
    let fail = false;
    const { broker, shown, settled } = bench({
      recheck: async () => {
        if (fail) throw new Error("x");
        return ASKED;
      },
    });
    void broker.ask(queryFor(writer()), ASKED, 0, NEVER);
    await settled();
    await broker.recheckPending();
    fail = true;
    await broker.recheckPending();
    expect([broker.pending(), shown[0]?.signal.aborted]).toEqual([1, false]);
  });

  it("a question because of refusals is not refused again by the rule it is about", async () => {
    const { broker, settled } = bench({ recheck: async () => ({ behavior: "deny", by: "deny_rules", reason: "rule" }) });
    void broker.ask(queryFor(writer()), { ...ASKED, by: "deny_rules", personOnly: true }, 3, NEVER);
    await settled();
    await broker.recheckPending();
    expect(broker.pending()).toBe(1);
  });
});

describe("what may be offered as “Always…”", () => {
  const offered = async (tool: Tool, verdict: Verdict, refusals = 0) => {
    const { broker, shown, settled } = bench();
    void broker.ask(queryFor(tool), verdict, refusals, NEVER);
    await settled();
    return shown[0]?.question.suggestions;
  };

  it.each([
    ["a guard asked", { ...ASKED, by: "path_guard" as const, personOnly: true }, 0],
    ["an ask rule would ask again", { ...ASKED, by: "ask_rules" as const }, 0],
    ["the tool would ask again", { ...ASKED, by: "tool_opinion" as const }, 0],
    ["it is asked because of refusals", ASKED, 3],
  ])("nothing when %s", async (_why, verdict, refusals) => {
    expect(await offered(writer(), verdict, refusals)).toEqual([]);
  });

  it.each([
    ["the target hides characters", writer({ permissionTarget: () => "rm -rf /tmp/\u200bimportant" })],
    ["the rule hides characters", writer({ suggestRules: () => ["edit(a\u202eb)"] })],
    ["the rule would be none", writer({ suggestRules: () => ["fi; done", "edit("] })],
    [
      "the tool's suggestion fails",
      writer({
        suggestRules: () => {
          throw new Error("x");
        },
      }),
    ],
  ])("nothing when %s", async (_why, tool) => {
    expect(await offered(tool, ASKED)).toEqual([]);
  });

  it("the whole tool when it has no target, unless it destroys", async () => {
    expect(await offered(toolWith("mcp__x__y", { effects: [] }), ASKED)).toEqual(["mcp__x__y"]);
    expect(await offered(toolWith("mcp__x__y", { effects: [], destructive: true }), ASKED)).toEqual([]);
  });
});

describe("tags", () => {
  it.each([
    [[{ kind: "writes", target: "/w/a" }], false, ["changes_files"]],
    [[{ kind: "deletes", target: "/w/a" }], false, ["deletes_files"]],
    [[{ kind: "writes", target: "/x/a" }], false, ["changes_files", "outside_folder", "cannot_be_undone"]],
    [[{ kind: "reads", target: "/x/a" }], false, ["outside_folder"]],
    [[{ kind: "network", target: "example.org" }, { kind: "runs" }], false, ["network", "runs_command", "cannot_be_undone"]],
    [[{ kind: "runs" }, { kind: "git_index" }], true, ["changes_files", "runs_command", "cannot_be_undone"]],
  ] as const)("%j (destructive: %s) → %j", async (effects, destructive, tags) => {
    const { broker, shown, settled } = bench();
    void broker.ask(queryFor(toolWith("probe", { effects, destructive })), ASKED, 0, NEVER);
    await settled();
    expect(shown[0]?.question.tags).toEqual(tags);
  });

  it("reading outside has its own verb, and a card that fails is replaced by the whole input", async () => {
    const { broker, shown, settled } = bench();
    const tool = toolWith("probe", {
      effects: [{ kind: "reads", target: "/x/a" }],
      readOnly: true,
      askCard: async () => {
        throw new Error("x");
      },
    });
    void broker.ask(queryFor(tool, { path: "/x/a" }), { ...ASKED, by: "path_guard", about: "/x/a" }, 0, NEVER);
    await settled();
    expect(shown[0]?.question).toMatchObject({
      verb: "read_outside",
      detail: { kind: "json", json: '{\n  "path": "/x/a"\n}' },
      because: "Nothing allows it yet: /x/a",
    });
  });
});
