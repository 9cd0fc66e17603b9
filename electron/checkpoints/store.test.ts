// The store itself: who may use it, how large it grows, what happens when it is damaged (K9, D07, D08, D12).
import fs from "node:fs/promises";
import path from "node:path";
import Database from "libsql";
import { afterEach, describe, expect, it } from "vitest";
import { CheckpointId } from "#shared/lib/ids.ts";
import { createSystemClock } from "#electron/lib/clock.ts";
import { type CheckpointHarness, openCheckpoints, SESSION_A, SESSION_B } from "#electron/testkit/open-checkpoints.ts";
import { createTempWorkspace, type Planted, type TempWorkspace } from "#electron/testkit/temp-workspace.ts";
import { createStoreLock } from "./lock.ts";
import type { CheckpointLimits } from "./limits.ts";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});
const NEVER = new AbortController().signal;
const KEEP_ALL = { maxBytes: 1e12, maxAgeMs: 1e12, keep: [] };

async function setUp(tree: Readonly<Record<string, Planted>>, limits: Partial<CheckpointLimits> = {}): Promise<{ ws: TempWorkspace; cp: CheckpointHarness }> {
  const ws = await createTempWorkspace(tree, { inMemory: true });
  const cp = await openCheckpoints(ws, { limits });
  open.push(
    () => ws.dispose(),
    () => cp.close(),
  );
  return { ws, cp };
}
async function storeFolder(ws: TempWorkspace): Promise<string> {
  const names = await fs.readdir(path.join(ws.dataDir, "checkpoints"));
  return path.join(ws.dataDir, "checkpoints", names.find((name) => !name.includes("damaged")) ?? "none");
}
async function changeTimes(ws: TempWorkspace, cp: CheckpointHarness, times: number, text = (n: number) => `${n}\n`): Promise<CheckpointId[]> {
  const ids: CheckpointId[] = [];
  for (let n = 0; n < times; n++) {
    await ws.plant({ "a.txt": text(n) });
    ids.push(await cp.take({ label: `${n}` }));
  }
  return ids;
}
/** Bytes that do not compress. */
function noise(seed: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = seed + 1;
  for (let n = 0; n < length; n++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[n] = state >>> 24;
  }
  return bytes;
}

