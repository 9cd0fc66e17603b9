// What a checkpoint holds, and that a failed one never looks like a good one (K2, K4, D07, D12).
import { execFile } from "node:child_process";
import fs from "node:fs/promises";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { CallId, CheckpointId, TurnId } from "#shared/lib/ids.ts";
import { createFaultyPowers } from "#electron/testkit/faulty-powers.ts";
import { type CheckpointHarness, openCheckpoints, SESSION_A } from "#electron/testkit/open-checkpoints.ts";
import { createTempWorkspace, type Planted, type TempWorkspace } from "#electron/testkit/temp-workspace.ts";
import { createDisk, type Disk, type DiskStat } from "./disk.ts";
import type { CheckpointLimits } from "./limits.ts";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});
const NEVER = new AbortController().signal;

async function setUp(
  tree: Readonly<Record<string, Planted>>,
  limits: Partial<CheckpointLimits> = {},
  powers = {},
): Promise<{ ws: TempWorkspace; cp: CheckpointHarness }> {
  const ws = await createTempWorkspace(tree, { inMemory: true });
  const cp = await openCheckpoints(ws, { limits }, powers);
  open.push(
    () => ws.dispose(),
    () => cp.close(),
  );
  return { ws, cp };
}
const uncovered = (checkpoint: { readonly uncovered: readonly { readonly path: string; readonly why: string }[] }) =>
  Object.fromEntries(checkpoint.uncovered.map(({ path, why }) => [path, why]));

describe("a checkpoint", () => {
  it("says what caused it, how much it protects and what changed", async () => {
    const { ws, cp } = await setUp({ "a.txt": "1\n2\n", "b.txt": "b\n", "old.txt": "x\n" });
    const first = await cp.taken({ kind: "turn_start", label: "fix the test", turn: TurnId.parse("t1") });
    expect(first).toMatchObject({
      cause: { kind: "turn_start", label: "fix the test", turn: "t1" },
      files: 3,
      bytes: 8,
      changes: [],
      uncovered: [],
      uncoveredCount: 0,
    });
    expect(first.parent).toBeUndefined();
    await cp.agent(() => ws.plant({ "a.txt": "1\ntwo\nthree\n", "new.txt": "n\n" }), { declared: ["a.txt"] });
    await ws.remove("old.txt");
    await fs.chmod(ws.at("b.txt"), 0o755);
    const second = await cp.taken({ kind: "turn_end" });
    expect(second.parent).toBe(first.id);
    expect(second.changes).toEqual([
      { path: "a.txt", change: "modify", added: 2, removed: 1, binary: false, by: "agent" },
      { path: "b.txt", change: "mode", added: 0, removed: 0, binary: false, by: "person" },
      { path: "new.txt", change: "add", added: 1, removed: 0, binary: false, by: "during_call" },
      { path: "old.txt", change: "delete", added: 0, removed: 1, binary: false, by: "person" },
    ]);
    expect((await cp.store.list()).map(({ id }) => id)).toEqual([first.id, second.id]);
  });

  it("is not made when nothing changed, or when it changed back", async () => {
    const { ws, cp } = await setUp({ "a.txt": "a" });
    const first = await cp.take();
    const again = await cp.store.take({ kind: "person", label: "again" }, SESSION_A, NEVER);
    expect(again).toEqual({ kind: "unchanged", checkpoint: first });
    await ws.plant({ "a.txt": "b" });
    await cp.store.endCall(CallId.parse("none"));
    await ws.plant({ "a.txt": "a" });
    expect(await cp.take()).toBe(first);
  });

  it("notices a change of the same size within the same tick", async () => {
    const { ws, cp } = await setUp({ "a.txt": "0000" });
    await cp.take();
    for (let n = 1; n < 30; n++) {
      await ws.plant({ "a.txt": String(n).padStart(4, "0") });
      const seen = await cp.store.take({ kind: "person", label: "x" }, SESSION_A, NEVER);
      expect({ n, kind: seen.kind }).toEqual({ n, kind: "taken" });
    }
  });

  it("notices a change whose time was put back", async () => {
    const { ws, cp } = await setUp({ "a.txt": "old" });
    const { atime, mtime } = await fs.stat(ws.at("a.txt"));
    await cp.take();
    await ws.plant({ "a.txt": "new" });
    await fs.utimes(ws.at("a.txt"), atime, mtime);
    expect((await cp.taken()).changes).toMatchObject([{ path: "a.txt", change: "modify" }]);
  });

  it("waits for another one that is being taken", async () => {
    const { ws, cp } = await setUp({ "a.txt": "a" });
    const [one, two] = await Promise.all([
      cp.store.take({ kind: "turn_start", label: "1" }, SESSION_A, NEVER),
      cp.store.take({ kind: "before_call", label: "2" }, SESSION_A, NEVER),
    ]);
    expect([one.kind, two.kind]).toEqual(["taken", "unchanged"]);
    await ws.plant({ "a.txt": "b" });
    expect(await cp.store.diff(one.kind === "taken" ? one.checkpoint.id : CheckpointId.parse("x"), "folder")).toMatchObject({
      ok: true,
      value: [{ path: "a.txt" }],
    });
  });
});

