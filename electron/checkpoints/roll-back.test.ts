// Roll-back on a real folder, whole trees compared (D01, D02, D13, D16).
import fs from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { openCheckpoints, SESSION_A, SESSION_B, type CheckpointHarness } from "#electron/testkit/open-checkpoints.ts";
import { createTempWorkspace, type Planted, type TempWorkspace } from "#electron/testkit/temp-workspace.ts";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function setUp(tree: Readonly<Record<string, Planted>>): Promise<{ ws: TempWorkspace; cp: CheckpointHarness }> {
  const ws = await createTempWorkspace(tree);
  const cp = await openCheckpoints(ws);
  open.push(
    () => ws.dispose(),
    () => cp.close(),
  );
  return { ws, cp };
}
const actions = (preview: { readonly files: readonly { readonly path: string; readonly action: string }[] }) =>
  Object.fromEntries(preview.files.map(({ path, action }) => [path, action]));

describe("going back", () => {
  it("undoes what a shell command removed, moved, changed and made (D01)", async () => {
    const { ws, cp } = await setUp({ "go.mod": "module x\n", "notes.txt": "mine\n", "a.txt": "a\n", "c.txt": "1\n" });
    const start = await cp.take({ kind: "turn_start" });
    const before = await ws.picture();
    await cp.agent(async () => {
      await ws.remove("go.mod", "notes.txt");
      await fs.rename(ws.at("a.txt"), ws.at("b.txt"));
      await ws.plant({ "c.txt": "2\n", "d/new.txt": "n\n" });
    });
    const preview = await cp.preview(start);
    expect(actions(preview)).toEqual({
      "a.txt": "recreate",
      "b.txt": "remove",
      "c.txt": "restore",
      "d/new.txt": "remove",
      "go.mod": "recreate",
      "notes.txt": "recreate",
    });
    const done = await cp.goBack(start);
    expect(done).toMatchObject({ ok: true });
    expect(await ws.picture()).toEqual(before);
  });

  it("undoes a folder that a shell command moved, whose files keep the times of long ago (D01)", async () => {
    const { ws, cp } = await setUp({ "src/a.txt": "a\n", "src/in/b.txt": "b\n", "lib/a.txt": "other\n" });
    // so that their times are clearly of before the call
    await sleep(60);
    const start = await cp.take({ kind: "turn_start" });
    const before = await ws.picture();
    await cp.agent(async () => {
      await fs.rename(ws.at("lib"), ws.at("old"));
      await fs.rename(ws.at("src"), ws.at("lib"));
    });
    expect((await cp.taken()).changes.filter(({ by }) => by === "person")).toEqual([]);
    expect(await cp.goBack(start)).toMatchObject({ ok: true });
    expect(await ws.picture()).toEqual(before);
    await fs.rename(ws.at("src"), ws.at("mine"));
    expect((await cp.taken()).changes.filter(({ by }) => by !== "person")).toEqual([]);
  });

  it("leaves alone what others made, and can be undone (D02)", async () => {
    const { ws, cp } = await setUp({ "readme.md": "hello\n" });
    const start = await cp.take({ kind: "turn_start" });
    await cp.agent(() => ws.plant({ "app.ts": "export {};\n" }), { declared: ["app.ts"] });
    await ws.plant({ "output/result.jsonl": "{}\n", "todo.txt": "buy milk\n" });
    const full = await ws.picture();
    const done = await cp.goBack(start);
    expect(done).toMatchObject({ ok: true, value: { files: ["app.ts"] } });
    const { "app.ts": _gone, ...rest } = full;
    expect(await ws.picture()).toEqual(rest);
    if (!done.ok) return;
    expect(await cp.goBack(done.value.before.id)).toMatchObject({ ok: true });
    expect(await ws.picture()).toEqual(full);
  });

  it.each<[string, Readonly<Record<string, Planted>>, (ws: TempWorkspace) => Promise<void>]>([
    [
      "a folder became a link to another one with the same names",
      { "r/a": "1\n", "l/a": "1\n", "l/b": "2\n" },
      async (ws) => {
        await fs.rm(ws.at("l"), { recursive: true });
        await fs.symlink("r", ws.at("l"));
      },
    ],
    [
      "a link to a folder became a folder of its own",
      { "r/a": "1\n", l: { link: "r" } },
      async (ws) => {
        await fs.rm(ws.at("l"));
        await ws.plant({ "l/a": "1\n", "l/c": "3\n" });
      },
    ],
    [
      "the folder above became a link",
      { "p/l/a": "1\n", "q/l/a": "1\n" },
      async (ws) => {
        await fs.rm(ws.at("p"), { recursive: true });
        await fs.symlink("q", ws.at("p"));
      },
    ],
  ])("%s: back and forth, and what the link leads to is never touched (B11)", async (_name, tree, change) => {
    const { ws, cp } = await setUp(tree);
    const start = await cp.take({ kind: "turn_start" });
    const before = await ws.picture();
    await cp.agent(() => change(ws));
    const after = await ws.picture();
    const done = await cp.goBack(start);
    expect(done).toMatchObject({ ok: true });
    expect(await ws.picture()).toEqual(before);
    if (done.ok) expect(await cp.goBack(done.value.before.id)).toMatchObject({ ok: true });
    expect(await ws.picture()).toEqual(after);
  });

  it("takes back one session's work only, and merges where both worked in one file (D13)", async () => {
    const lines = (first: string, tenth: string) => `${first}\n2\n3\n4\n5\n6\n7\n8\n9\n${tenth}\n`;
    const { ws, cp } = await setUp({ "shared.ts": lines("1", "10"), "u.ts": "u\n" });
    const start = await cp.take({ kind: "turn_start" });
    await cp.agent(() => ws.plant({ "a.ts": "a\n", "shared.ts": lines("one", "10") }), { declared: ["a.ts", "shared.ts"] });
    await cp.agent(() => ws.plant({ "b.ts": "b\n", "shared.ts": lines("one", "ten") }), { session: SESSION_B, declared: ["b.ts", "shared.ts"] });
    await ws.plant({ "u.ts": "mine\n" });
    const preview = await cp.preview(start, { session: SESSION_A });
    expect(preview.files).toMatchObject([
      { path: "a.ts", action: "remove" },
      { path: "b.ts", action: "kept" },
      { path: "shared.ts", action: "restore", merged: true },
      { path: "u.ts", action: "kept" },
    ]);
    await cp.goBack(start, { session: SESSION_A });
    expect(await ws.read("shared.ts")).toBe(lines("1", "ten"));
    expect(await ws.read("b.ts")).toBe("b\n");
    expect(await ws.read("u.ts")).toBe("mine\n");
    await expect(ws.read("a.ts")).rejects.toThrow();
  });

  it("shows a conflict where both changed the same lines, and keeps the file unless told otherwise", async () => {
    const { ws, cp } = await setUp({ "x.txt": "old\n" });
    const start = await cp.take({ kind: "turn_start" });
    await cp.agent(() => ws.plant({ "x.txt": "agent\n" }));
    await ws.plant({ "x.txt": "person\n" });
    expect(actions(await cp.preview(start))).toEqual({ "x.txt": "conflict" });
    await cp.goBack(start);
    expect(await ws.read("x.txt")).toBe("person\n");
    await cp.goBack(start, { overwrite: ["x.txt"] });
    expect(await ws.read("x.txt")).toBe("old\n");
  });

  it("brings back modes, links and empty folders (D16)", async () => {
    const { ws, cp } = await setUp({
      "run.sh": { bytes: "#!/bin/sh\n", mode: 0o755 },
      link: { link: "run.sh" },
      empty: { folder: true },
      ".git/refs/tags": { folder: true },
      "node_modules/.cache": { folder: true },
    });
    const start = await cp.take({ kind: "turn_start" });
    const before = await ws.picture();
    await cp.agent(async () => {
      await fs.chmod(ws.at("run.sh"), 0o644);
      await fs.rm(ws.at("link"));
      await fs.copyFile(ws.at("run.sh"), ws.at("link"));
      await fs.rmdir(ws.at("empty"));
      await ws.plant({ "new/deep/f": "" });
    });
    expect(actions(await cp.preview(start))).toEqual({ "empty/": "recreate", link: "restore", "new/deep/f": "remove", "run.sh": "mode" });
    await cp.goBack(start);
    expect(await ws.picture()).toEqual(before);
  });
});
