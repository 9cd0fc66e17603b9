// Damage of any row or content of the store (K9): found by itself, told, set apart, and never the reason for a wrong file.
import fs from "node:fs/promises";
import path from "node:path";
import Database from "libsql";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { CheckpointId } from "#shared/lib/ids.ts";
import { type CheckpointHarness, openCheckpoints, SESSION_A } from "#electron/testkit/open-checkpoints.ts";
import { createTempWorkspace, type Picture, type TempWorkspace } from "#electron/testkit/temp-workspace.ts";
import { type Db, openDatabase, StoreProblem } from "./database.ts";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});
const NEVER = new AbortController().signal;
const LARGE = 400 * 1024;
/** Each takes a whole roll-back: `npm run fuzz` (CAIRN_FUZZ) tries every value, the usual run some of every column. */
const EVERY = process.env["CAIRN_FUZZ"] === undefined ? 4 : 1;

type Point = { readonly id: CheckpointId; readonly picture: Picture };
type SetUp = { readonly ws: TempWorkspace; readonly points: readonly Point[]; readonly file: string };

/** A folder with a history: changes of files, modes and links, two sessions' points and a roll-back. Closed again. */
async function withHistory(): Promise<SetUp> {
  const ws = await createTempWorkspace(
    { "a.txt": "a0\n", "b.txt": "b0\n", "d/c.txt": "c0\n", "same.txt": "same\n", link: { link: "a.txt" }, "big.bin": "0".repeat(LARGE) },
    { inMemory: true },
  );
  open.push(() => ws.dispose());
  const cp = await openCheckpoints(ws);
  const points: Point[] = [];
  const mark = async () => {
    const picture = await ws.picture();
    points.push({ id: await cp.take({ label: `${points.length}` }), picture });
  };
  await mark();
  for (const n of [1, 2, 3]) {
    await cp.agent(() => ws.plant({ "a.txt": `a${n}\n`, [`new${n}.txt`]: `n${n}\n`, "d/c.txt": `c${n}\n`, "big.bin": `${n}`.repeat(LARGE) }));
    await mark();
  }
  const second = points[1];
  if (second === undefined) throw new Error("no points");
  await cp.goBack(second.id, { exact: true });
  await cp.agent(() => ws.plant({ "b.txt": "b4\n" }));
  await mark();
  await cp.close();
  const [store = ""] = await fs.readdir(path.join(ws.dataDir, "checkpoints"));
  return { ws, points, file: path.join(ws.dataDir, "checkpoints", store, "store.db") };
}

const Rows = z.array(z.record(z.string(), z.unknown()));
const KEYS = { entries: "path", changes: "id", marks: "seq", rollbacks: "id", blobs: "hash", chunks: "id" } as const;

function damagedValue(value: unknown): number | string | Buffer | undefined {
  if (typeof value === "number") return value + 1;
  if (typeof value === "string") return value.length === 0 ? "x" : `${String.fromCharCode(value.charCodeAt(0) ^ 1)}${value.slice(1)}`;
  if (!(value instanceof ArrayBuffer) || value.byteLength === 0) return undefined;
  const bytes = Buffer.from(value.slice(0));
  bytes[0] = (bytes[0] ?? 0) ^ 0x40;
  return bytes;
}

const keyOf = (value: unknown) => (value instanceof ArrayBuffer ? Buffer.from(value) : value);

type Damage = { readonly what: string; readonly run: () => void };

/** Each single value of the store, changed a little. */
function damages(file: string): Damage[] {
  const raw = new Database(file);
  const all = Object.entries(KEYS).flatMap(([table, key]) =>
    Rows.parse(raw.prepare(`SELECT * FROM ${table}`).all()).flatMap((row) => damagesOf({ file, table, key }, row)),
  );
  raw.close();
  return all;
}

function damagesOf(
  { file, table, key }: { readonly file: string; readonly table: string; readonly key: string },
  row: Readonly<Record<string, unknown>>,
): Damage[] {
  return Object.entries(row).flatMap(([column, value]) => {
    const changed = damagedValue(value);
    // the order of the log is the table's own, which SQLite checks
    if (changed === undefined || (column === key && typeof value === "number")) return [];
    const run = () => {
      const db = new Database(file);
      db.prepare(`UPDATE ${table} SET "${column}" = ? WHERE ${key} = ?`).run([changed, keyOf(row[key])]);
      db.close();
    };
    return [{ what: `${table}.${column} of ${String(row[key])}`, run }];
  });
}

