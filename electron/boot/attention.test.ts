import { describe, expect, it } from "vitest";
import { CallId, QuestionId, SessionId, TurnId } from "#shared/lib/ids.ts";
import { emptyView } from "#shared/session/empty-view.ts";
import type { SessionView } from "#shared/session/view.ts";
import { Settings } from "#shared/settings/settings.ts";
import { createManualClock } from "#electron/testkit/manual-clock.ts";
import { watchAttention } from "./attention.ts";

const END = { why: "answered", steps: 1, requests: 1, lostSteps: 0 } as const;
const view = (name: string, some: Partial<SessionView>): SessionView => ({ ...emptyView(SessionId.parse(name)), title: name, ...some });
const working: Partial<SessionView> = { attention: "working", turn: { id: TurnId.parse("t"), startedAt: 0, step: 1 } };
const question = { id: QuestionId.parse("q"), kind: "plan", call: CallId.parse("c"), tool: "plan_exit", plan: "p" } as const;

function setUp({ focused = false, settings = {} }: { readonly focused?: boolean; readonly settings?: object } = {}) {
  const clock = createManualClock();
  const told: string[] = [];
  let views: readonly SessionView[] = [];
  let listener: () => void = () => {};
  const watch = watchAttention({
    clock,
    settings: () => Settings.parse(settings),
    sessions: {
      views: async () => views,
      followList(heard) {
        listener = heard;
        return { [Symbol.dispose]: () => told.push("unfollowed") };
      },
    },
    desktop: {
      focused: () => focused,
      notify: ({ kind, title }) => told.push(`${kind} ${title}`),
      withdraw: (session) => told.push(`withdraw ${session}`),
      badge: (count) => told.push(`badge ${count}`),
      stayAwake: (wanted) => told.push(`awake ${wanted}`),
    },
  });
  return {
    watch,
    async now(...next: readonly SessionView[]) {
      views = next;
      told.length = 0;
      listener();
      listener();
      await clock.advance(200);
      return [...told];
    },
    told,
  };
}

describe("the attention of the desktop", () => {
  it("is drawn once when a session enters a state, by its kind", async () => {
    const { now } = setUp();
    expect(await now(view("a", working))).toEqual(["badge 0", "awake true"]);
    const asks = view("a", { attention: "needs_you", pending: [question] });
    expect(await now(asks)).toEqual(["badge 1", "awake false", "question a"]);
    expect(await now(asks)).toEqual(["badge 1", "awake false"]);
    expect(await now(view("a", working))).toEqual(["badge 0", "awake true", "withdraw a"]);
    expect(await now(view("a", { attention: "done", lastEnd: END }))).toEqual(["badge 0", "awake false", "finished a"]);
    expect(await now(view("a", { attention: "failed", lastEnd: END }))).toEqual(["badge 0", "awake false", "withdraw a", "error a"]);
  });

  it("is not drawn from who looks at the window, nor to what the person switched off", async () => {
    const done = view("a", { attention: "done", lastEnd: END });
    expect(await setUp({ focused: true }).now(done)).toEqual(["badge 0", "awake false"]);
    expect(await setUp({ settings: { notifications: { finished: false } } }).now(done)).toEqual(["badge 0", "awake false"]);
  });

  it("lets the system sleep when the person wants that", async () => {
    expect(await setUp({ settings: { stayAwake: false } }).now(view("a", working))).toEqual(["badge 0", "awake false"]);
  });

  it("ends with the window: nothing is followed, the system may sleep", async () => {
    const { watch, now, told } = setUp();
    await now(view("a", working));
    told.length = 0;
    watch[Symbol.dispose]();
    expect(told).toEqual(["unfollowed", "awake false"]);
  });
});
