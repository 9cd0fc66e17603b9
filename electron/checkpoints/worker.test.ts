// The built worker: the same answers from a thread of its own, and a process that is killed outright (K3, K7, D04, D12, D15).
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs/promises";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createSystemClock } from "#electron/lib/clock.ts";
import { createWorkerCalls } from "#electron/lib/worker-call.ts";
import { openCheckpoints, SESSION_A } from "#electron/testkit/open-checkpoints.ts";
import { createTempWorkspace, type TempWorkspace } from "#electron/testkit/temp-workspace.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import { verbs } from "./verbs.ts";

/** Where `npm run build` puts it. */
const BUILT = path.join(import.meta.dirname, "../../out/workers/checkpoint-store.cjs");
const CHILD = path.join(import.meta.dirname, "../testkit/checkpoint-child.mjs");
const NEVER = new AbortController().signal;

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function workspace(files: number): Promise<TempWorkspace> {
  const ws = await createTempWorkspace(Object.fromEntries(Array.from({ length: files }, (_unused, n) => [`d${n % 20}/f${n}.txt`, `file ${n}\n`.repeat(20)])), {
    inMemory: true,
  });
  open.push(() => ws.dispose());
  return ws;
}

describe("the built worker", () => {
  it("takes, previews and goes back without keeping this thread busy", async () => {
    const ws = await workspace(2000);
    const calls = createWorkerCalls(verbs, { file: BUILT, clock: createSystemClock() });
    const news: unknown[] = [];
    const cp = await openCheckpoints(ws, { calls, onProgress: (progress) => news.push(progress) });
    open.push(() => cp.close());
    const before = performance.eventLoopUtilization();
    const start = await cp.take({ kind: "turn_start" });
    const busy = performance.eventLoopUtilization(before);
    expect(busy.active).toBeLessThan(100);
    expect(news.length).toBeGreaterThan(1);
    const old = await ws.picture();
    await cp.agent(() => ws.plant({ "d1/f1.txt": "changed\n", "new.txt": "n\n" }));
    expect((await cp.preview(start)).files.map(({ path: file, action }) => [file, action])).toEqual([
      ["d1/f1.txt", "restore"],
      ["new.txt", "remove"],
    ]);
    expect(await cp.goBack(start)).toMatchObject({ ok: true });
    expect(await ws.picture()).toEqual(old);
    expect(await cp.store.stats()).toMatchObject({ ok: true, value: { files: 2000 } });
  });

  it("can be told to stop in the middle of a first protection", async () => {
    const ws = await workspace(4000);
    const calls = createWorkerCalls(verbs, { file: BUILT, clock: createSystemClock() });
    const controller = new AbortController();
    const cp = await openCheckpoints(ws, { calls, onProgress: () => controller.abort() });
    open.push(() => cp.close());
    expect((await cp.store.take({ kind: "turn_start", label: "x" }, SESSION_A, controller.signal)).kind).toBe("failed");
    expect((await cp.taken()).files).toBe(4000);
  });
});

const Answer = z.object({ kind: z.string(), output: z.unknown() });
const Preview = z.object({ ok: z.literal(true), value: z.object({ plan: z.string() }) });