describe("opening", () => {
  it("refuses a home, a link to it, what is no folder and what is not there, and begins no walk (D08)", async () => {
    const { ws, cp } = await setUp({ "file.txt": "x" });
    const home = await createTempWorkspace({}, { inMemory: true });
    open.push(() => home.dispose());
    await ws.plant({ link: { link: home.root } });
    const own = await openCheckpoints(ws, { facts: { platform: process.platform, home: home.root, personal: [], pid: process.pid } });
    for (const [folder, kind] of [
      [home.root, "io"],
      [`${home.root}/.`, "io"],
      [ws.at("link"), "io"],
      ["/", "io"],
      [ws.at("file.txt"), "folder_gone"],
      [ws.at("nowhere"), "folder_gone"],
    ] as const) {
      expect([folder, await own.stores.open(folder)]).toMatchObject([folder, { ok: false, error: { kind } }]);
    }
    await own.close();
    expect(await fs.readdir(path.join(ws.dataDir, "checkpoints"))).toHaveLength(1);
    expect((await cp.taken()).files).toBe(2);
  });

  it("gives one store to all who open the same folder, until the last closes it", async () => {
    const { ws, cp } = await setUp({ "a.txt": "a" });
    const second = await cp.stores.open(`${ws.root}/.`);
    if (!second.ok) throw new Error(second.error.message);
    const id = await cp.take();
    await cp.store.close();
    expect((await second.value.list()).map((checkpoint) => checkpoint.id)).toEqual([id]);
    await second.value.close();
  });

  it("gives a folder inside an open one a store of its own, says so, and leaves the other's work when one goes back", async () => {
    const { ws, cp } = await setUp({ "d/a.txt": "a\n", "d/b.txt": "b\n", "e.txt": "e\n" });
    const inner = await openCheckpoints({ ...ws, root: ws.at("d") }, { stores: cp.stores });
    expect([await cp.store.news(), await inner.store.news(), await inner.store.news()]).toEqual([
      [{ kind: "nested", paths: [ws.at("d")] }],
      [{ kind: "nested", paths: [ws.root] }],
      [],
    ]);
    const [outerStart, innerStart] = [await cp.take(), await inner.take()];
    await cp.agent(() => ws.plant({ "d/a.txt": "outer\n", "e.txt": "outer\n" }), { declared: ["d/a.txt", "e.txt"] });
    await inner.agent(() => ws.plant({ "d/b.txt": "inner\n" }), { session: SESSION_B, declared: ["b.txt"] });
    await inner.goBack(innerStart, { session: SESSION_B });
    expect([await ws.read("d/a.txt"), await ws.read("d/b.txt"), await ws.read("e.txt")]).toEqual(["outer\n", "b\n", "outer\n"]);
    await inner.agent(() => ws.plant({ "d/b.txt": "inner again\n" }), { session: SESSION_B, declared: ["b.txt"] });
    await cp.goBack(outerStart);
    expect([await ws.read("d/a.txt"), await ws.read("d/b.txt"), await ws.read("e.txt")]).toEqual(["a\n", "inner again\n", "e\n"]);
    await inner.store.close();
  });

  it("tells two sessions in nested folders apart also while both run a command: what both may have done is a conflict", async () => {
    const { ws, cp } = await setUp({ "d/a.txt": "a\n" });
    const inner = await openCheckpoints({ ...ws, root: ws.at("d") }, { stores: cp.stores });
    const start = await inner.take({}, SESSION_B);
    await inner.agent(() => cp.agent(() => ws.plant({ "d/a.txt": "whose?\n" })), { session: SESSION_B });
    const preview = await inner.preview(start, { session: SESSION_B });
    expect(preview.files).toMatchObject([{ path: "a.txt", action: "conflict" }]);
    await inner.store.close();
  });

  it("keeps the stores of two folders apart", async () => {
    const { ws, cp } = await setUp({ "a.txt": "a" });
    const other = await createTempWorkspace({ "a.txt": "other" }, { inMemory: true });
    open.push(() => other.dispose());
    const second = await openCheckpoints(other, { dataDir: ws.dataDir });
    const id = await cp.take();
    expect(await second.store.plan(id, { scope: "files" })).toMatchObject({ ok: false, error: { kind: "unknown_checkpoint" } });
    await second.close();
  });

  it("finds everything again after a restart", async () => {
    const { ws, cp } = await setUp({ "a.txt": "a" });
    const ids = await changeTimes(ws, cp, 3);
    await cp.close();
    const again = await openCheckpoints(ws);
    expect((await again.store.list()).map((checkpoint) => checkpoint.id)).toEqual(ids);
    expect(await again.take()).toBe(ids[2]);
    expect(await again.goBack(ids[0] ?? CheckpointId.parse("x"), { exact: true })).toMatchObject({ ok: true });
    expect(await ws.read("a.txt")).toBe("0\n");
    await again.close();
  });
});

