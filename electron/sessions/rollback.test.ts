// What of a session's work goes back, on a real store (K6, D13).
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import Database from "libsql";
import { afterEach, describe, expect, it } from "vitest";
import type { RollbackPick } from "#shared/checkpoints/checkpoint.ts";
import type { SessionEvent } from "#shared/events/durable.ts";
import { type CheckpointId, Seq, TurnId } from "#shared/lib/ids.ts";
import { ok } from "#shared/lib/result.ts";
import { emptyView } from "#shared/session/empty-view.ts";
import { reduce } from "#shared/session/reduce.ts";
import { type CheckpointHarness, openCheckpoints, SESSION_A, SESSION_B } from "#electron/testkit/open-checkpoints.ts";
import { createTempWorkspace, type TempWorkspace } from "#electron/testkit/temp-workspace.ts";
import type { StoreNews } from "#electron/checkpoints/contract.ts";
import chinese from "#shared/i18n/notices.zh-CN.json" with { type: "json" };
import english from "#shared/i18n/notices.en.json" with { type: "json" };
import { say } from "#shared/i18n/say.ts";
import { createRollback } from "./rollback.ts";
import { createSessionCheckpoints } from "./session-checkpoints.ts";

const NEVER = new AbortController().signal;
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function setUp(tree: Readonly<Record<string, string>>) {
  const ws: TempWorkspace = await createTempWorkspace(tree);
  const cp: CheckpointHarness = await openCheckpoints(ws);
  open.push(
    () => ws.dispose(),
    () => cp.close(),
  );
  let view = emptyView(SESSION_A);
  const events: SessionEvent[] = [];
  const append = async (added: readonly SessionEvent[]) => {
    for (const event of added) view = reduce(view, { seq: Seq.parse(events.push(event)), at: events.length, event });
  };
  const checkpoints = createSessionCheckpoints({
    session: SESSION_A,
    folder: () => ws.root,
    known: (id) => view.trail.some((node) => node.checkpoint.id === id),
    openStore: async () => ok(cp.store),
    append,
  });
  let ids = 0;
  const rollback = createRollback({
    checkpoints,
    session: SESSION_A,
    view: () => view,
    append,
    stopTurn: async () => {},
    sync: async () => {},
    newId: () => `plan-${(ids += 1)}`,
  });
  const point = async (): Promise<CheckpointId> => {
    await checkpoints.take({ kind: "turn_start", label: "go" }, NEVER);
    if (view.current === undefined) throw new Error("no checkpoint");
    return view.current;
  };
  const goBack = async (target: CheckpointId, pick: Omit<RollbackPick, "scope"> = {}) => {
    const plan = await rollback.plan(target, { scope: "files", ...pick });
    if (!plan.ok) throw new Error(plan.error.message);
    const done = await rollback.apply(plan.value.plan, NEVER);
    if (!done.ok) throw new Error(done.error.message);
    return plan.value;
  };
  const undo = async () => {
    if (view.undoable === undefined) throw new Error("nothing to undo");
    return await goBack(view.undoable);
  };
  return { ws, cp, checkpoints, events, point, goBack, undo, view: () => view };
}

