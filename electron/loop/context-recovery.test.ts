// Recovery of context with the product's own pipeline: what the tapes show once, over many windows and every way a summary can fail.
import { describe, expect, it } from "vitest";
import { isNote } from "#shared/chat/note.ts";
import type { TodoItem } from "#shared/loop/work-state.ts";
import { CONTEXT_TAPES, muchRead, muchSaid, scriptOf, SUMMARY } from "#electron/testkit/context-tapes.ts";
import { flat } from "#electron/testkit/request-check.ts";
import { recordTurn, type Tape, type TapeOptions } from "#electron/testkit/event-recorder.ts";
import { calls, fails, says, type ScriptedReply } from "#electron/testkit/server/script.ts";

const compactions = (tape: Tape) => tape.events.filter((event) => event.type === "compacted").length;
const summaries = (tape: Tape) => tape.lines.filter((line) => line.includes("request for a summary")).length;
const notesOf = (tape: Tape, source: string) =>
  (tape.requests.at(-1)?.messages ?? []).flatMap((message) =>
    message.blocks.flatMap((block) => (block.type === "text" && block.text.startsWith(`<cairn-note source="${source}">`) ? [block.text] : [])),
  );

describe("a long session (C2, C5, E05)", () => {
  const session = CONTEXT_TAPES["context-long-session"];
  if (session === undefined) throw new Error("no such tape");

  it.each([24_000, 32_000, 40_000, 60_000, 80_000, 130_000])("a window of %i is never compacted at every step", async (window) => {
    const tape = await recordTurn({ ...session(), info: { window, maxOutput: 2_000 } });
    expect(tape.end.why).toBe("answered");
    expect(compactions(tape)).toBeLessThanOrEqual(tape.end.steps / 2);
    expect(compactions(tape)).toBeGreaterThan(0);
    for (const source of ["goal", "todos", "hypotheses", "changed_files", "folder_map"]) expect([source, notesOf(tape, source).length]).toEqual([source, 1]);
  });

  it("an unknown window is not window 0: nothing is compacted until the provider complains (E05)", async () => {
    const tape = await recordTurn({ ...session(), info: { window: undefined } });
    expect([tape.end.why, compactions(tape)]).toEqual(["answered", 0]);
  });

  it("what changed meanwhile comes back as it is now, and is the newest word on it (C5, C8)", async () => {
    let todos: readonly TodoItem[] = [{ text: "mend them", status: "pending" }];
    const given = session();
    const tape = await recordTurn({
      ...given,
      context: { ...given.context, todos: () => todos },
      onEvent: (event) => {
        if (event.type === "compacted") todos = [...todos, { text: `part ${todos.length}`, status: "pending" }];
      },
    });
    expect(compactions(tape)).toBeGreaterThan(2);
    expect(notesOf(tape, "todos").at(-1)).toContain(`part ${todos.length - 1}`);
  });
});

type Fails = readonly [name: string, reply: ScriptedReply];
const FAILS: readonly Fails[] = [
  ["nothing", says("")],
  ["blanks", says("   \n")],
  ["only thinking", { parts: [{ type: "thinking", text: "hm", signature: "s" }] }],
  ["overloaded", fails(529)],
  ["refused by the server", fails(400)],
  ["a refusal", says("I will not.", { stop: "refusal" })],
  ["cut after ten tokens", says("Goal: mend the", { stop: "max_tokens" })],
  ["silence", { parts: [], fault: { kind: "hang", when: "after_headers" } }],
];

describe("a summary that fails (E07)", () => {
  const history = muchSaid(2, 75_000);
  const given = (reply: ScriptedReply, more: Partial<TapeOptions> = {}): TapeOptions => ({
    history,
    context: { todos: () => [] },
    script: scriptOf(
      (n) => (n === 0 ? calls("ls", {}) : says("Answered.")),
      () => reply,
    ),
    ...more,
  });

  it.each(FAILS)("%s: the history stays as it was, one warning, no second try in the turn, and the next turn works", async (_name, reply) => {
    const tape = await recordTurn(given(reply));
    expect([tape.end.why, compactions(tape), summaries(tape)]).toEqual(["answered", 0, 1]);
    const kept = flat(history);
    expect(flat(tape.requests[0]?.messages ?? []).slice(0, kept.length)).toEqual(kept);
    expect(flat(tape.requests.at(-1)?.messages ?? []).slice(0, kept.length)).toEqual(kept);
    expect(tape.events.filter((event) => event.type === "warning").map((event) => event.notice.key)).toEqual(["notices.compaction_failed"]);
    expect((await recordTurn(given(says(SUMMARY), { prompt: "hello", history: tape.history }))).end.why).toBe("answered");
  });

  it("Stop in the middle of it ends the turn at once, with the history as it was", async () => {
    const tape = await recordTurn(
      given(
        { parts: [], fault: { kind: "hang", when: "after_headers" } },
        {
          onEvent: (event, { clock, scope }) => {
            if (event.type === "note") clock.schedule(3_000, () => scope.abort({ by: "person" }));
          },
        },
      ),
    );
    expect([tape.end.why, tape.requests.length, compactions(tape), tape.clock.monotonic() <= 4_000]).toEqual(["aborted", 0, 0, true]);
    expect((await recordTurn(given(says(SUMMARY), { prompt: "hello", history: tape.history }))).end.why).toBe("answered");
  });

  it("after a good one the newest prompt is there word for word, and what the person ordered before it", async () => {
    const tape = await recordTurn(given(says(SUMMARY), { prompt: "Mend the dates, but leave 1900-02-29 alone." }));
    const words = (tape.requests[0]?.messages ?? []).flatMap((message) => message.blocks.flatMap((block) => (block.type === "text" ? [block] : [])));
    expect(words.filter((block) => !isNote(block)).map((block) => block.text)).toContain("Mend the dates, but leave 1900-02-29 alone.");
    expect(words.find((block) => block.text.startsWith('<cairn-note source="summary">'))?.text).toContain(SUMMARY);
    expect(words.find((block) => block.text.startsWith('<cairn-note source="summary">'))?.text).toContain("Question 0?");
  });
});

describe("too long for the provider (L6, C4)", () => {
  const tooLong: ScriptedReply = {
    parts: [],
    fault: { kind: "failure", failure: { kind: "context_window", retryable: false, status: 400, message: "too long" } },
  };

  it("for ever: one compaction, then one plain message; nothing is summarised twice, and a hello to a mended server works", async () => {
    const tape = await recordTurn({ history: muchSaid(8, 8_000), context: {}, script: scriptOf(() => tooLong) });
    expect([tape.end.why, tape.end.notice?.key, tape.requests.length, compactions(tape), summaries(tape)]).toEqual([
      "failed",
      "notices.context_full_plain",
      2,
      1,
      1,
    ]);
    const hello = await recordTurn({ history: tape.history, context: {}, prompt: "hello", script: scriptOf(() => says("Hi.")) });
    expect(hello.end).toMatchObject({ why: "answered", requests: 1 });
  });

  it("and the summary fails as well: what the layers could do without a model is sent", async () => {
    const tape = await recordTurn({
      history: muchRead(12, 5_000),
      context: {},
      script: scriptOf(
        (n) => (n === 0 ? tooLong : says("Fits.")),
        () => fails(400),
      ),
    });
    expect([tape.end.why, compactions(tape)]).toEqual(["answered", 1]);
  });
});
