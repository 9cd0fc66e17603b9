import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NO_USAGE } from "#shared/chat/usage.ts";
import { SessionEvent, type StoredEvent } from "#shared/events/durable.ts";
import { CallId, CheckpointId, EntryId, QuestionId, Seq, SessionId } from "#shared/lib/ids.ts";
import { emptyView } from "./empty-view.ts";
import { createGrowingReducer, reduce } from "./reduce.ts";
import type { SessionView } from "./view.ts";

const by = { provider: "demo", model: "demo" };
const checkpoint = (id: string, kind: string, turn?: string) => ({
  type: "checkpoint_taken",
  checkpoint: {
    id,
    cause: { kind, label: id, ...(turn === undefined ? {} : { turn }) },
    at: 1,
    files: 1,
    bytes: 1,
    changes: [],
    uncovered: [],
    uncoveredCount: 0,
  },
});
const prompt = (n: number) => ({ type: "prompt_submitted", entry: `p${n}`, turn: `t${n}`, blocks: [{ type: "text", text: `ask ${n}` }] });
const reply = (n: number, words: string) => ({
  type: "reply_completed",
  entry: `r${n}`,
  turn: `t${n}`,
  step: 1,
  reply: `x${n}`,
  by,
  blocks: [{ type: "text", text: words }],
  stop: { kind: "end_turn" },
  usage: { ...NO_USAGE, input: 10, output: 5 },
  partial: false,
});
const calls = (n: number) => ({
  ...reply(n, ""),
  entry: `u${n}`,
  blocks: [{ type: "tool_use", id: `c${n}`, name: "edit", input: {} }],
  stop: { kind: "tool_use" },
});
const end = (n: number) => ({
  type: "turn_complete",
  turn: `t${n}`,
  end: { why: "answered", steps: 1, requests: 1, lostSteps: 0 },
  ms: 1,
  waitedForPerson: false,
});
type Back = { readonly target: string; readonly scope: string; readonly to?: string | null; readonly before: string; readonly undo?: boolean };
const back = ({ target, scope, to, before, undo = false }: Back) => ({
  type: "rolled_back",
  target,
  scope,
  before,
  files: ["a.txt"],
  undo,
  ...(to === undefined ? {} : { conversationTo: to }),
});

function play(events: readonly object[], from: SessionView = emptyView(SessionId.parse("s"))): SessionView {
  return events.reduce<SessionView>(
    (view, event, index) => reduce(view, { seq: Seq.parse(from.seq + index + 1), at: 100 + index, event: SessionEvent.parse({ v: 1, ...event }) }),
    from,
  );
}

const texts = (view: SessionView) => view.rows.flatMap((row) => (row.kind === "text" && !row.left ? [row.text] : []));
const onTrail = (view: SessionView) => view.trail.map((node) => `${node.checkpoint.id}${node.left ? "-" : ""}`);

const TWO_TURNS = [
  prompt(1),
  checkpoint("a", "turn_start", "t1"),
  reply(1, "one"),
  end(1),
  checkpoint("b", "turn_end", "t1"),
  prompt(2),
  checkpoint("c", "before_call", "t2"),
  reply(2, "two"),
  end(2),
  checkpoint("d", "turn_end", "t2"),
];

describe("going back", () => {
  it("files and chat to before the first turn: everything is left, the prompt comes back, and undo restores all of it", () => {
    const full = play(TWO_TURNS);
    expect(full.trail[0]?.head).toBeNull();
    const gone = play([checkpoint("e", "rollback"), back({ target: "a", scope: "both", to: null, before: "e" })], full);
    expect([texts(gone), gone.head, gone.current, gone.undoable]).toEqual([[], null, "a", "e"]);
    expect(onTrail(gone)).toEqual(["a", "b-", "c-", "d-", "e-"]);
    expect(gone.returnedPrompt).toEqual([{ type: "text", text: "ask 1" }]);
    const undone = play(
      [checkpoint("f", "rollback"), back({ target: "e", scope: "both", to: gone.undoHead === null ? null : gone.undoHead, before: "f", undo: true })],
      gone,
    );
    expect([texts(undone), onTrail(undone), undone.undoable, undone.returnedPrompt]).toEqual([
      ["one", "two"],
      ["a", "b", "c", "d", "e", "f-"],
      undefined,
      undefined,
    ]);
  });

  it("files only: the conversation stays as it is", () => {
    const view = play([checkpoint("e", "rollback"), back({ target: "b", scope: "files", before: "e" })], play(TWO_TURNS));
    expect([texts(view), view.head, view.current, view.returnedPrompt]).toEqual([["one", "two"], "r2", "b", undefined]);
  });

  it("chat only: the files and their stones stay as they are", () => {
    const full = play(TWO_TURNS);
    const view = play([back({ target: "b", scope: "conversation", to: "r1", before: "d" })], full);
    expect([texts(view), onTrail(view), view.current]).toEqual([["one"], onTrail(full), "d"]);
  });

  it("new work after going back grows a branch: the old future stays visible beside it", () => {
    const gone = play([checkpoint("e", "rollback"), back({ target: "b", scope: "both", to: "r1", before: "e" })], play(TWO_TURNS));
    const grown = play([prompt(3), checkpoint("g", "before_call", "t3"), reply(3, "three"), end(3)], gone);
    expect([texts(grown), onTrail(grown), grown.undoable]).toEqual([["one", "three"], ["a", "b", "c-", "d-", "e-", "g"], undefined]);
  });

  it("a stone in mid-turn leads to a conversation without unanswered calls", () => {
    const view = play([prompt(1), calls(1), checkpoint("a", "before_call", "t1")]);
    expect(view.trail[0]?.head).toBe(EntryId.parse("p1"));
  });
});

