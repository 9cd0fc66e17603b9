// What is said while the agent works (L17): visible in the queue until it is delivered, delivered at the next step boundary exactly
// once and in order, whatever else the person does meanwhile.
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { plainText, text } from "#shared/chat/blocks.ts";
import type { TurnEnd } from "#shared/loop/turn-end.ts";
import { ANSWERED, MAKER, replyEvent, type SessionsFixture, sessionsFixture } from "#electron/testkit/sessions.ts";
import type { OpenTurn, SessionActor } from "./contract.ts";

let fixture: SessionsFixture | undefined;
afterEach(() => fixture?.end());

const ABORTED: TurnEnd = { why: "aborted", abortedBy: "person", steps: 1, requests: 1, lostSteps: 0 };

/** A loop that waits at each of its boundaries until it is let on, and writes down what it was told, one entry a message. `deaf`: it takes nothing within a turn. */
function steerable({ deaf = false } = {}) {
  const told: string[] = [];
  let waiting: (() => void)[] = [];
  let boundaries = 2;
  const openTurn: OpenTurn = async (env) => {
    const { signal } = env.scope;
    const boundary = () =>
      new Promise<void>((resolve) => {
        waiting.push(resolve);
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    return async function* (start) {
      told.push(...start.prompt.blocks.map((block) => plainText([block])));
      for (let n = 0; n < boundaries; n += 1) {
        await boundary();
        if (signal.aborted) return ABORTED;
        yield replyEvent("working");
        const { queue } = env.view();
        if (deaf || queue.length === 0) continue;
        const blocks = queue.flatMap((item) => item.blocks);
        told.push(...blocks.map((block) => plainText([block])));
        yield { type: "steer", blocks, queueIds: queue.map((item) => item.id) };
      }
      return ANSWERED;
    };
  };
  return {
    told,
    openTurn,
    /** how many boundaries a turn has from now on */
    turnsOf: (count: number) => void (boundaries = count),
    letOn() {
      const these = waiting;
      waiting = [];
      for (const on of these) on();
    },
  };
}

const queueOf = (actor: SessionActor) => actor.view.queue.map((item) => plainText(item.blocks));
/** Time for what goes on to come to rest. */
const settle = () => sleep(15);

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400 && !holds(); tries += 1) await sleep(5);
  expect(holds()).toBe(true);
}

const LATE = Array.from({ length: 400 }, (_, n) => `late ${n}`);

describe("a message sent while the agent works", () => {
  it("is seen in the queue until the next boundary, where all of them are delivered in order, once", async () => {
    const loop = steerable();
    fixture = await sessionsFixture(loop.openTurn);
    const actor = await fixture.sessions.create({ cwd: fixture.cwd, mode: "default", maker: MAKER });
    await actor.prompt([text("go")]);
    for (const words of ["one", "two", "three"]) await actor.prompt([text(words)]);
    await settle();
    expect([loop.told, queueOf(actor)]).toEqual([["go"], ["one", "two", "three"]]);
    loop.letOn();
    await until(() => loop.told.length === 4);
    await settle();
    expect([loop.told, queueOf(actor), actor.view.turn === undefined]).toEqual([["go", "one", "two", "three"], [], false]);
    loop.letOn();
    expect((await actor.idle())?.why).toBe("answered");
    expect(loop.told.length).toBe(4);
  });

  it("survives a restart in the queue, in its order, and waits for the person", async () => {
    const loop = steerable();
    fixture = await sessionsFixture(loop.openTurn);
    const actor = await fixture.sessions.create({ cwd: fixture.cwd, mode: "default", maker: MAKER });
    await actor.prompt([text("go")]);
    for (const words of ["one", "two"]) await actor.prompt([text(words)]);
    await fixture.sessions.close();
    const again = await fixture.open(loop.openTurn).open(actor.id);
    if (!again.ok) throw new Error(again.error.message);
    await settle();
    expect([queueOf(again.value), loop.told]).toEqual([["one", "two"], ["go"]]);
    const [first] = again.value.view.queue;
    await again.value.editQueue({ kind: "send_now", id: first?.id ?? "" });
    await until(() => loop.told.length === 2);
    expect([loop.told, queueOf(again.value)]).toEqual([["go", "one"], ["two"]]);
  });

  it.each([[["waiting"]], [[]]])("that comes just as the turn ends goes behind those that already wait: %j", async (already) => {
    const loop = steerable({ deaf: true });
    loop.turnsOf(1);
    fixture = await sessionsFixture(loop.openTurn);
    const actor = await fixture.sessions.create({ cwd: fixture.cwd, mode: "default", maker: MAKER });
    await actor.prompt([text("go")]);
    for (const words of already) await actor.prompt([text(words)]);
    let late: Promise<unknown> | undefined;
    const follow = actor.follow((news) => {
      if (news.kind !== "stored" || news.stored.event.type !== "turn_complete") return;
      follow[Symbol.dispose]();
      // So many that the turn is over in the middle of them.
      late = Promise.all(LATE.map((words) => actor.prompt([text(words)])));
    });
    loop.letOn();
    await until(() => late !== undefined);
    await late;
    for (let n = 0; n < 100 && loop.told.length < LATE.length + already.length + 1; n += 1) {
      loop.letOn();
      await settle();
    }
    expect(loop.told).toEqual(["go", ...already, ...LATE]);
  });
});

