import { appendFile, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { text } from "#shared/chat/blocks.ts";
import { CallId, Seq, SessionId } from "#shared/lib/ids.ts";
import { PermissionQuestion } from "#shared/permissions/question.ts";
import { createSystemClock } from "#electron/lib/clock.ts";
import { answering, ANSWERED, MAKER, replyEvent, type SessionsFixture, sessionsFixture } from "#electron/testkit/sessions.ts";
import type { OpenTurn, SessionActor } from "./contract.ts";
import { openSessionLog } from "./log-file.ts";

let fixture: SessionsFixture | undefined;
afterEach(() => fixture?.end());
const fresh = async (openTurn?: OpenTurn) => {
  fixture = await sessionsFixture(openTurn);
  return fixture;
};
const create = (at: SessionsFixture): Promise<SessionActor> => at.sessions.create({ cwd: at.cwd, mode: "default", maker: MAKER });
const logOf = (at: SessionsFixture, id: SessionId) => join(at.dataDir, "sessions", id, "log.jsonl");
const say = (words: string) => [text(words)];

/** A turn that waits until it is aborted. */
const waiting: OpenTurn = async (env) =>
  async function* () {
    yield replyEvent("partly");
    await new Promise<void>((resolve) => env.scope.signal.addEventListener("abort", () => resolve(), { once: true }));
    return { why: "aborted", abortedBy: "person", steps: 1, requests: 1, lostSteps: 0 };
  };

describe("a session", () => {
  it("keeps its conversation over a restart, with the first prompt as title", async () => {
    const at = await fresh();
    const actor = await create(at);
    await actor.prompt(say("Mend   the dates"));
    expect(await actor.idle()).toEqual(ANSWERED);
    await at.sessions.close();
    const again = await at.open().open(actor.id);
    expect(again.ok && [again.value.view.title, again.value.view.rows.map((row) => row.kind), again.value.view.attention]).toEqual([
      "Mend the dates",
      ["prompt", "warning", "text", "turn_end"],
      "done",
    ]);
  });

  it("a line whose number leaves no room for others is damage like any other: the next hello works", async () => {
    const at = await fresh();
    const actor = await create(at);
    await actor.prompt(say("one"));
    await actor.idle();
    await at.sessions.close();
    const log = logOf(at, actor.id);
    const [first = ""] = (await readFile(log, "utf8")).split("\n");
    for (const seq of [Number.MAX_SAFE_INTEGER, 2 ** 53, 1e300, -1]) await appendFile(log, `${first.replace(/"seq":\d+/, `"seq":${seq}`)}\n`);
    const again = await at.open().open(actor.id);
    expect(again.ok && (await again.value.prompt(say("hello"))).ok).toBe(true);
    expect(again.ok && (await again.value.idle())?.why).toBe("answered");
  });

  it("is pinned and archived over a restart without looking newer, and comes out of the archive when it goes on (S3)", async () => {
    const at = await fresh();
    const actor = await create(at);
    await actor.prompt(say("one"));
    await actor.idle();
    const before = actor.view.updatedAt;
    await actor.file({ pinned: true });
    await actor.file({ archived: true });
    await actor.file({ archived: true });
    expect([actor.view.updatedAt, (await actor.eventsFrom(Seq.parse(0))).filter(({ event }) => event.type === "session_filed").length]).toEqual([before, 2]);
    await at.sessions.close();
    const sessions = at.open();
    expect((await sessions.list()).map(({ pinned, archived }) => [pinned, archived])).toEqual([[true, true]]);
    const again = await sessions.open(actor.id);
    if (!again.ok) throw new Error(again.error.message);
    await again.value.prompt(say("two"));
    await again.value.idle();
    expect(again.value.view.filed).toEqual({ pinned: true, archived: false });
    const fork = await sessions.fork(actor.id, { kind: "end" });
    expect(fork.ok && fork.value.actor.view.filed).toEqual({ pinned: false, archived: false });
  });

  it("masks keys in what is sent, waits or is said otherwise, and tells the person (R3)", async () => {
    const at = await fresh(waiting);
    const actor = await create(at);
    await actor.prompt(say("use sk-secret"));
    await actor.prompt(say("or sk-secret"));
    expect(actor.view.queue.map((item) => item.blocks)).toEqual([say("or [secret]")]);
    await actor.stop();
    const events = (await actor.eventsFrom(Seq.parse(0))).map(({ event }) => event);
    const told = events.filter((event) => event.type === "warning_raised" && event.notice.key === "notices.secret_masked");
    expect([JSON.stringify(events).includes("sk-secret"), told.length]).toEqual([false, 2]);
  });

  it("says once on the trail that there are no checkpoints here", async () => {
    const at = await fresh();
    const actor = await create(at);
    await actor.prompt(say("one"));
    await actor.idle();
    expect(actor.view.missingCheckpoints.map((missing) => missing.why)).toEqual(["no checkpoints in this test"]);
    expect(actor.view.rows.flatMap((row) => (row.kind === "warning" ? [row.notice.key] : []))).toEqual(["notices.no_checkpoint"]);
  });

  it("queues what is sent while it works, keeps the queue on Stop, and starts it after a good end", async () => {
    const at = await fresh(waiting);
    const actor = await create(at);
    await actor.prompt(say("first"));
    expect(await actor.prompt(say("second"))).toEqual({ ok: true, value: { turn: undefined, queued: true } });
    await actor.stop();
    expect(actor.view.queue.map((item) => item.blocks)).toEqual([say("second")]);
    expect(actor.view.lastEnd?.why).toBe("aborted");

    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const prompts: string[] = [];
    const other = await fresh(
      async () =>
        async function* (start) {
          prompts.push(start.prompt.blocks.map((block) => (block.type === "text" ? block.text : "")).join());
          await gate;
          yield replyEvent("ok");
          return ANSWERED;
        },
    );
    const second = await create(other);
    await second.prompt(say("a"));
    await second.prompt(say("b"));
    release();
    await second.idle();
    await new Promise((resolve) => setTimeout(resolve, 30));
    await second.idle();
    expect([prompts, second.view.queue]).toEqual([["a", "b"], []]);
    await at.end();
  });

  it("ends a turn whose loop throws or ignores Stop, and takes the next prompt", async () => {
    let first = true;
    const at = await fresh(
      async (env) =>
        async function* (start) {
          if (!first) return yield* (await answering(env))(start);
          first = false;
          yield replyEvent("x");
          throw new Error("broken");
        },
    );
    const actor = await create(at);
    await actor.prompt(say("one"));
    expect((await actor.idle())?.why).toBe("failed");
    await actor.prompt(say("two"));
    expect((await actor.idle())?.why).toBe("answered");
    const deaf = await fresh(
      async () =>
        async function* () {
          yield replyEvent("x");
          await new Promise(() => {});
          return ANSWERED;
        },
    );
    const stubborn = await create(deaf);
    await stubborn.prompt(say("one"));
    await stubborn.stop();
    expect(stubborn.view.lastEnd?.why).toBe("aborted");
    await at.end();
  });

  it("answers a question once and cancels it when the turn ends", async () => {
    const at = await fresh(
      async (env) =>
        async function* () {
          const asked = env.ask(question("q1"), env.scope.signal);
          yield replyEvent("may I?");
          const answer = await asked;
          yield replyEvent(answer?.behavior ?? "none");
          return ANSWERED;
        },
    );
    const actor = await create(at);
    await actor.prompt(say("go"));
    while (actor.view.pending.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(actor.view.attention).toBe("needs_you");
    const [open] = actor.view.pending;
    if (open === undefined) throw new Error("no question");
    expect((await actor.answer(open.id, { behavior: "allow" })).ok).toBe(true);
    expect((await actor.answer(open.id, { behavior: "allow" })).ok).toBe(false);
    await actor.idle();
    expect(actor.view.rows.flatMap((row) => (row.kind === "text" ? [row.text] : []))).toEqual(["may I?", "allow"]);
  });

  it("refuses a prompt when its folder is gone, and works again when it is found", async () => {
    const at = await fresh();
    const actor = await create(at);
    await rm(at.cwd, { recursive: true });
    expect(await actor.prompt(say("x"))).toMatchObject({ ok: false, error: { kind: "folder_gone" } });
    expect((await actor.moveFolder(at.dataDir)).ok).toBe(true);
    expect((await actor.prompt(say("x"))).ok).toBe(true);
    await actor.idle();
  });

  it("has one writer: a second opener is told who has it, a dead owner is replaced", async () => {
    const at = await fresh();
    const actor = await create(at);
    const link = join(at.dataDir, "sessions", "also");
    await symlink(join(at.dataDir, "sessions", actor.id), link);
    expect(await at.open().open(actor.id)).toMatchObject({ ok: false, error: { kind: "locked" } });
    expect(await at.open().open(SessionId.parse("also"))).toMatchObject({ ok: false, error: { kind: "locked" } });
    await at.sessions.close();
    const lock = join(at.dataDir, "sessions", actor.id, "lock");
    for (const owner of [
      { pid: 2 ** 22 - 1, start: "1" },
      { pid: process.pid, start: "1" },
    ]) {
      await writeFile(lock, JSON.stringify(owner)); // a dead process; a live pid that is now another program
      const reopened = at.open();
      expect((await reopened.open(actor.id)).ok).toBe(true);
      await reopened.close();
    }
  });

  it("is moved to the bin when removed, and a name that leads elsewhere is no session", async () => {
    const at = await fresh();
    const actor = await create(at);
    await actor.prompt(say("x"));
    await actor.idle();
    expect((await at.sessions.remove(actor.id)).ok).toBe(true);
    expect(await at.sessions.list()).toEqual([]);
    expect(await readFile(join(at.dataDir, "bin", actor.id, "log.jsonl"), "utf8")).toContain("session_created");
    expect(SessionId.safeParse("../../etc").success).toBe(false);
  });
});

describe("after a crash", () => {
  it("open calls get a stand-in result, open questions are cancelled, the turn is interrupted and the next message works", async () => {
    const at = await fresh();
    const actor = await create(at);
    const path = logOf(at, actor.id);
    await at.sessions.close();
    const turn = "t9";
    const blocks = [
      { type: "tool_use", id: "c1", name: "bash", input: {} },
      { type: "tool_use", id: "c2", name: "bash", input: {} },
    ];
    const reply = {
      v: 1,
      type: "reply_completed",
      entry: "e2",
      turn,
      step: 1,
      reply: "r1",
      by: MAKER,
      blocks,
      stop: { kind: "tool_use" },
      usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
      partial: false,
    };
    const lines = [
      { v: 1, type: "prompt_submitted", entry: "e1", turn, blocks: say("go") },
      reply,
      { v: 1, type: "call_started", turn, call: "c1", tool: "bash", input: {}, effects: [], readOnly: false },
      { v: 1, type: "permission_asked", turn, question: question("q7") },
    ];
    await appendFile(
      path,
      lines.map((event, index) => `${JSON.stringify({ seq: index + 2, at: 1, event })}\n`).join("") + '{"seq":6,"at":1,"event":{"v":1,"ty',
    );
    const again = await at.open().open(actor.id);
    if (!again.ok) throw new Error(again.error.message);
    const { view } = again.value;
    expect([view.turn, view.pending, view.attention, view.lastEnd?.why]).toEqual([undefined, [], "failed", "interrupted"]);
    expect([view.calls[CallId.parse("c1")]?.state, view.calls[CallId.parse("c2")]?.state]).toEqual(["failed", "failed"]);
    expect(view.rows.some((row) => row.kind === "warning" && row.notice.key === "notices.log_damaged")).toBe(true);
    expect(view.head === null ? undefined : view.entries[view.head]?.kind).toBe("results");
    expect(await readFile(`${path}.damaged`, "utf8")).toBe('{"seq":6,"at":1,"event":{"v":1,"ty');
    expect((await again.value.prompt(say("status?"))).ok).toBe(true);
    expect((await again.value.idle())?.why).toBe("answered");
  });

  it("keeps every good event around damaged lines, counts the bad ones and passes over newer kinds (E01, E03)", async () => {
    const at = await fresh();
    const path = join(at.dataDir, "log.jsonl");
    const good = (seq: number) => JSON.stringify({ seq, at: 1, event: { v: 1, type: "session_renamed", title: `t${seq}`, byPerson: true } });
    const lines = [
      ...Array.from({ length: 50 }, (_, n) => good(n + 1)),
      "\0".repeat(400),
      ...Array.from({ length: 50 }, (_, n) => good(n + 51)),
      '{"broken',
      ...Array.from({ length: 10 }, (_, n) => good(n + 101)),
      JSON.stringify({ seq: 111, at: 1, event: { v: 1, type: "from_the_future" } }),
      JSON.stringify({ seq: 112, at: 1, event: { v: 99, type: "session_renamed" } }),
    ];
    await writeFile(path, `${lines.join("\n")}\n{"seq":113,"at":1,"ev`);
    const { log, events, damage } = await openSessionLog(path, createSystemClock());
    expect([events.length, events.at(-1)?.seq, damage.badLines, damage.unknown, damage.tornBytes > 0]).toEqual([110, 110, 2, 2, true]);
    expect(await log.append([{ v: 1, type: "session_renamed", title: "next", byPerson: true }])).toBe(113);
    await log.close();
    const reread = await openSessionLog(path, createSystemClock());
    expect([reread.events.at(-1)?.seq, reread.damage.unknown, reread.damage.tornBytes]).toEqual([113, 2, 0]);
    await reread.log.close();
  });

  it("a lone surrogate of an old log loads as a replacement character (A15)", async () => {
    const at = await fresh();
    const path = join(at.dataDir, "log.jsonl");
    await writeFile(path, `{"seq":1,"at":1,"event":{"v":1,"type":"session_renamed","title":"x\\ud83d","byPerson":true}}\n`);
    const { events, log } = await openSessionLog(path, createSystemClock());
    const title = events[0]?.event.type === "session_renamed" ? events[0].event.title : "";
    expect(title).toBe("x\ufffd");
    await log.append([{ v: 1, type: "session_renamed", title: "y\ud83d", byPerson: true }]);
    await log.close();
    expect(JSON.parse((await readFile(path, "utf8")).trim().split("\n")[1] ?? "{}")).toMatchObject({ event: { title: "y\ufffd" } });
  });
});

function question(id: string): PermissionQuestion {
  return PermissionQuestion.parse({
    id,
    call: "c1",
    tool: "bash",
    verb: "run_command",
    subject: "ls",
    detail: { kind: "command", command: "ls", cwd: "/" },
    tags: [],
    suggestions: [],
    by: "ask",
    because: "x",
    refusals: 0,
  });
}

describe("impatience", () => {
  it("reaches the running turn, and nobody when none runs (L19)", async () => {
    let pressed = 0;
    const at = await fresh(
      async (env) =>
        async function* () {
          using _listening = env.onRetryNow(() => (pressed += 1));
          yield replyEvent("waiting");
          // The stop may come while the reply is still being taken.
          if (!env.scope.signal.aborted) await new Promise<void>((resolve) => env.scope.signal.addEventListener("abort", () => resolve(), { once: true }));
          return ANSWERED;
        },
    );
    const actor = await create(at);
    actor.retryNow();
    await actor.prompt(say("go"));
    while (actor.view.rows.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    actor.retryNow();
    await actor.stop();
    actor.retryNow();
    expect(pressed).toBe(1);
  });
});

describe("a change of mode", () => {
  it("is heard by what waits for an answer", async () => {
    const heard: string[] = [];
    const at = await fresh(
      async (env) =>
        async function* () {
          using _listening = env.onModeChanged(() => heard.push(env.view().mode));
          yield replyEvent("waiting");
          await new Promise<void>((resolve) => env.scope.signal.addEventListener("abort", () => resolve(), { once: true }));
          return ANSWERED;
        },
    );
    const actor = await create(at);
    await actor.prompt(say("go"));
    while (actor.view.rows.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await actor.setMode("acceptEdits");
    await actor.setMode("acceptEdits");
    await actor.stop();
    expect(heard).toEqual(["acceptEdits"]);
  });
});
