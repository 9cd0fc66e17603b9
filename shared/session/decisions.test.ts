import { expect, it } from "vitest";
import { StoredEvent } from "#shared/events/durable.ts";
import { SessionId } from "#shared/lib/ids.ts";
import { decisionsOf } from "./decisions.ts";
import { emptyView } from "./empty-view.ts";
import { reduceAll } from "./reduce.ts";

const plan = (text: string) => ({ kind: "plan", plan: text, decision: "rejected" });

/** One turn in which a plan was presented. */
function turn(n: number) {
  const [id, call] = [`t${n}`, `c${n}`];
  const outcome = { status: "ok", callId: call, metrics: { ms: 1, bytes: 1 }, forModel: [], display: "full", view: plan(`plan ${n}`) };
  const by = { provider: "demo", model: "demo" };
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
  const blocks = [{ type: "tool_use", id: call, name: "plan_exit", input: {} }];
  return [
    { type: "prompt_submitted", entry: `p${n}`, turn: id, blocks: [] },
    { type: "reply_completed", entry: `r${n}`, turn: id, step: 1, reply: `x${n}`, by, blocks, stop: { kind: "tool_use" }, usage, partial: false },
    { type: "call_settled", turn: id, call, tool: "plan_exit", outcome },
    { type: "results_added", entry: `s${n}`, turn: id, step: 1, calls: [call] },
  ];
}

function told(...events: readonly object[]) {
  const stored = events.map((event, k) => StoredEvent.parse({ seq: k + 1, at: k, event: { v: 1, ...event } }));
  return reduceAll(emptyView(SessionId.parse("s")), stored);
}

it("decisions are found in order, for all or one turn, and not on a branch that was left (C5)", () => {
  const view = told(...turn(1), ...turn(2));
  expect(decisionsOf(view)).toEqual([plan("plan 1"), plan("plan 2")]);
  expect(decisionsOf(view, "t2")).toEqual([plan("plan 2")]);
  const back = { type: "rolled_back", target: "k", scope: "conversation", conversationTo: "s1", files: [], undo: false };
  expect(decisionsOf(told(...turn(1), ...turn(2), back))).toEqual([plan("plan 1")]);
});