describe("what a store has to tell", () => {
  it("is said in the session where one reads, each once, in words that are there in both languages", async () => {
    const { ws, cp, events, point } = await setUp({ "a.txt": "a\n" });
    await point();
    const [folder = ""] = await readdir(join(ws.dataDir, "checkpoints"));
    const all: StoreNews[] = [
      ...(["reverted", "finished", "stuck", "store_isolated"] as const).map((kind) => ({ kind, paths: ["a.txt"] })),
      { kind: "damaged", paths: Array.from({ length: 12 }, (_unused, n) => `f${n}.txt`), points: 0 },
      { kind: "damaged", paths: [], points: 3 },
      { kind: "remote", paths: [] },
    ];
    const raw = new Database(join(ws.dataDir, "checkpoints", folder, "store.db"));
    raw.prepare("INSERT OR REPLACE INTO meta VALUES('untold', ?)").run([JSON.stringify(all)]);
    raw.close();
    await mkdir(ws.at("d"));
    const inner = await cp.stores.open(ws.at("d"));
    await point();
    await point();
    const notices = events.flatMap((event) => (event.type === "warning_raised" ? [event.notice] : []));
    const keys = ["reverted", "finished", "stuck", "store_isolated", "damaged", "points_lost", "remote"].map((one) => `notices.checkpoint_${one}`);
    expect(notices.map(({ key }) => key).sort()).toEqual([...keys, "notices.checkpoint_nested"].sort());
    for (const notice of notices) for (const texts of [{ notices: english }, { notices: chinese }]) expect(say(texts, notice)).not.toMatch(/^notices\.|\{\{/);
    expect(notices.find(({ key }) => key.endsWith("damaged"))?.params).toEqual({
      files: "f0.txt, f1.txt, f2.txt, f3.txt, f4.txt, f5.txt, f6.txt, f7.txt …",
      count: 12,
    });
    if (inner.ok) await inner.value.close();
  });
});

describe("going back in a session", () => {
  it("takes back its own work when the point was taken by another session (D13)", async () => {
    const { ws, cp, point, goBack } = await setUp({ "a.txt": "a\n", "b.txt": "b\n" });
    await cp.take({ kind: "turn_start" }, SESSION_B);
    const shared = await point();
    await cp.agent(() => ws.plant({ "a.txt": "mine\n" }), { declared: ["a.txt"] });
    await cp.agent(() => ws.plant({ "b.txt": "theirs\n" }), { session: SESSION_B, declared: ["b.txt"] });
    await goBack(shared);
    expect([await ws.read("a.txt"), await ws.read("b.txt")]).toEqual(["a\n", "theirs\n"]);
  });

  it("undoes one turn in the middle, keeps the later one, stays where it is on the trail, and can take that back", async () => {
    const { ws, cp, point, goBack, undo, view } = await setUp({ "one.txt": "1\n", "two.txt": "1\n" });
    const start = await point();
    await cp.agent(() => ws.plant({ "one.txt": "2\n" }), { turn: "t1", declared: ["one.txt"] });
    await point();
    await cp.agent(() => ws.plant({ "two.txt": "2\n" }), { turn: "t2", declared: ["two.txt"] });
    await point();
    await goBack(start, { turns: [TurnId.parse("t1")] });
    expect([await ws.read("one.txt"), await ws.read("two.txt")]).toEqual(["1\n", "2\n"]);
    expect(view().trail.map((node) => node.left)).toEqual([false, false, false, false]);
    expect(view().rows.at(-1)).toMatchObject({ kind: "rolled_back", partial: true, files: ["one.txt"] });
    await undo();
    expect([await ws.read("one.txt"), await ws.read("two.txt")]).toEqual(["2\n", "2\n"]);
  });

  it("leaves what the person changed, unless they overwrite it or want everything as it was; both can be undone", async () => {
    const { ws, cp, point, goBack, undo } = await setUp({ "a.txt": "a\n", "p.txt": "p\n" });
    const start = await point();
    await cp.agent(() => ws.plant({ "a.txt": "agent\n" }), { declared: ["a.txt"] });
    await point();
    await ws.plant({ "a.txt": "person\n", "p.txt": "person\n" });
    const both = async () => [await ws.read("a.txt"), await ws.read("p.txt")];
    expect((await goBack(start)).files).toMatchObject([
      { path: "a.txt", action: "conflict" },
      { path: "p.txt", action: "kept" },
    ]);
    expect(await both()).toEqual(["person\n", "person\n"]);
    await goBack(start, { overwrite: ["a.txt"] });
    expect(await both()).toEqual(["a\n", "person\n"]);
    await undo();
    await goBack(start, { exact: true });
    expect(await both()).toEqual(["a\n", "p\n"]);
    await undo();
    expect(await both()).toEqual(["person\n", "person\n"]);
  });

  it("takes back single hunks of a file", async () => {
    const lines = (first: string, last: string) => [first, ..."bcdefghijklmnopqrstuvwxy", last, ""].join("\n");
    const { ws, cp, point, goBack } = await setUp({ "a.txt": lines("a", "z") });
    const start = await point();
    await cp.agent(() => ws.plant({ "a.txt": lines("A", "Z") }), { declared: ["a.txt"] });
    await goBack(start, { hunks: [{ path: "a.txt", hunks: [1] }] });
    expect(await ws.read("a.txt")).toBe(lines("A", "z"));
  });
});

describe("a mark on a stone", () => {
  it("names and pins it, so that no collection forgets it, until it is unpinned", async () => {
    const { ws, cp, checkpoints, point, view } = await setUp({ "a.txt": "0\n" });
    const first = await point();
    for (const n of [1, 2, 3]) {
      await ws.plant({ "a.txt": `${n}\n` });
      await point();
    }
    expect(await checkpoints.mark(first, { name: "Before the rewrite" })).toEqual({ ok: true, value: null });
    expect(view().trail[0]).toMatchObject({ name: "Before the rewrite", pinned: true });
    const everything = { maxBytes: 0, maxAgeMs: Number.MAX_SAFE_INTEGER, keep: [] };
    await cp.store.collect(everything);
    expect((await cp.store.list()).map((each) => each.id)).toEqual([first, view().current]);
    await checkpoints.mark(first, { pinned: false });
    await cp.store.collect(everything);
    expect((await cp.store.list()).map((each) => each.id)).toEqual([view().current]);
    expect(await checkpoints.mark(first, { pinned: true })).toMatchObject({ ok: false, error: { kind: "unknown_checkpoint" } });
  });
});
