import { describe, expect, it } from "vitest";
import { text } from "#shared/chat/blocks.ts";
import { NO_USAGE } from "#shared/chat/usage.ts";
import { ReplyId } from "#shared/lib/ids.ts";
import type { FailureKind } from "#shared/tools/failure.ts";
import type { ToolOutcome } from "#shared/tools/outcome.ts";
import type { CallInFlight } from "#electron/pipeline/contract.ts";
import type { CallTraits } from "#electron/tools/contract.ts";
import { fakeCall, okOutcome } from "#electron/testkit/calls.ts";
import type { Round } from "./contract.ts";
import { createGuards } from "./guards.ts";
import { initialState } from "./state.ts";
import { createTurnFacts } from "./turn-facts.ts";

const state = initialState({ history: [], prompt: { role: "user", blocks: [text("go")] } });
const READS: CallTraits = {
  readOnly: true,
  concurrencySafe: true,
  destructive: false,
  mayWrite: false,
  reproducible: true,
  effects: [{ kind: "reads", target: "/a" }],
  conflictKeys: [],
};
const PROBE: CallTraits = { ...READS, effects: [{ kind: "runs" }] };
const WRITES: CallTraits = { ...READS, readOnly: false, mayWrite: true, concurrencySafe: false, effects: [{ kind: "writes", target: "/a" }] };
const BUILDS: CallTraits = { ...WRITES, effects: [{ kind: "runs" }] };

let ids = 0;
type Done = Round["done"][number];
const done = (name: string, input: string, output: string, traits: CallTraits): Done => {
  const call = fakeCall(`c${(ids += 1)}`, { name, raw: { input }, traits });
  return { call, outcome: okOutcome(call, output) };
};
const fails = (name: string, input: string, change: Partial<CallInFlight> = {}, message = "no such parameter"): Done => {
  const call = fakeCall(`c${(ids += 1)}`, { name, raw: { input }, traits: WRITES, ...change });
  const outcome: ToolOutcome = { ...okOutcome(call, message), status: "failed", failure: { kind: "invalid_input", retryable: true, message } };
  return { call, outcome };
};
const failsWith = (kind: FailureKind, traits: CallTraits): Done => {
  const one = fails("edit", "x", { traits });
  return one.outcome.status === "failed" ? { ...one, outcome: { ...one.outcome, failure: { ...one.outcome.failure, kind } } } : one;
};
const round = (...all: Done[]): Round => ({
  reply: { id: ReplyId.parse("r"), blocks: [], stop: { kind: "tool_use" }, usage: NO_USAGE, by: { provider: "p", model: "m" } },
  done: all,
});
const saying = (words: string, ...all: Done[]): Round => ({ ...round(...all), reply: { ...round().reply, blocks: [text(words)] } });

/** The names of the guards that spoke, per round. */
function spoke(rounds: readonly Round[]): readonly string[][] {
  const facts = createTurnFacts();
  const guards = createGuards(facts);
  return rounds.map((one) => {
    facts.observe(one);
    return guards.flatMap((guard) => {
      const verdict = guard.check(state, one);
      return verdict.kind === "quiet" ? [] : [`${guard.name} ${verdict.kind}`];
    });
  });
}

const status = () => round(done("bash", "git status", "(no output)", PROBE));
const A = ["same_read_same_output note"];

describe("guard a: the same read with the same output (L16)", () => {
  it("speaks at the third time", () => {
    expect(spoke([status(), status(), status()])).toEqual([[], [], A]);
  });

  it("reads in between do not reset it", () => {
    const read = (file: string) => round(done("read", file, `content of ${file}`, READS));
    expect(spoke([status(), read("a"), status(), read("b"), status()])).toEqual([[], [], [], [], A]);
  });

  it("a write does", () => {
    expect(spoke([status(), status(), round(done("write", "a", "written", WRITES)), status(), status()])).toEqual([[], [], [], [], []]);
  });

  it("a new command that shows something new does, the same command with other output too", () => {
    expect(spoke([status(), status(), round(done("bash", "ls", "files", PROBE)), status(), status()])).toEqual([[], [], [], [], []]);
    expect(spoke([status(), status(), round(done("bash", "git status", "M a", PROBE)), status(), status()])).toEqual([[], [], [], [], []]);
  });

  it("alternating between two frozen commands is noticed all the same", () => {
    const other = () => round(done("bash", "git diff", "(nothing)", PROBE));
    expect(spoke([other(), status(), other(), status(), other(), status()]).flat()).toContain("same_read_same_output note");
  });

  it("is not about calls that may write", () => {
    const build = () => round(done("bash", "make", "ok, built", BUILDS));
    expect(spoke([build(), build(), build(), build()])).toEqual([[], [], [], []]);
  });
});

