import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { text } from "#shared/chat/blocks.ts";
import { CONTINUE_REASONS, REASONS, type ContinueReason, type TransitionClass } from "#shared/loop/reasons.ts";

const inClass = (reason: ContinueReason, kind: TransitionClass) => REASONS[kind].some((each) => each === reason);
import { continueWith, onceOnly, onSuccess } from "./continue-with.ts";
import type { LoopState } from "./contract.ts";
import { DEFAULT_CAPS } from "./limits.ts";
import { grow, initialState } from "./state.ts";
import { CLEARED_ON_SUCCESS } from "./transitions.ts";

const begin = () => initialState({ history: [], prompt: { role: "user", blocks: [text("go")] } });
const caps = DEFAULT_CAPS;

describe("continueWith (L7 to L9)", () => {
  it.each(CONTINUE_REASONS)("%s: sets the transition, counts, and is spent exactly at its cap", (reason) => {
    let state: LoopState = begin();
    const cap = Math.min(caps[reason], 20);
    for (let n = 1; n <= cap; n++) {
      const next = continueWith(state, { reason, caps });
      if (next === "spent") throw new Error(`spent after ${n - 1}`);
      expect([next.transition, next.used[reason]]).toEqual([reason, n]);
      state = next;
    }
    if (Number.isFinite(caps[reason])) expect(continueWith(state, { reason, caps })).toBe("spent");
  });

  it("caps by class: gates and interventions by small counts, only tool_use and the goal's own budget without", () => {
    const unlimited = CONTINUE_REASONS.filter((reason) => !Number.isFinite(caps[reason]));
    expect(unlimited).toEqual(["tool_use", "goal_gate_retry"]);
    expect(CONTINUE_REASONS.filter((reason) => inClass(reason, "gate")).map((reason) => caps[reason])).toEqual([3, 3, 2, 2, Number.POSITIVE_INFINITY]);
  });

  it("never clears a flag or another count on a path that continues", () => {
    const reasons = fc.array(fc.constantFrom(...CONTINUE_REASONS), { maxLength: 40 });
    fc.assert(
      fc.property(reasons, (path) => {
        let state: LoopState = begin();
        for (const reason of path) {
          const next = continueWith(state, {
            reason,
            caps,
            once: reason === "max_tokens_escalate" ? "max_tokens_raised" : "soft_reminder",
            patch: { step: state.step + 1 },
          });
          if (next === "spent") continue;
          expect([...state.once].every((flag) => next.once.has(flag))).toBe(true);
          for (const other of CONTINUE_REASONS) expect(next.used[other]).toBe(state.used[other] + (other === reason ? 1 : 0));
          state = next;
        }
      }),
    );
  });

  it("a flag that is set stays set: the second try is spent, whatever the count", () => {
    const once = continueWith(begin(), { reason: "unanswered_retry", caps, once: "call_as_text" });
    expect(once === "spent" || continueWith(once, { reason: "unanswered_retry", caps, once: "call_as_text" })).toBe("spent");
    const flagged = onceOnly(begin(), "soft_reminder");
    expect(flagged === "spent" || onceOnly(flagged, "soft_reminder")).toBe("spent");
  });
});

describe("onSuccess", () => {
  const used = (reasons: readonly ContinueReason[]) => ({ ...begin(), used: { ...begin().used, ...Object.fromEntries(reasons.map((reason) => [reason, 1])) } });

  it("clears the counts of recovery that worked and nothing else", () => {
    const after = onSuccess(used(CONTINUE_REASONS));
    expect(CONTINUE_REASONS.filter((reason) => after.used[reason] === 0)).toEqual([...CLEARED_ON_SUCCESS]);
    expect([...CLEARED_ON_SUCCESS].every((reason) => inClass(reason, "recovery"))).toBe(true);
  });

  it("changes nothing when nothing is to be cleared", () => {
    const state = used(["tool_use", "todo_gate_retry"]);
    expect(onSuccess(state)).toBe(state);
  });
});

describe("the source of the loop", () => {
  it("writes what steers it in one file only, and calls onSuccess in one", async () => {
    const folder = fileURLToPath(new URL(".", import.meta.url));
    const files = (await readdir(folder)).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
    const sources = await Promise.all(files.map(async (name) => [name, await readFile(`${folder}/${name}`, "utf8")] as const));
    const writing = (pattern: RegExp) => sources.filter(([, source]) => pattern.test(source)).map(([name]) => name);
    expect(writing(/\b(?:used|transition): \{|\btransition: reason\b|\bused: NOTHING_USED\b|\bonce: new Set\b/)).toEqual(["continue-with.ts", "state.ts"]);
    expect(writing(/\bonSuccess\(/).filter((name) => name !== "continue-with.ts")).toEqual(["after-reply.ts"]);
    const grown = grow(begin(), { step: 3 });
    expect([grown.step, grown.used, grown.transition]).toEqual([3, begin().used, undefined]);
  });
});