type Act = { readonly kind: "prompt" | "delete" | "send_now" | "stop" | "let_on"; readonly pick: number; readonly rest: boolean };
const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom<Act["kind"][]>("prompt", "prompt", "prompt", "delete", "send_now", "stop", "let_on", "let_on"),
  pick: fc.nat({ max: 5 }),
  /** whether the next one waits until everything is at rest */
  rest: fc.boolean(),
});

const RESTS = Promise.resolve();

type Story = { readonly sent: string[]; readonly ahead: Set<string>; readonly deleted: Set<string>; stopped: boolean };

/** What the person does, at once or at rest; resolves when all of it is taken. */
async function live(acts: readonly Act[], actor: SessionActor, letOn: () => void): Promise<Story> {
  const story: Story = { sent: [], ahead: new Set(), deleted: new Set(), stopped: false };
  const does: Readonly<Record<Act["kind"], (item: SessionActor["view"]["queue"][number] | undefined) => Promise<unknown>>> = {
    prompt() {
      story.sent.push(`m${story.sent.length}`);
      return actor.prompt([text(story.sent.at(-1) ?? "")]);
    },
    delete(item) {
      if (item === undefined) return RESTS;
      story.deleted.add(plainText(item.blocks));
      return actor.editQueue({ kind: "delete", id: item.id });
    },
    send_now(item) {
      if (item === undefined) return RESTS;
      story.ahead.add(plainText(item.blocks));
      return actor.editQueue({ kind: "send_now", id: item.id });
    },
    stop() {
      story.stopped = true;
      return actor.stop();
    },
    let_on() {
      letOn();
      return RESTS;
    },
  };
  const pending: Promise<unknown>[] = [];
  for (const { kind, pick, rest } of acts) {
    const { queue } = actor.view;
    pending.push(does[kind](queue[pick % Math.max(1, queue.length)]));
    if (rest) await settle();
  }
  // Whoever wants to send something now may be waiting for a turn to get on.
  await Promise.all(pending);
  return story;
}

function expectWhole({ sent, ahead, deleted, stopped }: Story, told: readonly string[], left: readonly string[]): void {
  const number = (words: string) => Number(words.slice(1));
  const inOrder = (list: readonly string[]) => list.every((words, k) => k === 0 || number(words) > number(list[k - 1] ?? ""));
  expect(new Set(told).size).toBe(told.length); // nothing twice
  expect([...told, ...left, ...deleted].filter((words) => !sent.includes(words))).toEqual([]);
  expect(sent.filter((words) => ![...told, ...left, ...deleted].includes(words))).toEqual([]); // nothing lost
  expect(told.filter((words) => left.includes(words))).toEqual([]);
  expect(inOrder(left)).toBe(true);
  // A stopped turn leaves the queue to the person, who may well begin something else first.
  if (!stopped && ahead.size === 0) expect(inOrder(told)).toBe(true);
}

describe("any order of prompts, deletions, send now, Stop and ends of turns", () => {
  it("loses nothing, delivers nothing twice, and keeps the order of what was not sent ahead", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 16 }), async (acts) => {
        const loop = steerable();
        const at = await sessionsFixture(loop.openTurn);
        try {
          const actor = await at.sessions.create({ cwd: at.cwd, mode: "default", maker: MAKER });
          const story = await live(acts, actor, loop.letOn);
          for (let n = 0; n < 60 && actor.view.turn !== undefined; n += 1) {
            loop.letOn();
            await sleep(2);
          }
          await actor.idle();
          await settle();
          expectWhole(story, loop.told, queueOf(actor));
        } finally {
          await at.end();
        }
      }),
      { numRuns: 40 },
    );
  }, 60_000);
});