/** A process with the built worker, asked line by line. */
function startChild(ws: TempWorkspace, folder: string) {
  const child: ChildProcess = spawn(process.execPath, [CHILD, BUILT], { stdio: ["pipe", "pipe", "inherit"] });
  open.push(async () => child.kill("SIGKILL"));
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error("no pipes");
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const config = { root: ws.root, folder, platform: process.platform, limits: DEFAULT_LIMITS, excluded: [ws.dataDir] };
  const say = (verb: string, input: object) => void stdin.write(`${JSON.stringify({ verb, input: { ...input, config } })}\n`);
  return {
    say,
    async ask(verb: string, input: object): Promise<unknown> {
      say(verb, input);
      const line = await lines.next();
      const text: unknown = JSON.parse(typeof line.value === "string" ? line.value : "null");
      return Answer.parse(text).output;
    },
    async kill() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}
async function storeFolder(ws: TempWorkspace): Promise<string> {
  const [name = "none"] = await fs.readdir(path.join(ws.dataDir, "checkpoints"));
  return path.join(ws.dataDir, "checkpoints", name);
}

describe("two processes on one folder", () => {
  it("work at the same time, and each takes back only its own", async () => {
    const ws = await workspace(40);
    const before = await ws.picture();
    const own = await openCheckpoints(ws);
    const start = await own.take();
    const folder = await storeFolder(ws);
    await own.close();
    const rounds = 8;
    const work = async (name: "a" | "b") => {
      const child = startChild(ws, folder);
      const session = `session-${name}`;
      for (let n = 0; n < rounds; n++) {
        const file = `${name}/f${n}.txt`;
        await child.ask("take", { id: `${name}${n}`, at: Date.now(), cause: { kind: "before_call", label: file, call: `${name}${n}` }, session });
        await child.ask("beginCall", { call: `${name}${n}`, session, turn: "t", declared: [file], background: false, at: Date.now() });
        await ws.plant({ [file]: `${name} ${n}\n` });
        await child.ask("endCall", { call: `${name}${n}`, at: Date.now() });
      }
      return child;
    };
    const [one, other] = await Promise.all([work("a"), work("b")]);
    const both = await ws.picture();
    let backs = 0;
    const back = async (child: typeof one, name: "a" | "b") => {
      const order = { plan: `back-${name}-${(backs += 1)}`, target: start, scope: "files", session: `session-${name}`, exact: false, hunks: [], overwrite: [] };
      await child.ask("plan", order);
      return child.ask("apply", { plan: order.plan, session: order.session, before: `before-${order.plan}`, at: Date.now() });
    };
    expect(await back(one, "a")).toMatchObject({ ok: true });
    expect(await ws.picture()).toEqual(Object.fromEntries(Object.entries(both).filter(([file]) => file !== "a" && !file.startsWith("a/"))));
    // both at once: one of them may find that its preview is no longer true, none may do half of it
    const again = await Promise.all([back(one, "a"), back(other, "b")]);
    expect(again).toMatchObject([{ ok: true }, {}]);
    if (!z.object({ ok: z.boolean() }).parse(again[1]).ok) expect(await back(other, "b")).toMatchObject({ ok: true });
    expect(await ws.picture()).toEqual(before);
    const after = await openCheckpoints(ws);
    expect(await after.store.verify()).toMatchObject({ ok: true, value: { damaged: [] } });
    expect((await after.store.list()).length).toBeGreaterThan(2 * rounds - 2);
    await after.close();
  });
});

describe("a process that is killed outright", () => {
  const take = (id: string) => ({ id, at: 1, cause: { kind: "person", label: id }, session: "session-a" });

  it("at any moment of going back leaves the old state or the new one, and its lock to nobody", async () => {
    const ws = await workspace(60);
    const outcomes = { old: 0, new: 0 };
    for (let round = 0; round < 8; round++) {
      const own = await openCheckpoints(ws);
      const target = await own.take();
      const wanted = await ws.picture();
      await own.agent(() => ws.plant(Object.fromEntries(Array.from({ length: 40 }, (_unused, n) => [`d${n % 20}/f${n}.txt`, `round ${round}\n`]))));
      const old = await ws.picture();
      await own.close();

      const child = startChild(ws, await storeFolder(ws));
      const plan = Preview.parse(
        await child.ask("plan", { plan: `p${round}`, target, scope: "files", session: "session-a", exact: true, hunks: [], overwrite: [] }),
      );
      child.say("apply", { plan: plan.value.plan, session: "session-a", before: `b${round}`, at: 2 });
      await createSystemClock().sleep(round * 6);
      await child.kill();

      const again = await openCheckpoints(ws);
      const now = await ws.picture();
      const outcome = JSON.stringify(now) === JSON.stringify(wanted) ? "new" : "old";
      if (outcome === "old") expect(now).toEqual(old);
      outcomes[outcome] += 1;
      expect((await again.store.take({ kind: "person", label: "after" }, SESSION_A, NEVER)).kind).not.toBe("failed");
      await again.close();
    }
    expect(outcomes.old).toBeGreaterThan(0);
  });

  it("in the middle of a first protection loses nothing and leaves no leftovers", async () => {
    const ws = await workspace(3000);
    await ws.plant({ "large.bin": "x".repeat(3_000_000) });
    const first = await openCheckpoints(ws);
    const folder = await storeFolder(ws);
    await first.close();
    const child = startChild(ws, folder);
    await child.ask("open", {});
    child.say("take", take("one"));
    await createSystemClock().sleep(40);
    await child.kill();
    const again = await openCheckpoints(ws);
    expect(await fs.readdir(path.join(folder, "tmp"))).toEqual([]);
    expect((await again.taken()).files).toBe(3001);
    expect(await again.store.verify()).toMatchObject({ ok: true, value: { damaged: [] } });
    await again.close();
  });
});
