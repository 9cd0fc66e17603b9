import { describe, expect, it } from "vitest";
import { CallId, TurnId } from "#shared/lib/ids.ts";
import type { PermissionAnswer } from "#shared/permissions/question.ts";
import { toolWith } from "#electron/testkit/permission-bench.ts";
import { createAuthorise } from "./authorise.ts";
import { describeBans } from "./bans.text.ts";
import type { PermissionQuery, Verdict } from "./contract.ts";
import { createRefusals } from "./refusals.ts";

const tool = toolWith("probe", { effects: [] });
const query: PermissionQuery = {
  call: CallId.parse("c"),
  turn: TurnId.parse("t"),
  tool,
  input: {},
  parsed: true,
  facts: undefined,
  traits: { readOnly: false, concurrencySafe: false, destructive: false, mayWrite: true, reproducible: false, effects: [], conflictKeys: [] },
  place: { cwd: "/w", home: "/h" },
  mode: "default",
  hookSays: undefined,
};
const NEVER = new AbortController().signal;
const ALLOW: Verdict = { behavior: "allow", by: "allow_rules", reason: "rule", rules: ["bash(x)"] };
const ASK: Verdict = { behavior: "ask", by: "ask", reason: "Nothing allows it yet", about: "npm test" };
const DENY: Verdict = { behavior: "deny", by: "deny_rules", reason: "The user's rule bash(rm *) forbids it" };

function bench(verdicts: readonly Verdict[], answers: readonly (PermissionAnswer | undefined)[], headless = false) {
  const asked: { readonly refusals: number; readonly personOnly: boolean | undefined }[] = [];
  const log: string[] = [];
  let [decided, answered] = [0, 0];
  const authorise = createAuthorise({
    engine: { decide: async () => verdicts[Math.min(decided++, verdicts.length - 1)] ?? ASK },
    broker: {
      ask: async (_query, verdict, refusals) => {
        asked.push({ refusals, personOnly: verdict.personOnly });
        return answers[answered++];
      },
    },
    refusals: createRefusals(),
    headless,
    stopTurn: () => void log.push("stop"),
    breakerFired: () => void log.push("breaker"),
    rulesUsed: (rules) => void log.push(`used ${rules.join()}`),
  });
  return { authorise: () => authorise(query, NEVER), asked, log };
}

describe("authorise", () => {
  it("allows without a person, and notes which rules were used", async () => {
    const { authorise, asked, log } = bench([ALLOW], []);
    expect([await authorise(), asked, log]).toEqual([{ behavior: "allow", waited: false, by: "allow_rules" }, [], ["used bash(x)"]]);
  });

  it("asks, and says that somebody was waited for", async () => {
    const { authorise } = bench([ASK], [{ behavior: "allow" }]);
    expect(await authorise()).toEqual({ behavior: "allow", waited: true, by: "ask" });
  });

  it("passes the person's reason and a stop on", async () => {
    const { authorise, log } = bench([ASK], [{ behavior: "deny", why: "use make", stopTurn: true }]);
    expect([await authorise(), log]).toEqual([
      { behavior: "deny", by: "ask", because: "Nothing allows it yet: npm test", byPerson: true, why: "use make" },
      ["stop"],
    ]);
  });

  it("an aborted question is neither yes nor no", async () => {
    const { authorise } = bench([ASK], [undefined]);
    expect(await authorise()).toEqual({ behavior: "aborted" });
  });
});

describe("refusals (P6)", () => {
  it("are counted from chain and person together; after three the person is asked, with the count", async () => {
    const { authorise, asked, log } = bench([DENY, DENY, DENY, DENY], [{ behavior: "allow" }]);
    const said = [await authorise(), await authorise(), await authorise(), await authorise()];
    expect(said.map((one) => one.behavior)).toEqual(["deny", "deny", "deny", "allow"]);
    expect(asked).toEqual([{ refusals: 3, personOnly: true }]);
    // Once when the model is told to go another way, once when the person is asked (O2).
    expect(log).toEqual(["breaker", "breaker"]);
  });

  it("the third silent refusal tells the model that trying again will not help", async () => {
    const { authorise } = bench([DENY], []);
    await authorise();
    await authorise();
    const said = await authorise();
    expect(said.behavior === "deny" ? said.because : "").toMatch(/refused 3 times/);
  });

  it("show their number when the person refused before", async () => {
    const no: PermissionAnswer = { behavior: "deny" };
    const { authorise, asked } = bench([ASK], [no, no, no, no]);
    for (let turn = 0; turn < 4; turn += 1) await authorise();
    expect(asked.map((one) => one.refusals)).toEqual([0, 0, 0, 3]);
  });

  it("start anew once the person allowed it", async () => {
    const no: PermissionAnswer = { behavior: "deny" };
    const { authorise, asked } = bench([ASK], [no, no, no, { behavior: "allow" }, no]);
    for (let turn = 0; turn < 5; turn += 1) await authorise();
    expect(asked.map((one) => one.refusals)).toEqual([0, 0, 0, 3, 0]);
  });

  it("keep refusing is not asked about at every try", async () => {
    const { authorise, asked } = bench([DENY], [{ behavior: "deny" }, { behavior: "deny" }]);
    for (let turn = 0; turn < 8; turn += 1) await authorise();
    expect(asked.length).toBe(2);
  });

  it("are counted by tool and reason, not by what it was about", async () => {
    const about = (path: string): Verdict => ({ behavior: "deny", by: "path_guard", reason: "It reads keys", about: path });
    const { authorise, asked } = bench([about("/a"), about("/b"), about("/c"), about("/d")], [{ behavior: "deny" }]);
    for (let turn = 0; turn < 4; turn += 1) await authorise();
    expect(asked.length).toBe(1);
    const other = bench([DENY, DENY, DENY, { ...DENY, reason: "another rule" }], []);
    for (let turn = 0; turn < 4; turn += 1) await other.authorise();
    expect(other.asked).toEqual([]);
  });

  it("without a person stay refusals, with a reason the model can use", async () => {
    const { authorise, asked } = bench([DENY], [], true);
    const said = [];
    for (let turn = 0; turn < 5; turn += 1) said.push(await authorise());
    expect([said.every((one) => one.behavior === "deny"), asked]).toEqual([true, []]);
    const last = said[4];
    expect(last?.behavior === "deny" ? last.because : "").toMatch(/forbids it \(refused 5 times/);
  });
});

describe("describeBans (P7)", () => {
  it("tells the model what is forbidden, the same each time", () => {
    expect(describeBans({ deny: ["bash(rm *)"] }, ["web_fetch", "bash"])).toBe(
      "Switched off by the user: bash, web_fetch.\nForbidden by the user's rules: bash(rm *).\nSuch calls are refused without asking; do not try other spellings of them.",
    );
  });

  it("says nothing when nothing is, and stays short when much is", () => {
    expect(describeBans({ deny: [] }, [])).toBeUndefined();
    const many = describeBans({ deny: Array.from({ length: 200 }, (_unused, n) => `bash(c${n} *)`) }, []);
    expect([many?.includes("and 170 more"), (many?.length ?? 0) < 1_000]).toEqual([true, true]);
  });
});
