import { describe, expect, it } from "vitest";
import { text, type Block } from "#shared/chat/blocks.ts";
import { NO_USAGE } from "#shared/chat/usage.ts";
import type { SessionEvent } from "#shared/events/durable.ts";
import { ReplyId, Seq, SessionId } from "#shared/lib/ids.ts";
import type { TurnEnd } from "#shared/loop/turn-end.ts";
import type { Goal } from "#shared/loop/work-state.ts";
import { emptyView } from "#shared/session/empty-view.ts";
import { reduce } from "#shared/session/reduce.ts";
import type { LoopEvent, TurnStart } from "#electron/loop/contract.ts";
import { createTurnGoal } from "./turn-goal.ts";

const GOAL: Goal = { text: "green", budget: { unit: "steps", limit: 9 }, used: 2, state: "open" };
const END: TurnEnd = { why: "answered", steps: 3, requests: 3, lostSteps: 0 };
const reply: LoopEvent = {
  type: "reply",
  step: 1,
  partial: false,
  reply: {
    id: ReplyId.parse("r"),
    blocks: [text("done")],
    stop: { kind: "end_turn" },
    usage: { ...NO_USAGE, input: 4_000, output: 1_000 },
    by: { provider: "p", model: "m" },
  },
};

function session(goal?: Goal) {
  let view = emptyView(SessionId.parse("s"));
  let at = 0;
  const goals: (Goal | null)[] = [];
  const append = async (events: readonly SessionEvent[]) => {
    for (const event of events) {
      at += 1;
      view = reduce(view, { seq: Seq.parse(at), at, event });
      if (event.type === "goal_changed") goals.push(event.goal);
    }
  };
  if (goal !== undefined) view = { ...view, goal };
  return { goals, env: { view: () => view, append } };
}

async function drive(
  of: ReturnType<typeof session>,
  prompt: string,
  events: readonly LoopEvent[] = [],
  during: (letGo: () => void) => void = () => {},
  others = 0,
) {
  const goal = createTurnGoal(of.env, () => others);
  let seen: readonly Block[] = [];
  const loop = async function* (start: TurnStart): AsyncGenerator<LoopEvent, TurnEnd, void> {
    seen = start.prompt.blocks;
    yield* events;
    during(goal.letGo);
    return END;
  };
  const out: LoopEvent[] = [];
  const running = goal.run({ history: [], prompt: { role: "user", blocks: [text(prompt)] } }, loop);
  for (;;) {
    const next = await running.next();
    if (next.done) return { out, seen, end: next.value };
    out.push(next.value);
  }
}

describe("the goal over a turn", () => {
  it("is set from the prompt, told to the model in the same words as in the log, and its use recorded at the end", async () => {
    const of = session();
    const ran = await drive(of, "/goal green steps=9");
    const [note] = ran.out;
    const said = note?.type === "note" ? note.text : "";
    expect(said).toContain("The user set a goal: green\nBudget: 9 steps.");
    expect(ran.seen).toEqual([text("/goal green steps=9"), text(`<cairn-note source="goal">\n${said}\n</cairn-note>`)]);
    expect([of.goals, ran.end]).toEqual([
      [
        { ...GOAL, used: 0 },
        { ...GOAL, used: 3 },
      ],
      END,
    ]);
  });

  it("adds to what earlier turns used, in tokens by what replies used", async () => {
    const of = session({ ...GOAL, budget: { unit: "tokens", limit: 90_000 }, used: 100 });
    await drive(of, "go on", [reply]);
    expect(of.goals.map((goal) => goal?.used)).toEqual([5_100]);
  });

  it("that is let go stays so when its use is recorded", async () => {
    const of = session(GOAL);
    await drive(of, "go on", [], (letGo) => letGo());
    expect(of.goals).toEqual([
      { ...GOAL, state: "let_go" },
      { ...GOAL, state: "let_go", used: 5 },
    ]);
  });

  it("that is decided already uses nothing more", async () => {
    const of = session({ ...GOAL, state: "met" });
    await drive(of, "thanks", [reply]);
    expect(of.goals).toEqual([]);
  });

  it("can be set while the agent works, and taken back", async () => {
    const steer = (words: string): LoopEvent => ({ type: "steer", blocks: [text(words)], queueIds: [] });
    const of = session();
    await drive(of, "hello", [steer("/goal green steps=9"), steer("/goal clear")]);
    expect(of.goals).toEqual([{ ...GOAL, used: 0 }, null]);
  });

  it("a plain prompt changes nothing, and a consumer that lets go ends the loop", async () => {
    const of = session();
    const plain = await drive(of, "hello", [reply]);
    expect([plain.out, plain.seen, of.goals]).toEqual([[reply], [text("hello")], []]);
    let closed = false;
    const running = createTurnGoal(of.env, () => 0).run({ history: [], prompt: { role: "user", blocks: [] } }, async function* () {
      try {
        yield reply;
        return END;
      } finally {
        closed = true;
      }
    });
    await running.next();
    await running.return(END);
    expect(closed).toBe(true);
  });
});
