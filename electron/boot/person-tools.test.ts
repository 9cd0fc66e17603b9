// Questions and plans through the whole engine, as the window has it, and as a headless run has it (T16, P2, L21, C5).
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { text } from "#shared/chat/blocks.ts";
import type { EventOf, SessionEvent } from "#shared/events/durable.ts";
import { Seq } from "#shared/lib/ids.ts";
import type { PermissionMode } from "#shared/permissions/mode.ts";
import { isPermission, type PersonAnswer, type PersonQuestion } from "#shared/questions/question.ts";
import type { SessionActor } from "#electron/sessions/contract.ts";
import { BUILT, type HeadlessFixture, headlessFixture } from "#electron/testkit/headless-run.ts";
import { type ModelServer, startModelServer } from "#electron/testkit/server/model-server.ts";
import { calls, callPart, fails, says, type Script, type ScriptedReply } from "#electron/testkit/server/script.ts";
import type { Services } from "./contract.ts";
import { createServices } from "./services.ts";

const QUESTION = { questions: [{ question: "Which database?", header: "Database", options: [{ label: "SQLite" }, { label: "Postgres" }] }] };
const TOO_LONG = fails(400, { message: "prompt is too long: 210000 tokens > 200000 maximum" });

let base: string;
let server: ModelServer | undefined;
let services: Services | undefined;
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "cairn-person-")));
  await Promise.all(["home", "work"].map((name) => mkdir(join(base, name))));
});
afterEach(async () => {
  await services?.close();
  await server?.close();
  [services, server] = [undefined, undefined];
  await rm(base, { recursive: true, force: true, maxRetries: 3 });
});

async function openServices(url: string): Promise<Services> {
  const [dataDir, home] = [join(base, "data"), join(base, "home")];
  const environment = { PATH: process.env["PATH"], HOME: home, TERM: "xterm", ANTHROPIC_API_KEY: "sk-test-key" };
  const made = await createServices({
    dataDir,
    out: BUILT,
    environment,
    home,
    platform: process.platform,
    face: { kind: "window" },
    vault: undefined,
    fetch: undefined,
    report: () => undefined,
  });
  await made.settings.set({ provider: "anthropic", model: "test-model", baseUrls: { anthropic: url } });
  return made;
}

/** A session as the window opens one, with a model that plays a script. */
async function session(script: Script, mode: PermissionMode = "default"): Promise<SessionActor> {
  server = await startModelServer({ script });
  services = await openServices(server.url);
  return await services.sessions.create({ cwd: join(base, "work"), mode, maker: { provider: "anthropic", model: "test-model" } });
}

async function nextQuestion(actor: SessionActor): Promise<PersonQuestion> {
  return await vi.waitFor(
    () => {
      const [open] = actor.view.pending;
      if (open === undefined || isPermission(open)) throw new Error("no question yet");
      return open;
    },
    { timeout: 10_000 },
  );
}
async function answer(actor: SessionActor, given: PersonAnswer): Promise<void> {
  const { id } = await nextQuestion(actor);
  expect((await actor.answerPerson(id, given)).ok).toBe(true);
}
async function eventsOf<T extends SessionEvent["type"]>(actor: SessionActor, type: T): Promise<readonly EventOf<T>[]> {
  const stored = await actor.eventsFrom(Seq.parse(0));
  return stored.map(({ event }) => event).filter((event): event is EventOf<T> => event.type === type);
}
const lastResult = (n: number) => server?.requests[n]?.seen.results.at(-1);
const bodyOf = (n: number) => JSON.stringify(server?.requests[n]?.body);