describe("two at once (D12)", () => {
  it("a living owner keeps the lock, and the checkpoint fails with a reason; a dead one holds nothing", async () => {
    const { ws, cp } = await setUp({ "a.txt": "a" }, { lockWaitMs: 60 });
    await cp.take();
    await ws.plant({ "a.txt": "b" });
    const other = createStoreLock(path.join(await storeFolder(ws), "lock.db"), createSystemClock(), 0);
    await other.hold(async () => {
      const taken = await cp.store.take({ kind: "person", label: "x" }, SESSION_A, NEVER);
      expect(taken).toMatchObject({ kind: "failed" });
      expect(taken.kind === "failed" && taken.why).toContain("another running Cairn");
    });
    expect((await cp.store.take({ kind: "person", label: "x" }, SESSION_A, NEVER)).kind).toBe("taken");
    other.close();
  });

  it("see each other's checkpoints and changes", async () => {
    const { ws, cp } = await setUp({ "a.txt": "a" });
    const start = await cp.take();
    const second = await openCheckpoints(ws);
    await second.agent(() => ws.plant({ "a.txt": "b" }));
    const seen = await cp.taken();
    expect(seen).toMatchObject({ parent: start, changes: [{ path: "a.txt", by: "during_call" }] });
    expect((await second.store.list()).map(({ id }) => id)).toEqual([start, seen.id]);
    expect(await cp.goBack(start)).toMatchObject({ ok: true });
    expect(await second.take()).toBe(start);
    await second.close();
  });
});