/** Every path is as it was at the point or as it is now; never anything else. */
function expectNothingWrong(what: string, sides: { readonly old: Picture; readonly now: Picture; readonly wanted: Picture }): void {
  const { old, now, wanted } = sides;
  const paths = new Set([...Object.keys(now), ...Object.keys(old), ...Object.keys(wanted)]);
  expect({ what, wrong: [...paths].filter((one) => now[one] !== old[one] && now[one] !== wanted[one]) }).toEqual({ what, wrong: [] });
}

async function goBackTo(cp: CheckpointHarness, point: Point): Promise<"done" | "refused"> {
  const plan = await cp.store.plan(point.id, { scope: "files", exact: true, session: SESSION_A });
  if (!plan.ok) {
    expect(["unreadable_store", "unknown_checkpoint"]).toContain(plan.error.kind);
    return "refused";
  }
  const done = await cp.store.apply(plan.value.plan, SESSION_A, NEVER);
  return done.ok ? "done" : "refused";
}

describe("a single damaged value, whichever it is", () => {
  it("never makes going back write anything that was not there", async () => {
    const { ws, points, file } = await withHistory();
    const whole = await fs.readFile(file);
    const tree = await ws.picture();
    const contents = new Map<string, Buffer>();
    for (const one of Object.keys(tree)) if (tree[one]?.startsWith("file") === true) contents.set(one, await fs.readFile(ws.at(one)));
    const all = damages(file);
    expect(all.length).toBeGreaterThan(250);
    const outcomes = { done: 0, refused: 0 };
    for (const [n, { what, run }] of all.entries()) {
      if (n % EVERY !== 0) continue;
      await fs.writeFile(file, whole);
      run();
      const cp = await openCheckpoints(ws);
      const point = points[Math.floor(n / EVERY) % points.length];
      if (point === undefined) throw new Error("no point");
      const old = await ws.picture();
      outcomes[await goBackTo(cp, point)] += 1;
      expectNothingWrong(what, { old, now: await ws.picture(), wanted: point.picture });
      await cp.close();
      // as it was, for the next damage
      const now = await ws.picture();
      for (const one of Object.keys(now)) if (tree[one] === undefined) await ws.remove(one);
      for (const [one, bytes] of contents) if (now[one] !== tree[one]) await ws.plant({ [one]: bytes });
    }
    expect(outcomes.done).toBeGreaterThan(outcomes.refused);
  }, 120_000);
});