describe("guard b: one scalar, again and again (L16)", () => {
  const count = (value = "139") => round(done("bash", "make 2>&1 | grep -c error", value, BUILDS));
  const B = ["identical_scalar note"];

  it("speaks at the fifth time in a row, then begins anew", () => {
    expect(spoke([count(), count(), count(), count(), count(), count(), count(), count(), count(), count()]).map((names) => names.length)).toEqual([
      0, 0, 0, 0, 1, 0, 0, 0, 0, 1,
    ]);
    expect(spoke([count(), count(), count(), count(), count()]).at(-1)).toEqual(B);
  });

  it.each([
    ["another value", count("136")],
    ["more than a scalar", count("3 errors\nsrc/a.ts:1: no")],
    ["text for the person", saying("139 errors left", done("bash", "make 2>&1 | grep -c error", "139", BUILDS))],
    ["a file written", round(done("write", "a", "written", WRITES), done("bash", "make 2>&1 | grep -c error", "139", BUILDS))],
    ["another command", round(done("bash", "true", "139", BUILDS))],
  ])("%s is progress", (_name, between) => {
    expect(
      spoke([count(), count(), count(), count(), between, count()])
        .flat()
        .filter((name) => name.startsWith("identical")),
    ).toEqual([]);
  });

  it("tells facts and a better command, never praise or blame", () => {
    const facts = createTurnFacts();
    const guards = createGuards(facts);
    const said = [count("140"), count(), count(), count(), count(), count()].map((one) => {
      facts.observe(one);
      return guards.map((guard) => guard.check(state, one)).find((verdict) => verdict.kind === "note");
    });
    const note = said.at(-1);
    expect(note?.kind === "note" && note.text).toMatch(/0 files changed\. This number went 140 → 139\..*CMD > \/tmp\/out\.txt/);
  });
});

describe("guard c: a call that cannot succeed (L16)", () => {
  const C = (kind: string) => [`cannot_succeed ${kind}`];
  it("tells the model at three and asks at five", () => {
    expect(spoke(Array.from({ length: 6 }, () => round(fails("edit", "x"))))).toEqual([[], [], C("note"), [], C("ask"), []]);
  });

  it("counts unknown tools and broken arguments the same way", () => {
    expect(spoke(Array.from({ length: 3 }, () => round(fails("nope", "x", { tool: undefined })))).at(-1)).toEqual(C("note"));
    const broken = () => fails("edit", "", { raw: {}, invalid: { raw: '{"a', why: "not_json" } });
    expect(spoke(Array.from({ length: 3 }, () => round(broken()))).at(-1)).toEqual(C("note"));
  });

  it("five of them in one reply count once: the model could not know", () => {
    expect(spoke([round(fails("edit", "x"), fails("edit", "x"), fails("edit", "x"), fails("edit", "x"), fails("edit", "x"))])).toEqual([[]]);
  });

  it("a change of a file that cannot be made is one; what was written in between may have cured it", () => {
    const noMatch = () => failsWith("tool_error", WRITES);
    expect(spoke(Array.from({ length: 5 }, () => round(noMatch())))).toEqual([[], [], C("note"), [], C("ask")]);
    const wrote = round(done("write", "b", "written", WRITES));
    expect(spoke([round(noMatch()), round(noMatch()), wrote, round(noMatch()), round(noMatch())]).flat()).toEqual([]);
    for (const kind of ["permission_denied", "timeout", "exception", "hook_blocked"] as const)
      expect(spoke(Array.from({ length: 5 }, () => round(failsWith(kind, WRITES)))).flat()).toEqual([]);
  });

  it("another error or another input is another call", () => {
    expect(spoke([round(fails("edit", "x")), round(fails("edit", "x", {}, "other")), round(fails("edit", "y"))])).toEqual([[], [], []]);
  });

  it("a failing command is a normal outcome, not a hopeless call", () => {
    expect(spoke(Array.from({ length: 5 }, () => round(failsWith("tool_error", BUILDS)))).flat()).toEqual([]);
  });
});

describe("broad detection (L16)", () => {
  const shapes = (rounds: readonly Round[], broad: boolean) => {
    const guards = createGuards(createTurnFacts(), broad).filter((guard) => guard.name === "same_shape");
    return rounds.flatMap((one, index) => guards.flatMap((guard) => (guard.check(state, one).kind === "note" ? [index] : [])));
  };
  const bash = (command: string) => {
    const one = done("bash", "", `out of ${command}`, PROBE);
    return round({ ...one, call: fakeCall(`c${(ids += 1)}`, { name: "bash", raw: { command }, traits: PROBE }) });
  };
  const greps = Array.from({ length: 7 }, (_, n) => bash(`grep -rn word${n} src`));

  it("is off unless it is wanted", () => {
    expect([shapes(greps, false), shapes(greps, true)]).toEqual([[], [6]]);
  });

  it("tells commands apart by program and verb, so an inspection is none", () => {
    const inspection = ["git status", "git diff", "git log", "git add x", "git commit -m y", "git show", "npm test", "git stash list", "ls"].map(bash);
    expect(shapes(inspection, true)).toEqual([]);
  });

  it("a file written begins the count anew", () => {
    expect(shapes([...greps.slice(0, 6), round(done("write", "a", "written", WRITES)), ...greps.slice(0, 6)], true)).toEqual([]);
  });
});
