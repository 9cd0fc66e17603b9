// Golden tapes: a scripted model in, everything that happened out. The text files are the specification; review them in the diff.
import { describe, expect, it } from "vitest";
import { CONTINUE_REASONS } from "#shared/loop/reasons.ts";
import { GuardName, RungName } from "#shared/trace/trace.ts";
import { CONTEXT_TAPES } from "#electron/testkit/context-tapes.ts";
import { recordTurn, type Tape, type TapeOptions } from "#electron/testkit/event-recorder.ts";
import { TAPES } from "#electron/testkit/loop-tapes.ts";

const ALL = { ...TAPES, ...CONTEXT_TAPES };

describe("golden tapes", () => {
  const reasons = new Set<string>();
  const ends = new Set<string>();
  const guards = new Set<string>();
  const rungs = new Set<string>();

  it.each(Object.keys(ALL))("%s", async (name) => {
    const options = ALL[name];
    if (options === undefined) throw new Error(`no tape ${name}`);
    const given = options();
    const tape = await recordTurn(given);
    for (const event of tape.events) if (event.type === "transition") reasons.add(event.reason);
    ends.add(tape.end.why);
    for (const event of tape.trace) {
      if (event.name === "guard_fired") guards.add(event.guard);
      if (event.name === "watchdog_fired") rungs.add(event.rung);
    }
    await expect(`${tape.lines.join("\n")}\n`).toMatchFileSnapshot(`./tapes/${name}.txt`);
    expectHonest(tape);
    await expectHelloWorks(tape, given);
  });

  it("let every guard, gate, cap and rung of the loop fire (O2)", () => {
    expect(RungName.options.filter((rung) => !rungs.has(rung))).toEqual([]);
    expect(GuardName.options.filter((guard) => !guards.has(guard))).toEqual(["refusal_breaker"]); // that one is the permission engine's
  });

  it("show every reason to continue and every end", () => {
    expect([...CONTINUE_REASONS].filter((reason) => !reasons.has(reason))).toEqual([]);
    expect([...ends].sort()).toEqual(["aborted", "answered", "brake", "cut", "denied", "empty", "failed", "let_go", "refused", "spend_limit", "step_limit"]);
  });
});

/** What holds on every tape, whatever happened (L24, L25, O1, O2). */
function expectHonest({ end, trace, events }: Tape): void {
  expect(trace.filter((event) => event.name === "turn_complete").length).toBe(1);
  const dispatched = trace.filter((event) => event.name === "call_dispatched").length;
  expect(trace.filter((event) => event.name === "call_done").length).toBe(dispatched);
  expect(trace.filter((event) => event.name === "loop_transition").length).toBe(events.filter((event) => event.type === "transition").length);
  expect(end.requests).toBe(trace.filter((event) => event.name === "request_done").length);
  if (end.why === "answered") expect(lastText(events)).not.toBe("");
  else expect(end.notice?.key).toMatch(/^notices\./);
}

function lastText(events: Tape["events"]): string {
  const reply = events.findLast((event) => event.type === "reply");
  return reply?.type === "reply" ? reply.reply.blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("") : "";
}

/** The poison test: whatever happened, the next plain "hello" works. */
async function expectHelloWorks(tape: Tape, { context, info }: TapeOptions): Promise<void> {
  const next = await recordTurn({
    script: [{ parts: [{ type: "text", text: "Hi." }] }],
    prompt: "hello",
    history: tape.history,
    ...(context === undefined ? {} : { context, info: info ?? {} }),
  });
  expect(next.end).toEqual({ why: "answered", steps: 1, requests: 1, lostSteps: 0 });
}
