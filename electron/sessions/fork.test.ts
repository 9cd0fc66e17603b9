// Going on from a point of another conversation (K8, E11), on real logs.
import { afterEach, describe, expect, it } from "vitest";
import { plainText, text } from "#shared/chat/blocks.ts";
import { checkHistory } from "#shared/chat/history-check.ts";
import type { EntryId } from "#shared/lib/ids.ts";
import type { SessionView } from "#shared/session/view.ts";
import { projectHistory } from "#electron/history/project-history.ts";
import { ANSWERED, MAKER, replyEvent, type SessionsFixture, sessionsFixture } from "#electron/testkit/sessions.ts";
import type { OpenTurn, SessionActor } from "./contract.ts";

let fixture: SessionsFixture | undefined;
afterEach(() => fixture?.end());

let replies = 0;
const numbered: OpenTurn = async () =>
  async function* (start) {
    replies += 1;
    yield replyEvent(`to ${plainText(start.prompt.blocks)}`);
    return ANSWERED;
  };
const said = (view: SessionView) => view.rows.flatMap((row) => (row.kind === "prompt" ? [`${plainText(row.blocks)}${row.left ? " (left)" : ""}`] : []));
const history = (view: SessionView) => projectHistory(view).map((message) => plainText(message.blocks));
const promptOf = (view: SessionView, words: string): EntryId => {
  const row = view.rows.findLast((one) => one.kind === "prompt" && plainText(one.blocks) === words);
  if (row?.kind !== "prompt") throw new Error(`no prompt ${words}`);
  return row.entry;
};
async function ask(actor: SessionActor, ...words: readonly string[]): Promise<void> {
  for (const one of words) {
    await actor.prompt([text(one)]);
    await actor.idle();
  }
}

describe("a conversation that goes on from another one", () => {
  it("has what led to its point and nothing else, whatever is done in either afterwards, also when all are opened again (E11)", async () => {
    fixture = await sessionsFixture(numbered);
    const { cwd } = fixture;
    let { sessions } = fixture;
    const a = await sessions.create({ cwd, mode: "default", maker: MAKER });
    await ask(a, "m1", "m2", "m3", "m4", "m5");
    await a.resend(promptOf(a.view, "m4"), [text("m4'")]);
    await a.idle();
    await ask(a, "m5'");
    const forked = await sessions.fork(a.id, { kind: "end" });
    if (!forked.ok) throw new Error(forked.error.message);
    const b = forked.value.actor.id;
    await ask(a, "m6'");
    await sessions.close();
    sessions = fixture.open(numbered);
    const wanted = ["m1", "m2", "m3", "m4'", "m5'"];
    const openedB = await sessions.open(b);
    if (!openedB.ok) throw new Error(openedB.error.message);
    expect([said(openedB.value.view), openedB.value.view.lastEnd]).toEqual([wanted, ANSWERED]);
    const forkedC = await sessions.fork(b, { kind: "end" });
    if (!forkedC.ok) throw new Error(forkedC.error.message);
    await ask(openedB.value, "m7");
    expect(said(forkedC.value.actor.view)).toEqual(wanted);
    const openedA = await sessions.open(a.id);
    if (!openedA.ok) throw new Error(openedA.error.message);
    expect(said(openedA.value.view)).toEqual(["m1", "m2", "m3", "m4 (left)", "m5 (left)", "m4'", "m5'", "m6'"]);
    for (const { view } of [openedA.value, openedB.value, forkedC.value.actor]) expect(checkHistory(projectHistory(view), false)).toEqual([]);
    await sessions.close();
  });

  it("at a message stands before it, gives the message back, and is named after the one it comes from", async () => {
    fixture = await sessionsFixture(numbered);
    const { cwd, sessions } = fixture;
    const a = await sessions.create({ cwd, mode: "plan", maker: MAKER });
    await ask(a, "one", "two", "three");
    await a.rename("Dates");
    const forked = await sessions.fork(a.id, { kind: "prompt", entry: promptOf(a.view, "two") });
    if (!forked.ok) throw new Error(forked.error.message);
    const { actor, prompt } = forked.value;
    expect([said(actor.view), prompt, actor.view.title, actor.view.mode, actor.view.cwd]).toEqual([["one"], [text("two")], "Dates 2", "plan", cwd]);
    await ask(actor, "otherwise");
    expect(history(actor.view)).toEqual(["one", "to one", "otherwise", "to otherwise"]);
    const again = await sessions.fork(actor.id, { kind: "prompt", entry: promptOf(actor.view, "one") });
    if (!again.ok) throw new Error(again.error.message);
    expect([said(again.value.actor.view), again.value.actor.view.title]).toEqual([[], "Dates 3"]);
    await sessions.close();
  });

  it("is refused where there is no such point or conversation", async () => {
    fixture = await sessionsFixture(numbered);
    const { cwd, sessions } = fixture;
    const a = await sessions.create({ cwd, mode: "default", maker: MAKER });
    await ask(a, "one");
    const other = await sessions.create({ cwd, mode: "default", maker: MAKER });
    await ask(other, "strange");
    expect(await sessions.fork(a.id, { kind: "prompt", entry: promptOf(other.view, "strange") })).toMatchObject({ ok: false, error: { kind: "no_point" } });
    expect((await sessions.list()).length).toBe(2);
    await sessions.close();
  });
});