describe("the store looks for damage by itself after a turn, and", () => {
  const found = async (cp: CheckpointHarness) => {
    await cp.take({ kind: "turn_end", label: "" });
    const all: unknown[] = [];
    await expect.poll(async () => (all.push(...(await cp.store.news())), all.length), { timeout: 5000 }).toBeGreaterThan(0);
    expect(await cp.store.news()).toEqual([]);
    return all;
  };
  const damage = (file: string, sql: string) => {
    const raw = new Database(file);
    raw.exec(sql);
    raw.close();
  };

  it("names the files of a damaged content; the preview says it of them, and the others go back", async () => {
    const { ws, points, file } = await withHistory();
    damage(file, "UPDATE chunks SET data = x'0011' WHERE id = (SELECT MIN(id) FROM chunks)");
    const cp = await openCheckpoints(ws);
    const start = points[0];
    if (start === undefined) throw new Error("no point");
    expect(await found(cp)).toEqual([{ kind: "damaged", paths: ["a.txt", "b.txt", "d/c.txt", "same.txt"], points: 0 }]);
    const stats = await cp.store.stats();
    expect(stats).toMatchObject({ ok: true, value: { damagedPaths: ["a.txt", "b.txt", "d/c.txt", "same.txt"], lostPoints: 0 } });
    const preview = await cp.preview(start.id, { exact: true });
    const lost = ["a.txt", "b.txt", "d/c.txt"];
    expect(preview.files.filter((one) => one.action === "unavailable").map((one) => one.path)).toEqual(lost);
    expect(preview.irreversible.map((one) => one.detail).sort()).toEqual(lost);
    const old = await ws.picture();
    expect(await cp.goBack(start.id, { exact: true })).toMatchObject({ ok: true });
    const wanted = { ...start.picture, ...Object.fromEntries(lost.map((one) => [one, old[one] ?? ""])) };
    expect(await ws.picture()).toEqual(wanted);
    // the one that still stands in the folder was read again, and is whole
    expect(await cp.store.stats()).toMatchObject({ ok: true, value: { damagedPaths: lost } });
    await cp.close();
  });

  it("keeps a file whose merge needs it from going back, and no other; the differences of the others are shown", async () => {
    const ws = await createTempWorkspace({ "m.txt": "1\n2\n3\n4\n5\n6\n7\n", "o.txt": "o\n" }, { inMemory: true });
    open.push(() => ws.dispose());
    const cp = await openCheckpoints(ws);
    const start = await cp.take();
    await cp.agent(() => ws.plant({ "m.txt": "one\n2\n3\n4\n5\n6\n7\n", "o.txt": "O\n" }), { declared: ["m.txt", "o.txt"] });
    await cp.take();
    await ws.plant({ "m.txt": "one\n2\n3\n4\n5\n6\nseven\n" });
    await cp.take();
    const [folder = ""] = await fs.readdir(path.join(ws.dataDir, "checkpoints"));
    // what lay between: needed for the merge, and nothing that would come back itself
    damage(
      path.join(ws.dataDir, "checkpoints", folder, "store.db"),
      "UPDATE chunks SET data = x'00' WHERE id = (SELECT chunk FROM blobs WHERE hash = (SELECT a_hash FROM changes WHERE path = CAST('m.txt' AS BLOB) ORDER BY id LIMIT 1))",
    );
    const preview = await cp.preview(start);
    const rest = preview.files.map(({ path: file, action }) => [file, action]);
    expect(rest).toContainEqual(["m.txt", "unavailable"]);
    const diff = await cp.store.diff(start, "folder");
    expect(diff.ok && diff.value.map((one) => one.path)).toEqual(["m.txt", "o.txt"]);
    expect(await cp.goBack(start)).toMatchObject({ ok: true });
    expect([await ws.read("m.txt"), await ws.read("o.txt")]).toEqual(["one\n2\n3\n4\n5\n6\nseven\n", "o\n"]);
    await cp.close();
  });

  it("says of a damaged record of a file that it cannot be brought back, and of a nameless one that older points are lost", async () => {
    const { ws, points, file } = await withHistory();
    damage(
      file,
      "UPDATE changes SET b_size = b_size + 1 WHERE path = CAST('a.txt' AS BLOB) AND id = (SELECT MIN(id) FROM changes WHERE path = CAST('a.txt' AS BLOB))",
    );
    const one = await openCheckpoints(ws);
    expect(await found(one)).toEqual([{ kind: "damaged", paths: ["a.txt"], points: 0 }]);
    const [start, , , third] = points;
    if (start === undefined || third === undefined) throw new Error("no points");
    expect((await one.preview(start.id, { exact: true })).files).toContainEqual(expect.objectContaining({ path: "a.txt", action: "unavailable" }));
    await one.close();
    damage(file, "UPDATE changes SET path = x'ffff' WHERE id = (SELECT MIN(id) FROM changes)");
    damage(file, "DELETE FROM meta WHERE key = 'checked_at'");
    const two = await openCheckpoints(ws);
    expect(await found(two)).toEqual([{ kind: "damaged", paths: [], points: 1 }]);
    expect(await two.store.plan(start.id, { scope: "files" })).toMatchObject({ ok: false, error: { kind: "unreadable_store" } });
    expect(await two.goBack(third.id, { exact: true })).toMatchObject({ ok: true });
    expect(await ws.picture()).toEqual(third.picture);
    await two.close();
  });

  it("takes a damaged record of the folder from the folder itself, without a change being seen", async () => {
    const { ws, file } = await withHistory();
    damage(file, "UPDATE entries SET path = CAST('z.txt' AS BLOB) WHERE path = CAST('same.txt' AS BLOB)");
    const cp = await openCheckpoints(ws);
    const list = await cp.store.list();
    expect(await cp.take()).toBe(list.at(-1)?.id);
    await cp.close();
    const again = await openCheckpoints(ws);
    const start = await again.take();
    await again.agent(() => ws.remove("same.txt"));
    await again.goBack(start);
    expect(await ws.read("same.txt")).toBe("same\n");
    await again.close();
  });

  it("leaves out a point whose own record is damaged; the others work", async () => {
    const { ws, points, file } = await withHistory();
    damage(file, `UPDATE marks SET shown = '{' WHERE id = '${points[2]?.id ?? ""}'`);
    const cp = await openCheckpoints(ws);
    const ids = (await cp.store.list()).map(({ id }) => id);
    expect(ids).not.toContain(points[2]?.id);
    expect(ids).toContain(points[1]?.id);
    expect(await cp.store.stats()).toMatchObject({ ok: true, value: { lostPoints: 1 } });
    expect(await cp.goBack(points[1]?.id ?? ids[0] ?? CheckpointId.parse("none"), { exact: true })).toMatchObject({ ok: true });
    await cp.close();
  });

  it("sets apart a database that is found damaged while it is used, and begins a new one at once", async () => {
    const { ws, points } = await withHistory();
    let isDamaged = false;
    const openDb = (file: string): Db => {
      const db = openDatabase(file);
      const all: Db["all"] = (sql, params) => {
        if (isDamaged && sql.includes("FROM marks")) throw new StoreProblem("damaged", "database disk image is malformed");
        return db.all(sql, params);
      };
      return { ...db, all, one: (sql, params) => all(sql, params)[0] };
    };
    const cp = await openCheckpoints(ws, {}, { openDb });
    isDamaged = true;
    expect(await cp.store.take({ kind: "person", label: "x" }, SESSION_A, NEVER)).toMatchObject({ kind: "failed" });
    isDamaged = false;
    expect(await cp.store.take({ kind: "person", label: "x" }, SESSION_A, NEVER)).toMatchObject({ kind: "taken" });
    expect(await cp.store.news()).toMatchObject([{ kind: "store_isolated" }]);
    expect(await cp.store.list()).toHaveLength(1);
    expect(await cp.store.plan(points[0]?.id ?? CheckpointId.parse("none"), { scope: "files" })).toMatchObject({
      ok: false,
      error: { kind: "unknown_checkpoint" },
    });
    await cp.close();
  });

  it("sets apart one that is found damaged a little after it was opened", async () => {
    const { ws, file } = await withHistory();
    const raw = new Database(file);
    const page = Number(z.object({ rootpage: z.number() }).parse(raw.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'marks'").get()).rootpage);
    raw.close();
    const bytes = await fs.readFile(file);
    bytes.fill(0xa5, (page - 1) * 4096, page * 4096);
    await fs.writeFile(file, bytes);
    const cp = await openCheckpoints(ws);
    expect(cp.store.recovered).toMatchObject({ kind: "store_isolated" });
    expect(await cp.store.take({ kind: "person", label: "x" }, SESSION_A, NEVER)).toMatchObject({ kind: "taken" });
    expect(await cp.store.news()).toMatchObject([{ kind: "store_isolated" }]);
    await cp.close();
  });

  it("is over in a moment, ends when somebody comes, and is not done again the same day", async () => {
    const { ws } = await withHistory();
    const cp = await openCheckpoints(ws);
    await cp.take({ kind: "turn_end", label: "" });
    const start = performance.now();
    await cp.take({ kind: "turn_start", label: "" });
    expect(performance.now() - start).toBeLessThan(500);
    await cp.close();
  });
});

describe("a store of an older program", () => {
  it("is brought up to date when it is opened, and everything in it works", async () => {
    const { ws, points, file } = await withHistory();
    const raw = new Database(file);
    for (const table of ["entries", "changes", "marks", "rollbacks"]) raw.exec(`ALTER TABLE ${table} DROP COLUMN sum`);
    raw.exec("ALTER TABLE rollbacks DROP COLUMN session");
    raw.exec("PRAGMA user_version = 1");
    raw.close();
    const cp = await openCheckpoints(ws);
    const start = points[0];
    if (start === undefined) throw new Error("no point");
    expect((await cp.store.list()).map(({ id }) => id)).toContain(start.id);
    expect(await cp.goBack(start.id, { exact: true })).toMatchObject({ ok: true });
    expect(await ws.picture()).toEqual(start.picture);
    await cp.close();
  });
});

describe("a journal that cannot be read", () => {
  it("is set apart and told, and the store goes on", async () => {
    const { ws, file } = await withHistory();
    const raw = new Database(file);
    raw.exec(`INSERT INTO journal VALUES('0123456789ab', 'open', 0, '12 [{"path":"a.txt"}]')`);
    raw.close();
    const cp = await openCheckpoints(ws);
    expect(cp.store.recovered).toMatchObject({ kind: "stuck" });
    expect(await cp.store.news()).toMatchObject([{ kind: "stuck" }]);
    await ws.plant({ "a.txt": "more\n" });
    expect((await cp.taken()).changes).toMatchObject([{ path: "a.txt" }]);
    await cp.close();
  });
});
