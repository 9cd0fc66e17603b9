// Random histories of agents, a person, roll-backs and deaths, against the reference model; every byte, mode and link compared.
// CAIRN_FUZZ=50 (`npm run fuzz`) makes fifty times as many; CAIRN_FUZZ_SEEDS=5000 runs more, CAIRN_FUZZ_STEPS=40 longer ones, CAIRN_FUZZ_FROM=123 others, CAIRN_FUZZ_SECONDS=60 new ones.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { CheckpointId } from "#shared/lib/ids.ts";
import { createFaultyPowers } from "#electron/testkit/faulty-powers.ts";
import { type CheckpointHarness, openCheckpoints, SESSION_A, SESSION_B } from "#electron/testkit/open-checkpoints.ts";
import { createTempWorkspace, type Picture, type TempWorkspace } from "#electron/testkit/temp-workspace.ts";
import { createRandom, createWorkspaceActor, type Random, type WorkspaceActor } from "#electron/testkit/workspace-actor.ts";
import { createWorkspaceModel, type ModelTree, textOf, type WorkspaceModel } from "#electron/testkit/workspace-model.ts";
import { textOfBytes } from "./paths.ts";

const SEEDS = Number(process.env["CAIRN_FUZZ_SEEDS"] ?? 300 * Number(process.env["CAIRN_FUZZ"] ?? 1));
const FROM = Number(process.env["CAIRN_FUZZ_FROM"] ?? 1);
/** New ones each time: a few seconds in every run, a minute in `npm run fuzz`. */
const SECONDS = Number(process.env["CAIRN_FUZZ_SECONDS"] ?? (process.env["CAIRN_FUZZ"] === undefined ? 5 : 60));
const STEPS = Number(process.env["CAIRN_FUZZ_STEPS"] ?? 9);

/** A repository inside, whose own data no roll-back may touch. */
const NESTED = { "sub/.git/HEAD": "ref: refs/heads/main\n", "sub/.git/index": "\0index" };