describe("ask_user in a session", () => {
  it("waits for the person, whose time it is, and goes on with the answer", async () => {
    const actor = await session([calls("ask_user", QUESTION), says("SQLite it is.")]);
    await actor.prompt([text("choose")]);
    const asked = await nextQuestion(actor);
    expect([actor.view.attention, actor.view.calls[asked.call]?.state]).toEqual(["needs_you", "waiting_for_person"]);
    expect(await actor.answerPerson(asked.id, { kind: "approved", mode: "default" })).toEqual({ ok: false, error: { kind: "unfit" } });
    expect(await actor.answerPerson(asked.id, { kind: "answers", answers: [{ picked: ["MySQL"] }] })).toEqual({ ok: false, error: { kind: "unfit" } });
    await answer(actor, { kind: "answers", answers: [{ picked: ["SQLite"], words: "one file" }] });
    expect((await actor.idle())?.why).toBe("answered");
    expect(await actor.answerPerson(asked.id, { kind: "declined" })).toEqual({ ok: false, error: { kind: "unknown_question" } });
    expect([lastResult(1)?.isError, lastResult(1)?.text]).toEqual([false, expect.stringContaining("They chose: SQLite.\nIn their own words: one file")]);
    expect(actor.view.calls[asked.call]?.outcome?.view).toMatchObject({ kind: "answers", declined: false });
    expect((await eventsOf(actor, "turn_complete"))[0]?.waitedForPerson).toBe(true);
    expect(await eventsOf(actor, "permission_refused")).toEqual([]);
    server?.assertClean();
  });

  it("queues several, and what only reads goes on meanwhile: waiting needs no slot of the pool", async () => {
    await writeFile(join(base, "work", "a.txt"), "hello\n");
    const actor = await session([
      { parts: [callPart("ask_user", QUESTION, "q1"), callPart("ask_user", QUESTION, "q2"), callPart("read", { file_path: "a.txt" }, "r1")] },
      says("Good."),
    ]);
    await services?.settings.set({ maxParallelCalls: 1 });
    await actor.prompt([text("choose")]);
    await vi.waitFor(() => expect([actor.view.pending.length, Object.values(actor.view.calls).filter((call) => call.state === "ok").length]).toEqual([2, 1]), {
      timeout: 10_000,
    });
    await answer(actor, { kind: "declined" });
    await vi.waitFor(() => expect([actor.view.pending.length, actor.view.attention]).toEqual([1, "needs_you"]));
    await answer(actor, { kind: "answers", answers: [{ picked: ["Postgres"] }] });
    expect((await actor.idle())?.why).toBe("answered");
    server?.assertClean();
  });

  it("is cancelled by Stop with one failed result, and the next message works", async () => {
    const actor = await session([calls("ask_user", QUESTION), says("Hello again.")]);
    await actor.prompt([text("choose")]);
    await nextQuestion(actor);
    await actor.stop();
    expect([actor.view.lastEnd?.why, actor.view.pending, actor.view.attention]).toEqual(["aborted", [], "idle"]);
    expect((await eventsOf(actor, "person_answered")).map((event) => event.answer)).toEqual([{ kind: "cancelled" }]);
    const settled = await eventsOf(actor, "call_settled");
    expect(settled.map((event) => (event.outcome.status === "failed" ? event.outcome.failure.kind : "ok"))).toEqual(["aborted"]);
    await actor.prompt([text("hello")]);
    expect((await actor.idle())?.why).toBe("answered");
    server?.assertClean();
  });

  it("is answered as interrupted after a crash while it waited", async () => {
    const actor = await session([calls("ask_user", QUESTION), says("Hello again.")]);
    await actor.prompt([text("choose")]);
    await nextQuestion(actor);
    const root = join(base, "data", "sessions");
    const log = join(root, actor.id, "log.jsonl");
    const asItWas = await readFile(log);
    await services?.close();
    await writeFile(log, asItWas);
    services = await openServices(server?.url ?? "");
    const again = await services.sessions.open(actor.id);
    if (!again.ok) throw new Error(again.error.message);
    const { view } = again.value;
    expect([view.pending, view.turn, view.lastEnd?.why]).toEqual([[], undefined, "interrupted"]);
    expect(Object.values(view.calls).map((call) => call.state)).toEqual(["failed"]);
    expect((await eventsOf(again.value, "person_answered")).map((event) => event.answer)).toEqual([{ kind: "cancelled" }]);
    await again.value.prompt([text("hello")]);
    expect((await again.value.idle())?.why).toBe("answered");
    expect([lastResult(1)?.isError, lastResult(1)?.text]).toEqual([true, expect.stringContaining("interrupted")]);
    server?.assertClean();
  });
});

