// A prompt said otherwise or answered anew: the conversation goes on from before it, nothing is lost, files stay.
import { afterEach, describe, expect, it } from "vitest";
import { plainText, text, type Message } from "#shared/chat/blocks.ts";
import { checkHistory } from "#shared/chat/history-check.ts";
import { EntryId } from "#shared/lib/ids.ts";
import { projectHistory } from "#electron/history/project-history.ts";
import { ANSWERED, MAKER, replyEvent, type SessionsFixture, sessionsFixture } from "#electron/testkit/sessions.ts";
import type { OpenTurn, SessionActor } from "./contract.ts";

let fixture: SessionsFixture | undefined;
afterEach(() => fixture?.end());

const say = (words: string) => [text(words)];
/** Notes the history and the prompt of each turn. */
function listening(until?: Promise<void>) {
  const seen: (readonly Message[])[] = [];
  const openTurn: OpenTurn = async (env) =>
    async function* () {
      seen.push(projectHistory(env.view()));
      yield replyEvent(`answer ${seen.length}`);
      if (until !== undefined && seen.length === 1)
        await Promise.race([until, new Promise<void>((resolve) => env.scope.signal.addEventListener("abort", () => resolve(), { once: true }))]);
      return env.scope.signal.aborted ? { why: "aborted", abortedBy: "person", steps: 1, requests: 1, lostSteps: 0 } : ANSWERED;
    };
  const words = (n: number) => seen[n]?.map((message) => plainText(message.blocks));
  return { openTurn, words, seen };
}
const start = async (openTurn: OpenTurn) => {
  fixture = await sessionsFixture(openTurn);
  return { at: fixture, actor: await fixture.sessions.create({ cwd: fixture.cwd, mode: "default", maker: MAKER }) };
};
async function talk(actor: SessionActor, ...prompts: readonly string[]) {
  for (const prompt of prompts) {
    await actor.prompt(say(prompt));
    await actor.idle();
  }
}
const promptOf = (actor: SessionActor, n: number): EntryId => {
  const row = actor.view.rows.filter((one) => one.kind === "prompt" && !one.left)[n];
  return row?.kind === "prompt" ? row.entry : EntryId.parse("none");
};

describe("resend", () => {
  it("says an earlier prompt otherwise: the model hears only what came before it", async () => {
    const heard = listening();
    const { actor, at } = await start(heard.openTurn);
    await talk(actor, "one", "two", "three");
    expect((await actor.resend(promptOf(actor, 1), say("TWO"))).ok).toBe(true);
    await actor.idle();
    expect(heard.words(3)).toEqual(["one", "answer 1", "TWO"]);
    expect(actor.view.rows.filter((row) => row.kind !== "warning").map((row) => [row.kind, row.left])).toEqual([
      ...["prompt", "text", "turn_end"].map((kind) => [kind, false]),
      ...["prompt", "text", "turn_end", "prompt", "text", "turn_end"].map((kind) => [kind, true]),
      ...["prompt", "text", "turn_end"].map((kind) => [kind, false]),
    ]);
    await talk(actor, "next");
    expect(heard.words(4)).toEqual(["one", "answer 1", "TWO", "answer 4", "next"]);
    await at.sessions.close();
    const again = await at.open().open(actor.id);
    expect(again.ok && again.value.view.rows.filter((row) => !row.left && row.kind !== "warning").length).toBe(9);
  });

  it("answers the last prompt anew with the same words", async () => {
    const heard = listening();
    const { actor } = await start(heard.openTurn);
    await talk(actor, "one", "two");
    await actor.resend(promptOf(actor, 1), undefined);
    await actor.idle();
    expect(heard.words(2)).toEqual(["one", "answer 1", "two"]);
    await actor.resend(promptOf(actor, 0), undefined);
    await actor.idle();
    expect(heard.words(3)).toEqual(["one"]);
    for (const history of heard.seen) expect(checkHistory(history, true)).toEqual([]);
  });

  it("stops a turn that runs, and leaves the queue to the person", async () => {
    const heard = listening(new Promise(() => {}));
    const { actor } = await start(heard.openTurn);
    await actor.prompt(say("one"));
    await actor.prompt(say("later"));
    expect((await actor.resend(promptOf(actor, 0), say("ONE"))).ok).toBe(true);
    expect(heard.words(1) ?? (await actor.idle(), heard.words(1))).toEqual(["ONE"]);
  });

  it("refuses what is no prompt of this conversation, and changes nothing", async () => {
    const { actor } = await start(listening().openTurn);
    await talk(actor, "one", "two");
    const gone = promptOf(actor, 1);
    await actor.resend(gone, say("TWO"));
    await actor.idle();
    const before = actor.view.rows.length;
    const reply = Object.values(actor.view.entries).find((entry) => entry.kind === "reply")?.id ?? gone;
    for (const id of [gone, reply, EntryId.parse("no-such")])
      expect(await actor.resend(id, say("x"))).toMatchObject({ ok: false, error: { kind: "unknown_prompt" } });
    expect(actor.view.rows.length).toBe(before);
  });
});
