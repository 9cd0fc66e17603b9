import { describe, expect, it } from "vitest";
import { Timeouts } from "#shared/settings/settings.ts";
import { firedRung, msToNextRung, waitedFor, waitingFor, type AttemptFacts } from "./predicates.ts";
import { checkLadder, ladderOf, RUNGS } from "./rungs.ts";

const ladder = ladderOf(Timeouts.parse({}));
const facts = (change: Partial<AttemptFacts>): AttemptFacts => ({
  now: 0,
  phaseAt: 0,
  startedAt: 0,
  headersAt: undefined,
  bytesAt: undefined,
  contentAt: undefined,
  progressAt: undefined,
  seenAt: undefined,
  handing: false,
  ...change,
});
const S = 1_000;
/** The smallest gap that the default ladder may have (L19). */
const RUNG_GAP_MS = 120_000;

describe("the default ladder (L19)", () => {
  it("grows strictly, by two minutes at least", () => {
    expect(checkLadder(ladder, RUNG_GAP_MS)).toEqual([]);
    expect(RUNGS.map((rung) => ladder[rung] / S)).toEqual([240, 480, 600, 720, 1_500, 5_400]);
  });

  it("names the neighbours that do not grow", () => {
    expect(checkLadder({ ...ladder, no_content: 240 * S })).toEqual([{ lower: "no_bytes", upper: "no_content", gapMs: 0 }]);
    expect(checkLadder({ ...ladder, no_content: 300 * S }, RUNG_GAP_MS)).toEqual([{ lower: "no_bytes", upper: "no_content", gapMs: 60 * S }]);
  });
});

// Each situation keeps all rungs quiet but one: what differs is what they judge, not only their numbers.
const situations: readonly (readonly [string, Partial<AttemptFacts>, string | undefined])[] = [
  ["no headers for 5 minutes", { now: 300 * S }, "headers"],
  ["no headers, but the step is an age old: only the headers' own limit counts", { now: 6_000 * S, startedAt: 5_800 * S }, undefined],
  ["headers, then not a byte", { headersAt: 200 * S, now: 440 * S }, "no_bytes"],
  ["the no-bytes rung starts with the headers, not with the request", { headersAt: 200 * S, now: 439 * S }, undefined],
  ["keep-alives only", { headersAt: 0, bytesAt: 479 * S, now: 480 * S, seenAt: 479 * S }, "no_content"],
  ["content that is always blank", { headersAt: 0, bytesAt: 599 * S, contentAt: 599 * S, now: 600 * S, seenAt: 599 * S }, "no_progress"],
  ["progress inside that nobody outside ever saw", { headersAt: 0, bytesAt: 719 * S, contentAt: 719 * S, progressAt: 719 * S, now: 720 * S }, "watcher"],
  [
    "an attempt that never ends, however busy",
    { headersAt: 0, bytesAt: 1_499 * S, contentAt: 1_499 * S, progressAt: 1_499 * S, seenAt: 1_499 * S, now: 1_500 * S },
    "attempt",
  ],
  [
    "many attempts that are each fine",
    { startedAt: 5_390 * S, headersAt: 5_391 * S, bytesAt: 5_399 * S, contentAt: 5_399 * S, progressAt: 5_399 * S, seenAt: 5_399 * S, now: 5_400 * S },
    "step",
  ],
  [
    "a consumer that is slow to take: inner rungs hold still",
    { headersAt: 0, bytesAt: 1 * S, contentAt: 1 * S, progressAt: 1 * S, seenAt: 1 * S, handing: true, now: 700 * S },
    undefined,
  ],
];

describe("predicates of the rungs", () => {
  it.each(situations)("%s", (_name, change, rung) => {
    expect(firedRung(ladder, facts(change))?.rung).toBe(rung);
  });

  it("the attempt rung is not reset by events, the silent ones are", () => {
    const busy = facts({ headersAt: 0, bytesAt: 90, contentAt: 90, progressAt: 90, seenAt: 90, now: 100 });
    expect(RUNGS.map((rung) => waitedFor(rung, busy))).toEqual([10, undefined, 10, 10, 100, 100]);
  });

  it("says its name, its limit and what was measured", () => {
    expect(firedRung(ladder, facts({ headersAt: 0, now: 241 * S }))).toEqual({ rung: "no_bytes", limitMs: 240 * S, waitedMs: 241 * S });
  });

  it("knows when the next rung is due", () => {
    expect(msToNextRung(ladder, facts({ now: 100 * S }))).toBe(200 * S);
    expect(msToNextRung(ladder, facts({ headersAt: 0, bytesAt: 90 * S, contentAt: 90 * S, now: 100 * S }))).toBe(230 * S);
  });

  it("says what is waited for", () => {
    expect(waitingFor(facts({ now: 12 }))).toEqual({ what: "headers", forMs: 12 });
    expect(waitingFor(facts({ headersAt: 5, now: 12 }))).toEqual({ what: "bytes", forMs: 7 });
    expect(waitingFor(facts({ headersAt: 5, bytesAt: 11, now: 12 }))).toEqual({ what: "content", forMs: 7 });
  });
});