describe("what is covered (K4)", () => {
  it("is everything but dependency and build folders, large ignored files and huge ones, and that is listed (D07)", async () => {
    const { cp } = await setUp(
      {
        ".gitignore": "*.log\n.env\ndist/\n/secret\n",
        ".env": "KEY=1\n",
        "small.log": "x",
        "large.log": "x".repeat(2000),
        "model.bin": "x".repeat(9000),
        "large.txt": "x".repeat(2000),
        "node_modules/x/index.js": "x",
        "dist/out.js": "x",
        "build/mine.mjs": "x",
        "secret/a.txt": "x",
        "target/CACHEDIR.TAG": "Signature",
        "env2/pyvenv.cfg": "x",
        "bare.git/HEAD": "ref",
        "bare.git/objects": { folder: true },
        "bare.git/refs": { folder: true },
        ".hg/store": "x",
      },
      { maxFileBytes: 8000, maxIgnoredFileBytes: 1000 },
    );
    const checkpoint = await cp.taken();
    expect(uncovered(checkpoint)).toEqual({
      "bare.git": "special_file",
      dist: "dependency_folder",
      env2: "dependency_folder",
      "large.log": "ignored",
      "model.bin": "too_big",
      node_modules: "dependency_folder",
      target: "dependency_folder",
    });
    expect(checkpoint.uncoveredCount).toBe(7);
    // .gitignore .env small.log large.txt build/mine.mjs secret/a.txt
    expect(checkpoint.files).toBe(6);
  });

  it("shortens the list, not the count", async () => {
    const { cp } = await setUp({ "1.bin": "xxx", "2.bin": "xxx", "3.bin": "xxx" }, { maxFileBytes: 2, listedUncovered: 2 });
    expect(await cp.taken()).toMatchObject({ uncovered: [{ path: "1.bin" }, { path: "2.bin" }], uncoveredCount: 3 });
  });

  it("includes names of any bytes, links that lead nowhere or round, empty files and special ones by name", async () => {
    const { ws, cp } = await setUp({
      "empty.txt": "",
      loop: { link: "." },
      dead: { link: "nowhere" },
      "line\nbreak": "x",
      "-rf": "x",
      "a\\b": "x",
      "trailing ": "x",
    });
    const odd = Buffer.concat([Buffer.from(`${ws.root}/`), Buffer.from([0x62, 0xff, 0xfe])]);
    await fs.writeFile(odd, "odd");
    await promisify(execFile)("mkfifo", [ws.at("pipe")]);
    const start = await cp.taken();
    expect(uncovered(start)).toEqual({ pipe: "special_file" });
    expect(start.files).toBe(8);
    const before = await ws.picture();
    await cp.agent(async () => {
      await ws.remove("empty.txt", "loop", "dead", "line\nbreak", "-rf", "a\\b", "trailing ");
      await fs.rm(odd);
    });
    const preview = await cp.preview(start.id);
    expect(preview.files.map(({ path }) => path)).toContain("b\uDCFF\uDCFE");
    await cp.goBack(start.id);
    expect(await ws.picture()).toEqual(before);
  });

  it("stays covered whatever an ignore file says later, and is no change by itself", async () => {
    const { ws, cp } = await setUp({ "build/a.js": "1", ".gitignore": "" });
    const start = await cp.take();
    await cp.agent(() => ws.plant({ ".gitignore": "build/\n", "build/a.js": "2", "build/new.js": "n" }));
    const seen = await cp.taken();
    expect(seen.changes.map(({ path }) => path)).toEqual([".gitignore", "build/a.js"]);
    expect(uncovered(seen)).toEqual({ build: "dependency_folder" });
    await cp.goBack(start);
    expect(await ws.read("build/a.js")).toBe("1");
    // it was never held, so it is not taken away
    expect(await ws.read("build/new.js")).toBe("n");
  });

  it("begins to be covered without that being a change, and is not removed by going back before it", async () => {
    const { ws, cp } = await setUp({ ".gitignore": "build/\n", "build/a.js": "1" });
    const start = await cp.take();
    await cp.agent(() => ws.plant({ ".gitignore": "" }));
    expect((await cp.taken()).changes.map(({ path }) => path)).toEqual([".gitignore"]);
    expect((await cp.preview(start, { exact: true })).files.map(({ path }) => path)).toEqual([".gitignore"]);
    await cp.goBack(start, { exact: true });
    expect(await ws.read("build/a.js")).toBe("1");
  });

  it("says of a file that became too big that it cannot be brought back", async () => {
    const { ws, cp } = await setUp({ "a.bin": "x" }, { maxFileBytes: 10 });
    const start = await cp.take();
    await cp.agent(() => ws.plant({ "a.bin": "x".repeat(20) }));
    const preview = await cp.preview(start);
    expect(preview.files).toMatchObject([{ path: "a.bin", action: "unavailable" }]);
    expect(preview.irreversible).toEqual([{ kind: "uncovered", detail: "a.bin" }]);
  });

  it("leaves out its own data folder when that lies in the workspace", async () => {
    const ws = await createTempWorkspace({ "a.txt": "a" });
    const cp = await openCheckpoints(ws, { dataDir: ws.at("data") });
    open.push(
      () => ws.dispose(),
      () => cp.close(),
    );
    expect((await cp.taken()).files).toBe(1);
  });
});