function pictureOf(tree: ModelTree): Picture {
  const lines: Record<string, string> = {};
  const file = (mode: number, bytes: Buffer) => `file ${mode.toString(8)} ${createHash("sha256").update(bytes).digest("hex").slice(0, 16)}`;
  for (const [path, node] of tree) {
    if (node.kind === "dir") lines[path] = "dir 755";
    else if (node.kind === "link") lines[path] = `link ${node.target}`;
    else lines[path] = file(node.mode, node.kind === "text" ? Buffer.from(textOf(node.lines)) : Buffer.from(node.bytes, "latin1"));
  }
  lines["sub/.git"] = "dir 755";
  for (const [path, text] of Object.entries(NESTED)) lines[path] = file(0o644, Buffer.from(text));
  return Object.fromEntries(Object.entries(lines).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What differs, in words: a whole tree is hard to read. */
function expectSame(now: Picture, wanted: Picture, what: string): void {
  const differ = [...new Set([...Object.keys(now), ...Object.keys(wanted)])].filter((path) => now[path] !== wanted[path]);
  expect(differ.map((path) => `${what}: ${path} is ${now[path] ?? "nothing"}, not ${wanted[path] ?? "nothing"}`)).toEqual([]);
}

type Point = { readonly id: CheckpointId; readonly time: number };
type World = {
  readonly random: Random;
  readonly ws: TempWorkspace;
  readonly actor: WorkspaceActor;
  readonly model: WorkspaceModel;
  readonly points: Point[];
  cp: CheckpointHarness;
  /** the folder before the newest roll-back, while nothing has changed since */
  undo: Point | undefined;
  pid: number;
  /** some points were forgotten: what lay between is only known as a whole, so single people's parts are not asked for any more */
  wasCollected: boolean;
};

async function reopen(world: World, faults?: ReturnType<typeof createFaultyPowers>): Promise<void> {
  await world.cp.close();
  world.pid += 1;
  world.cp = await open(world.ws, world.pid, faults);
}
// each opening is a process of its own; those before it are dead
const open = (ws: TempWorkspace, pid: number, faults?: ReturnType<typeof createFaultyPowers>) =>
  openCheckpoints(ws, { facts: { platform: process.platform, home: "/home/nobody", personal: [], pid } }, { isAlive: () => false, ...faults });

async function actSome(world: World): Promise<void> {
  const many = 1 + Math.floor(world.random() * 3);
  for (let n = 0; n < many; n++) await world.actor.act();
  world.undo = undefined;
}

async function mark(world: World): Promise<void> {
  const id = await world.cp.take();
  world.points.push({ id, time: world.model.see(world.actor.tree, "person") });
}

async function agentCall(world: World, author: "a" | "b"): Promise<void> {
  let time = 0;
  const work = async () => {
    time = world.model.see(world.actor.tree, "person");
    await actSome(world);
  };
  const id = await world.cp.agent(work, { session: author === "a" ? SESSION_A : SESSION_B });
  world.points.push({ id, time });
  world.model.see(world.actor.tree, author);
}

type Back = { readonly who: "a" | "b" | "exact" /** only what stands at or below this name */; readonly only?: string | undefined };

async function goBack(world: World, target: Point, { who, only }: Back): Promise<void> {
  const before = world.model.see(world.actor.tree, "person");
  const whole = world.model.after(target.time, who);
  if (whole === undefined) return;
  const covers = (path: string) => only === undefined || path === only || path.startsWith(`${only}/`);
  const expected = new Map([...world.actor.tree].filter(([path]) => !covers(path)));
  for (const [path, node] of whole) if (covers(path)) expected.set(path, node);
  const done = await world.cp.goBack(target.id, {
    exact: who === "exact",
    session: who === "b" ? SESSION_B : SESSION_A,
    ...(only === undefined ? {} : { files: [textOfBytes(Buffer.from(only, "latin1"))] }),
  });
  if (!done.ok) throw new Error(done.error.message);
  expectSame(await world.ws.picture(), pictureOf(expected), `back to ${target.time}${only === undefined ? "" : ` of ${only}`}`);
  world.actor.adopt(expected);
  world.model.wentBack(target.time, expected, { who, covers });
  world.undo = { id: done.value.before.id, time: before };
}

/** One of the names directly in the folder, then or now. */
function someName(world: World, target: Point): string | undefined {
  const names = [...world.model.treeAt(target.time).keys(), ...world.actor.tree.keys()].filter((path) => !path.includes("/"));
  return names[Math.floor(world.random() * names.length)];
}

async function dieGoingBack(world: World, target: Point): Promise<void> {
  const before = world.model.see(world.actor.tree, "person");
  const expected = world.model.after(target.time, "exact");
  if (expected === undefined) return;
  const faults = createFaultyPowers();
  await reopen(world, faults);
  const plan = await world.cp.preview(target.id, { exact: true });
  faults.dieAt(1 + Math.floor(world.random() * 40));
  const done = await world.cp.store.apply(plan.plan, SESSION_A, new AbortController().signal);
  await reopen(world);
  const now = await world.ws.picture();
  const isNew = JSON.stringify(now) === JSON.stringify(pictureOf(expected));
  if (!isNew || before === target.time) expectSame(now, pictureOf(world.actor.tree), "after a death");
  if (!isNew) return;
  // it may be in place without being recorded only when nothing had to change
  if (done.ok || JSON.stringify(pictureOf(world.actor.tree)) !== JSON.stringify(now)) world.model.wentBack(target.time, expected);
  world.actor.adopt(expected);
  world.undo = undefined;
}

/** Forgets all but some points; those that are left must still lead exactly where they did. */
async function collectSome(world: World): Promise<void> {
  const keep = world.points.filter(() => world.random() < 0.5).map(({ id }) => id);
  const done = await world.cp.store.collect({ maxBytes: 1e12, maxAgeMs: -1e9, keep });
  if (!done.ok) throw new Error(done.error.message);
  const left = new Set((await world.cp.store.list()).map(({ id }) => id));
  world.points.splice(0, world.points.length, ...world.points.filter(({ id }) => left.has(id)));
  if (world.undo !== undefined && !left.has(world.undo.id)) world.undo = undefined;
  world.wasCollected = true;
  expect(await world.cp.store.verify()).toMatchObject({ ok: true, value: { damaged: [] } });
}

async function step(world: World): Promise<void> {
  const dice = world.random();
  const target = world.points[Math.floor(world.random() * world.points.length)];
  if (dice < 0.25) await agentCall(world, "a");
  else if (dice < 0.35) await agentCall(world, "b");
  else if (dice < 0.5) await actSome(world);
  else if (dice < 0.65) await mark(world);
  else if (dice < 0.68) await reopen(world);
  else if (dice < 0.74 && world.undo !== undefined) await goBack(world, world.undo, { who: "exact" });
  else if (dice < 0.76) await collectSome(world);
  else if (target !== undefined) await stepBack(world, target, dice);
}

async function stepBack(world: World, target: World["points"][number], dice: number): Promise<void> {
  const who = world.wasCollected ? "exact" : world.random() < 0.7 ? "a" : "b";
  if (dice < 0.86) await goBack(world, target, { who });
  else if (dice < 0.91) await goBack(world, target, { who: world.random() < 0.5 ? who : "exact", only: someName(world, target) });
  else if (dice < 0.96) await goBack(world, target, { who: "exact" });
  else await dieGoingBack(world, target);
}

async function run(seed: number): Promise<void> {
  const random = createRandom(seed);
  const ws = await createTempWorkspace(NESTED, { inMemory: true });
  const actor = createWorkspaceActor(ws.root, random);
  for (let n = 0; n < 8; n++) await actor.act();
  const world: World = {
    random,
    ws,
    actor,
    model: createWorkspaceModel(actor.tree),
    points: [],
    cp: await open(ws, 1_000_000),
    undo: undefined,
    pid: 1_000_000,
    wasCollected: false,
  };
  try {
    await mark(world);
    for (let n = 0; n < STEPS; n++) {
      await step(world);
      expectSame(await ws.picture(), pictureOf(actor.tree), `after step ${n}`);
    }
  } catch (error) {
    throw new Error(`seed ${seed}: ${error instanceof Error ? `${error.message}\n${error.stack ?? ""}\n${JSON.stringify(error, null, 1)}` : String(error)}`);
  } finally {
    await world.cp.close();
    await ws.dispose();
  }
}

describe("random histories", () => {
  it(`agree with the reference model (${SEEDS} seeds from ${FROM})`, async () => {
    let done = 0;
    for (let seed = FROM; seed < FROM + SEEDS; seed++, done++) await run(seed);
    expect(done).toBe(SEEDS);
  }, 600_000);
  it.runIf(SECONDS > 0)(
    `agree with it on new seeds for ${SECONDS} s`,
    async () => {
      const until = performance.now() + SECONDS * 1000;
      const start = Math.floor(Date.now() % 1_000_000_000);
      let done = 0;
      for (let seed = start; performance.now() < until; seed++, done++) await run(seed);
      expect(done).toBeGreaterThan(0);
    },
    (SECONDS + 60) * 1000,
  );
});
