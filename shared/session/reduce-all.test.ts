import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SessionEvent, type StoredEvent } from "#shared/events/durable.ts";
import { Seq, SessionId } from "#shared/lib/ids.ts";
import { emptyView } from "./empty-view.ts";
import { reduce, reduceAll } from "./reduce.ts";
import type { SessionView } from "./view.ts";

const by = { provider: "demo", model: "demo" };
const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
const end = { why: "answered", steps: 1, requests: 1, lostSteps: 0 };
const outcome = (id: string) => ({ status: "ok", callId: id, metrics: { ms: 1, bytes: 1 }, forModel: [], display: "full" });
const point = (id: string, turn: string) => ({
  id,
  cause: { kind: "turn_start", label: "", turn },
  at: 1,
  files: 0,
  bytes: 0,
  changes: [],
  uncovered: [],
  uncoveredCount: 0,
});

/** The events of one turn, in one of a few shapes. */
function turn(n: number, shape: string): readonly object[] {
  const id = `t${n}`;
  const start = [
    { type: "checkpoint_taken", checkpoint: point(`k${n}`, id) },
    { type: "prompt_submitted", entry: `p${n}`, turn: id, blocks: [{ type: "text", text: `ask ${n}` }] },
  ];
  const use = { type: "tool_use", id: `c${n}`, name: "bash", input: { n } };
  const reply = (blocks: readonly object[]) => ({
    type: "reply_completed",
    entry: `r${n}`,
    turn: id,
    step: 1,
    reply: `x${n}`,
    by,
    blocks,
    stop: { kind: "end_turn" },
    usage,
    partial: false,
  });
  const done = { type: "turn_complete", turn: id, end, ms: 1, waitedForPerson: false };
  if (shape === "talk") return [...start, reply([{ type: "text", text: "words" }]), done];
  if (shape === "early call")
    return [...start, { type: "call_started", turn: id, call: `c${n}`, tool: "bash", input: {}, effects: [], readOnly: true }, reply([use]), done];
  if (shape === "back")
    return [...start, { type: "rolled_back", target: `k${n}`, scope: "both", before: `k${n}`, conversationTo: null, files: [], undo: false }];
  return [
    ...start,
    reply([use]),
    { type: "call_settled", turn: id, call: `c${n}`, tool: "bash", outcome: outcome(`c${n}`) },
    { type: "results_added", entry: `s${n}`, turn: id, step: 1, calls: [`c${n}`] },
    done,
  ];
}

function log(shapes: readonly string[]): readonly StoredEvent[] {
  return shapes.flatMap((shape, n) => turn(n, shape)).map((event, at) => ({ seq: Seq.parse(at + 1), at, event: SessionEvent.parse({ v: 1, ...event }) }));
}

const shapes = fc.array(fc.constantFrom("talk", "call", "early call", "back"), { maxLength: 12 });
const EMPTY = emptyView(SessionId.parse("s"));
const oneByOne = (view: SessionView, events: readonly StoredEvent[]) => events.reduce(reduce, view);

describe("reduceAll", () => {
  it("gives what one event after the other gives, wherever the batches are cut", () => {
    fc.assert(
      fc.property(shapes, fc.nat({ max: 60 }), (list, cut) => {
        const events = log(list);
        const first = reduceAll(EMPTY, events.slice(0, cut));
        const kept = structuredClone(first);
        expect(reduceAll(first, events.slice(cut))).toEqual(oneByOne(EMPTY, events));
        expect(first).toEqual(kept);
      }),
    );
  });

  it("leaves the view it began with as it was", () => {
    const before = structuredClone(EMPTY);
    reduceAll(EMPTY, log(["call", "talk", "back"]));
    expect(EMPTY).toEqual(before);
  });

  it("costs no more per event in a long session than in a short one", () => {
    const time = (turns: number) => {
      const events = log(Array.from({ length: turns }, () => "call"));
      const start = performance.now();
      reduceAll(EMPTY, events);
      return (performance.now() - start) / events.length;
    };
    time(200);
    expect(time(4_000)).toBeLessThan(Math.max(time(200), 0.002) * 12);
  });
});