describe("a folder on a network drive", () => {
  it("whose times never change is read whole at the start of each turn, and that is said", async () => {
    const ws = await createTempWorkspace({ "a.txt": "one\n" }, { inMemory: true });
    const real = createDisk(process.platform);
    const lying = (stat: DiskStat | undefined) => (stat === undefined ? undefined : { ...stat, mtime: 1_000_000, ctime: 1_000_000 });
    const disk: Disk = {
      ...real,
      isRemote: () => true,
      stat: (file) => lying(real.stat(file)),
      read: (file) => ({ ...real.read(file), stat: { ...real.read(file).stat, mtime: 1_000_000, ctime: 1_000_000 } }),
    };
    const cp = await openCheckpoints(ws, {}, { disk });
    open.push(
      () => ws.dispose(),
      () => cp.close(),
    );
    await cp.take({ kind: "turn_start" });
    await ws.plant({ "a.txt": "two\n" });
    expect((await cp.taken({ kind: "turn_start" })).changes).toMatchObject([{ path: "a.txt", change: "modify" }]);
    expect([await cp.store.news(), await cp.store.news()]).toEqual([[{ kind: "remote", paths: [] }], []]);
  });
});

describe("what cannot be read (D12)", () => {
  it("is listed, and going back never claims to have brought it back", async () => {
    const faults = createFaultyPowers();
    const { ws, cp } = await setUp({ "a.txt": "a", "b.txt": "b" }, {}, faults);
    faults.failOn(({ name, path }) => name === "read" && path.endsWith("/b.txt"), "EACCES");
    const start = await cp.taken();
    expect(uncovered(start)).toEqual({ "b.txt": "unreadable" });
    await cp.agent(async () => {
      faults.heal();
      await ws.plant({ "a.txt": "A", "b.txt": "x" });
    });
    const preview = await cp.preview(start.id);
    expect(preview.files.map(({ path, action }) => [path, action])).toEqual([
      ["a.txt", "restore"],
      ["b.txt", "unavailable"],
    ]);
    expect(preview.irreversible).toEqual([{ kind: "uncovered", detail: "b.txt" }]);
    expect(await cp.goBack(start.id)).toMatchObject({ ok: true, value: { files: ["a.txt"] } });
    expect(await ws.read("b.txt")).toBe("x");
  });

  it("a folder that cannot be read for a while does not look deleted", async () => {
    const faults = createFaultyPowers();
    const { ws, cp } = await setUp({ "d/a.txt": "a", "d/e/b.txt": "b", "c.txt": "c" }, {}, faults);
    const start = await cp.take();
    faults.failOn(({ name, path }) => name === "names" && path.endsWith("/d"), "EACCES");
    expect(await cp.take()).toBe(start);
    faults.heal();
    expect(await cp.take()).toBe(start);
    await ws.plant({ "d/a.txt": "changed" });
    expect((await cp.taken()).changes).toMatchObject([{ path: "d/a.txt", change: "modify" }]);
  });

  it("a full disk or a failing store makes the checkpoint fail, never seem unchanged", async () => {
    const faults = createFaultyPowers();
    const { ws, cp } = await setUp({ "a.txt": "a" }, {}, faults);
    const first = await cp.take();
    await ws.plant({ "a.txt": "b" });
    for (const operation of ["commit", "run"]) {
      faults.failOn(({ name, path }) => name === operation && !path.startsWith("DELETE FROM calls"), "SQLITE_FULL");
      expect(await cp.store.take({ kind: "person", label: "x" }, SESSION_A, NEVER)).toMatchObject({ kind: "failed" });
    }
    faults.heal();
    expect((await cp.taken()).parent).toBe(first);
  });

  it("a folder that went away is a failure with a reason", async () => {
    const { ws, cp } = await setUp({ "a.txt": "a" });
    await cp.take();
    await fs.rename(ws.root, `${ws.root}-moved`);
    const taken = await cp.store.take({ kind: "person", label: "x" }, SESSION_A, NEVER);
    expect(taken.kind === "failed" && taken.why).toContain("not there");
    await fs.rename(`${ws.root}-moved`, ws.root);
    expect((await cp.store.take({ kind: "person", label: "x" }, SESSION_A, NEVER)).kind).toBe("unchanged");
  });

  it("one that was called off is a failure, and what was read is kept for the next", async () => {
    const ws = await createTempWorkspace(Object.fromEntries(Array.from({ length: 3000 }, (_unused, n) => [`d${n % 10}/f${n}.txt`, `${n}\n`.repeat(200)])), {
      inMemory: true,
    });
    const cp = await openCheckpoints(ws);
    open.push(
      () => ws.dispose(),
      () => cp.close(),
    );
    const controller = new AbortController();
    const pending = cp.store.take({ kind: "turn_start", label: "x" }, SESSION_A, controller.signal);
    setImmediate(() => controller.abort());
    expect((await pending).kind).toBe("failed");
    expect((await cp.taken()).files).toBe(3000);
  });
});