describe("its size (D07)", () => {
  it("follows the change and not the tree", async () => {
    const text = (n: number) => Array.from({ length: 60 }, (_unused, line) => `line ${line} of file ${n} ${(n * 7919 + line * 104729) % 9973}\n`).join("");
    const files = Object.fromEntries(Array.from({ length: 500 }, (_unused, n) => [`src/f${n}.txt`, text(n)]));
    const total = Object.values(files).reduce((sum, one) => sum + one.length, 0);
    const { ws, cp } = await setUp({ ...files, "model.bin": noise(1, 400_000), "node_modules/x.js": "x" }, { maxFileBytes: 300_000 });
    const first = await cp.taken();
    expect(first.uncovered).toMatchObject([{ path: "model.bin", why: "too_big" }, { path: "node_modules" }]);
    for (let turn = 0; turn < 20; turn++) {
      await ws.plant({ [`src/f${turn}.txt`]: `${text(turn)}changed ${turn}\n` });
      await cp.take({ label: `turn ${turn}` });
    }
    const stats = await cp.store.stats();
    expect(stats).toMatchObject({ ok: true, value: { checkpoints: 21, files: 500, damaged: 0, pinned: 0 } });
    expect(stats.ok && stats.value.bytes).toBeLessThan(2 * total);
  });

  it("is brought within its bounds, oldest first; pinned, kept and current ones stay", async () => {
    const { ws, cp } = await setUp({ "a.txt": "a" });
    const ids = await changeTimes(ws, cp, 12, (n) => Buffer.from(noise(n, 200_000)).toString("latin1"));
    const [first, second, third] = ids;
    if (first === undefined || second === undefined || third === undefined) throw new Error("no ids");
    expect(await cp.store.pin(second, true)).toBe(true);
    expect(await cp.store.pin(CheckpointId.parse("none"), true)).toBe(false);
    const before = await cp.store.stats();
    const done = await cp.store.collect({ maxBytes: 1_200_000, maxAgeMs: 1e12, keep: [third] });
    const after = await cp.store.stats();
    if (!before.ok || !done.ok || !after.ok) throw new Error("failed");
    expect(before.value.bytes).toBeGreaterThan(2_000_000);
    expect(after.value.bytes).toBeLessThanOrEqual(1_200_000);
    expect(done.value.freedBytes).toBe(before.value.bytes - after.value.bytes);
    const left = (await cp.store.list()).map(({ id }) => id);
    expect(left.slice(0, 2)).toEqual([second, third]);
    expect(left).not.toContain(first);
    expect(left.at(-1)).toBe(ids.at(-1));
    expect(done.value.removed).toEqual(ids.filter((id) => !left.includes(id)));
    // what is left still works, to the byte
    await cp.goBack(second, { exact: true });
    expect(Buffer.from(await ws.read("a.txt"), "utf8").toString("latin1")).toBe(
      Buffer.from(Buffer.from(noise(1, 200_000)).toString("latin1")).toString("latin1"),
    );
    expect(await cp.store.verify()).toMatchObject({ ok: true, value: { damaged: [] } });
  });

  it("forgets the old by age, and large contents with their files", async () => {
    const { ws, cp } = await setUp({ "big.bin": noise(1, 400_000) });
    await cp.take();
    await ws.plant({ "big.bin": noise(2, 400_000) });
    await cp.take();
    await ws.plant({ "big.bin": noise(3, 400_000) });
    const last = await cp.take();
    const folder = await storeFolder(ws);
    const large = async () => (await fs.readdir(path.join(folder, "blobs"), { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length;
    expect(await large()).toBe(3);
    const done = await cp.store.collect({ ...KEEP_ALL, maxAgeMs: -1000 });
    expect(done).toMatchObject({ ok: true });
    expect((await cp.store.list()).map(({ id }) => id)).toEqual([last]);
    expect(await large()).toBe(1);
  });

  it("is kept within its bounds after each turn, without anybody asking", async () => {
    const ws = await createTempWorkspace({ "a.txt": "a" }, { inMemory: true });
    const cp = await openCheckpoints(ws, { limits: { maxStoreBytes: 900_000 } });
    open.push(
      () => ws.dispose(),
      () => cp.close(),
    );
    for (let n = 0; n < 10; n++) {
      await ws.plant({ "a.txt": noise(n, 200_000) });
      await cp.take({ kind: "turn_end", label: `${n}` });
    }
    const stats = await cp.store.stats();
    expect(stats.ok && stats.value.bytes).toBeLessThanOrEqual(900_000);
    expect(stats.ok && stats.value.checkpoints).toBeLessThan(10);
    expect((await cp.store.list()).at(-1)?.cause.label).toBe("9");
  });

  it("packs what is left of a chunk anew", async () => {
    const many = (text: string) =>
      Object.fromEntries(
        Array.from({ length: 12 }, (_unused, n) => [`f${n}.txt`, `${text} ${n} ${Buffer.from(noise(n + text.length, 3000)).toString("hex")}`]),
      );
    const { ws, cp } = await setUp(many("old"));
    await cp.take();
    const { "f0.txt": kept = "", ...rest } = many("newer");
    expect(kept.length).toBeGreaterThan(0);
    await ws.plant(rest);
    await cp.take();
    const before = await cp.store.stats();
    const done = await cp.store.collect({ ...KEEP_ALL, maxAgeMs: -1000 });
    const after = await cp.store.stats();
    expect(before.ok && after.ok && done.ok && done.value.freedBytes).toBeGreaterThan(20_000);
    expect(await cp.store.verify()).toMatchObject({ ok: true, value: { checked: 12, damaged: [] } });
    const start = await cp.take();
    await cp.agent(() => ws.remove("f0.txt"));
    await cp.goBack(start);
    expect(await ws.read("f0.txt")).toBe(many("old")["f0.txt"]);
  });

  it("is not changed by collecting within bounds", async () => {
    const { ws, cp } = await setUp({ "a.txt": "a" });
    const ids = await changeTimes(ws, cp, 4);
    expect(await cp.store.collect(KEEP_ALL)).toEqual({ ok: true, value: { freedBytes: 0, removed: [] } });
    expect((await cp.store.list()).map(({ id }) => id)).toEqual(ids);
  });

  it("keeps nothing of a run that was killed while it copied", async () => {
    const { ws, cp } = await setUp({ "a.txt": "a" });
    await cp.take();
    await cp.close();
    const tmp = path.join(await storeFolder(ws), "tmp");
    await fs.writeFile(path.join(tmp, "123-4"), "half a copy");
    const again = await openCheckpoints(ws);
    expect(await fs.readdir(tmp)).toEqual([]);
    await again.close();
  });
});

describe("damage (K9)", () => {
  it("of one content is found, named and set apart; what still stands in the folder is read again", async () => {
    const { ws, cp } = await setUp({ "a.txt": "first\n", "big.bin": noise(1, 400_000) });
    const start = await cp.take();
    await ws.plant({ "a.txt": "second\n" });
    await cp.take();
    const folder = await storeFolder(ws);
    const [shelf = ""] = await fs.readdir(path.join(folder, "blobs"));
    const [name = ""] = await fs.readdir(path.join(folder, "blobs", shelf));
    await fs.writeFile(path.join(folder, "blobs", shelf, name), noise(9, 400_000));
    const raw = new Database(path.join(folder, "store.db"));
    raw.exec("UPDATE chunks SET data = x'00' WHERE id = (SELECT MIN(id) FROM chunks)");
    raw.close();
    const found = await cp.store.verify();
    expect(found.ok && found.value.damaged.flatMap(({ paths }) => paths).sort()).toEqual(["a.txt", "big.bin"]);
    expect(await cp.store.stats()).toMatchObject({ ok: true, value: { damaged: 2 } });
    const preview = await cp.preview(start, { exact: true });
    expect(preview.files).toMatchObject([{ path: "a.txt", action: "unavailable" }]);
    // the large one stands in the folder as it was, so the look just taken has healed it
    expect(await cp.store.verify()).toMatchObject({ ok: true, value: { damaged: [{ paths: ["a.txt"] }] } });
  });

  it("met only while going back stops it with the file named, and nothing is changed", async () => {
    const { ws, cp } = await setUp({ "a.txt": "first\n", "b.txt": "b\n" });
    const start = await cp.take();
    await cp.agent(() => ws.plant({ "a.txt": "second\n", "b.txt": "B\n" }));
    const plan = await cp.preview(start);
    const old = await ws.picture();
    const raw = new Database(path.join(await storeFolder(ws), "store.db"));
    raw.exec("UPDATE chunks SET data = x'0011' WHERE id = (SELECT MIN(id) FROM chunks)");
    raw.close();
    const answer = await cp.store.apply(plan.plan, SESSION_A, NEVER);
    expect(answer).toMatchObject({ ok: false, error: { kind: "unreadable_store" } });
    expect(await ws.picture()).toEqual(old);
  });

  it("of the whole database sets the store apart, begins a new one and says so", async () => {
    const { ws, cp } = await setUp({ "a.txt": "a" });
    await cp.take();
    await cp.close();
    const folder = await storeFolder(ws);
    await fs.writeFile(path.join(folder, "store.db"), "this is no database at all, not even a little");
    await fs.rm(path.join(folder, "store.db-wal"), { force: true });
    const again = await openCheckpoints(ws);
    expect(again.store.recovered?.kind).toBe("store_isolated");
    expect(again.store.recovered?.paths[0]).toContain("damaged");
    expect((await again.taken()).files).toBe(1);
    await again.close();
  });

  it("inside the database is found at opening as well", async () => {
    const { ws, cp } = await setUp(Object.fromEntries(Array.from({ length: 400 }, (_unused, n) => [`f${n}.txt`, `${n}`])));
    await cp.take();
    await cp.close();
    const file = path.join(await storeFolder(ws), "store.db");
    const bytes = await fs.readFile(file);
    bytes.fill(0xa5, 4096, bytes.length);
    await fs.writeFile(file, bytes);
    const again = await openCheckpoints(ws);
    expect(again.store.recovered?.kind).toBe("store_isolated");
    await again.close();
  });

  it("a store of a newer program is left alone, with a clear reason", async () => {
    const { ws, cp } = await setUp({ "a.txt": "a" });
    await cp.take();
    await cp.close();
    const file = path.join(await storeFolder(ws), "store.db");
    const raw = new Database(file);
    raw.exec("PRAGMA user_version = 99");
    raw.close();
    await expect(openCheckpoints(ws)).rejects.toThrow("newer Cairn");
    const check = new Database(file);
    expect(check.prepare("SELECT COUNT(*) AS n FROM marks").all()).toEqual([{ n: 1 }]);
    check.close();
  });
});