describe("the reducer", () => {
  it("takes the title from the first prompt, counts usage, and shows who is needed", () => {
    const view = play([prompt(1), reply(1, "one")]);
    expect([view.title, view.usage.input, view.windowUsed, view.attention]).toEqual(["ask 1", 10, 15, "working"]);
    const question = {
      id: "q",
      call: "c1",
      tool: "bash",
      verb: "run_command",
      subject: "ls",
      detail: { kind: "path", path: "x" },
      tags: [],
      suggestions: [],
      by: "ask",
      because: "",
      refusals: 0,
    };
    const asked = play([{ type: "permission_asked", turn: "t1", question }], view);
    expect([asked.attention, asked.pending.length]).toEqual(["needs_you", 1]);
    const answered = play([{ type: "permission_answered", turn: "t1", question: QuestionId.parse("q"), call: "c1", answer: { behavior: "allow" } }], asked);
    expect([answered.attention, answered.pending]).toEqual(["working", []]);
  });

  it("queues the agent's own questions with the permissions, and its call goes on when it is answered", () => {
    const question = { kind: "plan", id: "q1", call: "c1", tool: "plan_exit", plan: "p" };
    const begun = play([
      prompt(1),
      { type: "call_started", turn: "t1", call: "c1", tool: "plan_exit", input: {}, effects: [], readOnly: true },
      { type: "person_asked", turn: "t1", question },
      { type: "person_asked", turn: "t1", question: { ...question, id: "q2", call: "c2" } },
    ]);
    const call = (view: SessionView) => view.calls[CallId.parse("c1")]?.state;
    expect([begun.attention, begun.pending.map((open) => open.id), call(begun)]).toEqual(["needs_you", ["q1", "q2"], "waiting_for_person"]);
    const answered = play([{ type: "person_answered", turn: "t1", question: "q1", call: "c1", answer: { kind: "rejected" } }], begun);
    expect([answered.attention, answered.pending.map((open) => open.id), call(answered)]).toEqual(["needs_you", ["q2"], "running"]);
    const last = play([{ type: "person_answered", turn: "t1", question: "q2", call: "c2", answer: { kind: "cancelled" } }], answered);
    expect([last.attention, last.pending]).toEqual(["working", []]);
    expect([answered, last].map((view) => view.calls[CallId.parse("c2")]?.unanswered)).toEqual([undefined, true]);
  });

  it("an event that came already changes nothing, and replay in two parts equals replay at once", () => {
    const events = [...TWO_TURNS, checkpoint("e", "rollback"), back({ target: "b", scope: "both", to: "r1", before: "e" }), prompt(3), reply(3, "x"), end(3)];
    const stored = events.map((event, index): StoredEvent => ({ seq: Seq.parse(index + 1), at: index, event: SessionEvent.parse({ v: 1, ...event }) }));
    const whole = stored.reduce(reduce, emptyView(SessionId.parse("s")));
    fc.assert(
      fc.property(fc.nat(stored.length), (cut) => {
        const first = stored.slice(0, cut).reduce(reduce, emptyView(SessionId.parse("s")));
        expect(stored.reduce(reduce, first)).toEqual(whole);
      }),
    );
    expect(whole.current).toBe(CheckpointId.parse("b"));
  });
});

describe("the growing reducer", () => {
  it("comes to the same view as the copying one", () => {
    const events = [...TWO_TURNS, checkpoint("e", "rollback"), back({ target: "b", scope: "both", to: "r1", before: "e" }), prompt(3), reply(3, "x"), end(3)];
    const grow = createGrowingReducer();
    const stored = events.map((event, index): StoredEvent => ({ seq: Seq.parse(index + 1), at: 100 + index, event: SessionEvent.parse({ v: 1, ...event }) }));
    expect(stored.reduce((view, each) => grow(view, each), emptyView(SessionId.parse("s")))).toEqual(play(events));
  });
});
