// The work of a copy brought over into the folder it was made from (K8), on real stores.
import fs from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { RollbackPreview } from "#shared/checkpoints/checkpoint.ts";
import type { CheckpointId } from "#shared/lib/ids.ts";
import { type CheckpointHarness, openCheckpoints, SESSION_A, SESSION_B } from "#electron/testkit/open-checkpoints.ts";
import { createTempWorkspace, type Planted, type TempWorkspace } from "#electron/testkit/temp-workspace.ts";
import type { CheckpointStore, IncomingPick } from "./contract.ts";

const NEVER = new AbortController().signal;
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function setUp(tree: Readonly<Record<string, Planted>>) {
  const ws: TempWorkspace = await createTempWorkspace(tree);
  const cp: CheckpointHarness = await openCheckpoints(ws);
  open.push(
    () => ws.dispose(),
    () => cp.close(),
  );
  await cp.take();
  const root = `${ws.dataDir}-copy`;
  await fs.cp(ws.root, root, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  open.push(() => fs.rm(root, { recursive: true, force: true }));
  const opened = await cp.stores.open(root);
  if (!opened.ok) throw new Error(opened.error.message);
  const copy: CheckpointStore = opened.value;
  const begin = await copy.take({ kind: "person", label: "copied" }, SESSION_B, NEVER);
  if (begin.kind !== "taken") throw new Error("no first point");
  const since: IncomingPick["since"] = [{ checkpoint: begin.checkpoint.id }];
  const plan = async (pick: Partial<IncomingPick> = {}): Promise<RollbackPreview> => {
    const planned = await cp.store.planIncoming(copy, { session: SESSION_B, since, ...pick });
    if (!planned.ok) throw new Error(planned.error.message);
    return planned.value;
  };
  const bring = async (pick: Partial<IncomingPick> = {}) => {
    const done = await cp.store.apply((await plan(pick)).plan, SESSION_B, NEVER);
    if (!done.ok) throw new Error(done.error.message);
    return done.value;
  };
  const undo = async (before: CheckpointId) => {
    const back = await cp.store.plan(before, { scope: "files", session: SESSION_B });
    if (!back.ok) throw new Error(back.error.message);
    return cp.store.apply(back.value.plan, SESSION_B, NEVER);
  };
  return { ws, cp, copy, root, plan, bring, undo, since, at: (file: string) => `${root}/${file}` };
}
const lines = (...some: readonly string[]) => some.map((line) => `${line}\n`).join("");

describe("bringing the work of a copy over", () => {
  it("brings what changed, came and went, merged with what changed here, and is undone as a whole", async () => {
    const big = "x".repeat(600_000);
    const { ws, root, at, plan, bring, undo } = await setUp({
      "a.txt": lines("1", "2", "3", "4", "5"),
      "gone.txt": "g",
      "run.sh": { bytes: "#!", mode: 0o644 },
      "mine.txt": "m",
    });
    await fs.writeFile(at("a.txt"), lines("1", "2", "3", "4", "five"));
    await fs.rm(at("gone.txt"));
    await fs.mkdir(at("new"));
    await fs.writeFile(at("new/big.txt"), big);
    await fs.writeFile(at("new/b.bin"), new Uint8Array([0, 255, 1]));
    await fs.symlink("a.txt", at("link"));
    await fs.chmod(at("run.sh"), 0o755);
    await ws.plant({ "a.txt": lines("one", "2", "3", "4", "5"), "mine.txt": "mine now" });
    const before = await ws.picture();
    const preview = await plan();
    expect(preview.files.map(({ path, action, merged }) => [path, action, merged === true])).toEqual([
      ["a.txt", "restore", true],
      ["gone.txt", "remove", false],
      ["link", "recreate", false],
      ["new/b.bin", "recreate", false],
      ["new/big.txt", "recreate", false],
      ["run.sh", "mode", false],
    ]);
    expect([preview.irreversible, await ws.picture()]).toEqual([[], before]);
    const done = await bring();
    expect([await ws.read("a.txt"), await ws.read("mine.txt"), (await ws.read("new/big.txt")) === big]).toEqual([
      lines("one", "2", "3", "4", "five"),
      "mine now",
      true,
    ]);
    expect((await ws.picture())["run.sh"]).toContain("755");
    expect(await fs.readFile(`${root}/a.txt`, "utf8")).toBe(lines("1", "2", "3", "4", "five"));
    await undo(done.before.id);
    expect(await ws.picture()).toEqual(before);
  });

  it("asks where both touched the same place; nothing of it is done until the copy's version is wanted", async () => {
    const { ws, cp, at, plan, bring } = await setUp({ "a.txt": "old\n", "b.txt": "b\n" });
    await fs.writeFile(at("a.txt"), "theirs\n");
    await fs.writeFile(at("b.txt"), "b2\n");
    await ws.plant({ "a.txt": "mine\n" });
    const preview = await plan();
    expect(preview.files.map(({ path, action }) => [path, action])).toEqual([
      ["a.txt", "conflict"],
      ["b.txt", "restore"],
    ]);
    expect(await cp.store.threeWay(preview.plan, "a.txt")).toMatchObject({ ok: true, value: { now: "mine\n", target: "theirs\n" } });
    await bring();
    expect([await ws.read("a.txt"), await ws.read("b.txt")]).toEqual(["mine\n", "b2\n"]);
    await bring({ overwrite: ["a.txt"] });
    expect(await ws.read("a.txt")).toBe("theirs\n");
  });

  it("counts only what is new after an earlier time, also when only some files were brought over then", async () => {
    const { ws, cp, copy, at, plan, bring, since } = await setUp({ "a.txt": "1\n", "b.txt": "1\n" });
    await fs.writeFile(at("a.txt"), "2\n");
    await fs.writeFile(at("b.txt"), "2\n");
    await bring({ files: ["a.txt"] });
    const then = await copy.take({ kind: "person", label: "brought over" }, SESSION_B, NEVER);
    if (then.kind !== "taken") throw new Error("no point");
    const next: IncomingPick["since"] = [...since, { checkpoint: then.checkpoint.id, files: ["a.txt"] }];
    await ws.plant({ "a.txt": "2\nmine\n" });
    expect((await plan({ since: next })).files.map((file) => file.path)).toEqual(["b.txt"]);
    await fs.writeFile(at("a.txt"), "zero\n2\n");
    const preview = await plan({ since: next });
    expect(preview.files.map(({ path, action }) => [path, action])).toEqual([
      ["a.txt", "restore"],
      ["b.txt", "restore"],
    ]);
    await cp.store.apply(preview.plan, SESSION_B, NEVER);
    expect([await ws.read("a.txt"), await ws.read("b.txt")]).toEqual(["zero\n2\nmine\n", "2\n"]);
  });

  it("is refused as stale when the folder changed since the preview, and says when the copy is gone", async () => {
    const { ws, cp, copy, at, plan, since } = await setUp({ "a.txt": "1\n" });
    await fs.writeFile(at("a.txt"), "2\n");
    const preview = await plan();
    await ws.plant({ "a.txt": "person\n" });
    expect(await cp.store.apply(preview.plan, SESSION_B, NEVER)).toMatchObject({ ok: false, error: { kind: "stale_plan" } });
    expect(await ws.read("a.txt")).toBe("person\n");
    await fs.rm(copy.folder, { recursive: true });
    expect(await cp.store.planIncoming(copy, { session: SESSION_A, since })).toMatchObject({ ok: false, error: { kind: "folder_gone" } });
    expect(await cp.store.planIncoming({ ...copy, folder: "/nowhere" }, { session: SESSION_A, since })).toMatchObject({ ok: false });
  });

  it("puts nothing under what is a file here, and takes no folder away that holds the person's", async () => {
    const { ws, at, plan, bring } = await setUp({ d: { folder: true }, "d/a.txt": "1" });
    await fs.rm(at("d"), { recursive: true });
    await fs.mkdir(at("f"));
    await fs.writeFile(at("f/x.txt"), "x");
    await ws.plant({ "d/mine.txt": "m", f: "a file" });
    const before = await ws.picture();
    expect((await plan()).files.map(({ path, action }) => [path, action])).toEqual([
      ["d/a.txt", "remove"],
      ["f/x.txt", "conflict"],
    ]);
    await bring();
    expect(await ws.picture()).toEqual(Object.fromEntries(Object.entries(before).filter(([path]) => path !== "d/a.txt")));
  });
});