describe("plan mode in a session", () => {
  const write = (path: string) => calls("write", { file_path: path, content: "# Plan\n\n1. Write b.txt\n" });

  it("reads only, lets the plan file be written beside the log, and goes on as the person chose", async () => {
    const plan = () => join(base, "data", "sessions", known, "plan.md");
    let known = "";
    const replies: readonly (() => ScriptedReply)[] = [
      () => write("b.txt"),
      () => write(plan()),
      () => calls("plan_exit", {}),
      () => write("b.txt"),
      () => says("Carried out."),
    ];
    const actor = await session((_request, n) => replies[n]?.() ?? says("too much"), "plan");
    known = actor.id;
    await actor.prompt([text("add b.txt")]);
    const asked = await nextQuestion(actor);
    expect(asked).toMatchObject({ kind: "plan", plan: "# Plan\n\n1. Write b.txt" });
    expect(await readdir(join(base, "work"))).toEqual([]);
    await answer(actor, { kind: "approved", mode: "acceptEdits" });
    expect((await actor.idle())?.why).toBe("answered");
    expect([actor.view.mode, await readdir(join(base, "work"))]).toEqual(["acceptEdits", ["b.txt"]]);
    expect((await eventsOf(actor, "permission_refused")).map((event) => event.by)).toEqual(["plan_mode"]);
    expect((await eventsOf(actor, "note_added")).flatMap(({ source }) => (source.startsWith("plan_mode") ? [source] : []))).toEqual([
      "plan_mode",
      "plan_mode_off",
    ]);
    expect(bodyOf(0)).toContain(plan());
    expect(server?.requests.map((request) => request.seen.system).every((system) => system === server?.requests[0]?.seen.system)).toBe(true);
    server?.assertClean();
  });

  it("goes on after a no with the words, and a rejected plan stays rejected through a compaction (C5)", async () => {
    await writeFile(join(base, "work", "big.txt"), "some words of a line\n".repeat(9_000));
    const replies: readonly ScriptedReply[] = [
      calls("plan_exit", { plan: "# Plan A\n\nRewrite the cache." }),
      { parts: Array.from({ length: 6 }, (_, k) => callPart("read", { file_path: "big.txt", offset: 1 + k * 1_400, limit: 1_400 }, `r${k}`)) },
      TOO_LONG,
      calls("plan_exit", { plan: "# Plan B\n\nMend the helper." }),
      says("Done."),
    ];
    let n = 0;
    const actor = await session((request) => (request.tools.length === 0 ? says("A summary of it all.") : (replies[n++] ?? says("too much"))), "plan");
    await actor.prompt([text("make it faster")]);
    await answer(actor, { kind: "rejected", words: "never touch the cache" });
    const second = await vi.waitFor(
      async () => {
        const asked = await nextQuestion(actor);
        if (asked.kind !== "plan" || !asked.plan.includes("Plan B")) throw new Error("still the first plan");
        return asked;
      },
      { timeout: 15_000 },
    );
    expect(actor.view.mode).toBe("plan");
    expect((await eventsOf(actor, "compacted")).length).toBeGreaterThan(0);
    const after = server?.requests.findLast((request) => request.seen.tools.length > 0);
    expect(JSON.stringify(after?.body)).toMatch(/REJECTED this plan\. Their words: never touch the cache[\s\S]*Plan A/);
    expect(JSON.stringify(after?.body)).toContain("Plan mode is on");
    await actor.answerPerson(second.id, { kind: "approved", mode: "default", words: "only the helper" });
    expect((await actor.idle())?.why).toBe("answered");
    expect(actor.view.mode).toBe("default");
    expect(lastResult((server?.requests.length ?? 1) - 1)?.text).toMatch(/with these changes[\s\S]*only the helper/);
    server?.assertClean();
  });

  it("is told when the person turns it on in the middle of a session, and off again (C7)", async () => {
    const actor = await session([says("one"), says("two"), says("three")]);
    const turn = async (words: string) => {
      await actor.prompt([text(words)]);
      await actor.idle();
    };
    await turn("first");
    await actor.setMode("plan");
    await turn("second");
    await actor.setMode("default");
    await turn("third");
    expect([0, 1, 2].map((k) => [bodyOf(k)?.includes("Plan mode is on"), bodyOf(k)?.includes("Plan mode is off")])).toEqual([
      [false, false],
      [true, false],
      [true, true],
    ]);
    server?.assertClean();
  });
});

describe("without a person", () => {
  let at: HeadlessFixture;
  beforeEach(async () => {
    at = await headlessFixture();
  });
  afterEach(() => at.end());
  const run = async (script: Script, ...more: readonly string[]) => {
    server = await startModelServer({ script });
    return await at.run(["-p", "go", "--provider", "anthropic", "--base-url", server.url, "--model", "test-model", ...more], {
      env: { ANTHROPIC_API_KEY: "sk-test-key" },
    });
  };

  it("a question is answered at once by what to do instead", async () => {
    const ran = await run([calls("ask_user", QUESTION), says("I took SQLite.")]);
    expect([ran.code, ran.out]).toEqual([0, "I took SQLite.\n"]);
    expect([lastResult(1)?.isError, lastResult(1)?.text]).toEqual([true, expect.stringMatching(/Nobody is there to be asked/)]);
    server?.assertClean();
  });

  it("a plan is the answer, nothing is asked and nothing changes", async () => {
    const ran = await run([calls("plan_exit", { plan: "# Plan\n\n1. Look." }), says("That is the plan.")], "--permission-mode", "plan");
    expect([ran.code, ran.out, ran.err]).toEqual([0, "# Plan\n\n1. Look.\n\nThat is the plan.\n", ""]);
    const json = await at.run(["-p", "and in JSON", "--output-format", "json", "--continue", "--provider", "demo"]);
    expect(String(json.json()["result"])).not.toContain("# Plan");
    server?.assertClean();
  });
});
