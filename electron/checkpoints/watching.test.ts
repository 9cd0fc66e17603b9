// Looking only where the system said something changed, and noticing when it did not say so (K3).
import fs from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import { createFaultyPowers } from "#electron/testkit/faulty-powers.ts";
import { type CheckpointHarness, openCheckpoints } from "#electron/testkit/open-checkpoints.ts";
import { createTempWorkspace, type Planted, type TempWorkspace } from "#electron/testkit/temp-workspace.ts";
import { watchFolder } from "./disk.ts";
import type { WatchFolder } from "./watching.ts";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const TREE = { "a.txt": "a", "d/b.txt": "b", "d/e/c.txt": "c", "node_modules/x/i.js": "x" };

/** A store whose looks are counted: how many folders were listed since the last question. */
async function setUp(watching: WatchFolder | "none" = watchFolder, tree: Readonly<Record<string, Planted>> = TREE) {
  const ws = await createTempWorkspace(tree, { inMemory: true });
  const powers = createFaultyPowers();
  const watch = watching === "none" ? undefined : watching;
  let listed: string[] = [];
  const disk = {
    ...powers.disk,
    names(folder: string) {
      if (folder.startsWith(ws.root)) listed.push(folder.slice(ws.root.length + 1));
      return powers.disk.names(folder);
    },
  };
  const cp = await openCheckpoints(ws, {}, { disk, openDb: powers.openDb, watch });
  open.push(
    () => ws.dispose(),
    () => cp.close(),
  );
  const looks = () => {
    const all = listed;
    listed = [];
    return all.sort();
  };
  return { ws, cp, looks };
}
const changed = async (cp: CheckpointHarness) => (await cp.taken()).changes.map(({ path, change }) => `${change} ${path}`);
const off = async (cp: CheckpointHarness) => {
  const stats = await cp.store.stats();
  return stats.ok ? stats.value.watchingOff : "failed";
};

describe.runIf(process.platform === "linux")("a watched folder", () => {
  it("is walked once, then only where something changed", async () => {
    const { ws, cp, looks } = await setUp();
    await cp.take();
    expect(looks()).toEqual(["", "d", "d/e"]);
    await ws.plant({ "a.txt": "A", "d/e/c.txt": "C" });
    expect(await changed(cp)).toEqual(["modify a.txt", "modify d/e/c.txt"]);
    await cp.take();
    expect(looks()).toEqual([]);
    expect(await off(cp)).toBeUndefined();
  });

  it("is walked again at the start of a turn, as a check", async () => {
    const { cp, looks } = await setUp();
    await cp.take();
    looks();
    await cp.take({ kind: "turn_start" });
    expect(looks()).toEqual(["", "d", "d/e"]);
    expect(await off(cp)).toBeUndefined();
  });

  for (const [what, work, expected] of [
    ["new folders and all in them", (ws: TempWorkspace) => ws.plant({ "n/e/w/x.txt": "x" }), ["add n/e/w/x.txt"]],
    ["deleted folders", (ws: TempWorkspace) => ws.remove("d"), ["delete d/b.txt", "delete d/e/c.txt"]],
    ["renamed folders", (ws: TempWorkspace) => fs.rename(ws.at("d"), ws.at("z")), ["delete d/b.txt", "delete d/e/c.txt", "add z/b.txt", "add z/e/c.txt"]],
    ["modes", (ws: TempWorkspace) => fs.chmod(ws.at("d/b.txt"), 0o755), ["mode d/b.txt"]],
    ["modes of folders", (ws: TempWorkspace) => fs.chmod(ws.at("d/e"), 0o700), ["mode d/e/"]],
    ["links", (ws: TempWorkspace) => ws.plant({ "d/link": { link: "b.txt" } }), ["add d/link"]],
    ["names of any bytes", (ws: TempWorkspace) => fs.writeFile(Buffer.concat([Buffer.from(`${ws.root}/d/`), Buffer.from([0xff])]), "x"), ["add d/\uDCFF"]],
    [
      "files that replace folders",
      async (ws: TempWorkspace) => {
        await ws.remove("d");
        await ws.plant({ d: "file" });
      },
      ["modify d", "delete d/b.txt", "delete d/e/c.txt"],
    ],
    [
      "what an ignore file decides elsewhere",
      async (ws: TempWorkspace) => {
        await ws.plant({ "d/.gitignore": "", "d/build/x": "x" });
      },
      ["add d/.gitignore", "add d/build/x"],
    ],
  ] as const) {
    it(`tells of ${what}, also a second time`, async () => {
      const { ws, cp } = await setUp();
      await cp.take();
      await work(ws);
      expect(await changed(cp)).toEqual(expected);
      await ws.plant({ "a.txt": "again", "q/1.txt": "1" });
      expect(await changed(cp)).toEqual(["modify a.txt", "add q/1.txt"]);
      await ws.plant({ "q/1.txt": "2" });
      expect(await changed(cp)).toEqual(["modify q/1.txt"]);
      await cp.take({ kind: "turn_start" });
      expect(await off(cp)).toBeUndefined();
    });
  }

  it("tells of a folder that was deleted and made again, and of what happens in the new one", async () => {
    const { ws, cp } = await setUp();
    await cp.take();
    for (let n = 0; n < 5; n++) {
      await ws.remove("d");
      await ws.plant({ "d/b.txt": `${n}` });
      await cp.take();
      await ws.plant({ "d/b.txt": `${n} again` });
      expect(await changed(cp)).toEqual(["modify d/b.txt"]);
    }
    expect(await off(cp)).toBeUndefined();
  });

  it("is walked when more was told than can be trusted", async () => {
    const { ws, cp, looks } = await setUp();
    await cp.take();
    looks();
    await ws.plant(Object.fromEntries(Array.from({ length: 4200 }, (_unused, n) => [`d/${n}`, ""])));
    const seen = await cp.taken();
    expect([seen.changesCount, seen.changes.length]).toEqual([4200, 1000]);
    expect(looks()).toContain("d/e");
  });
});

describe("when the system cannot be believed", () => {
  it("changes that were not told are found by the walk, and it is not believed any more", async () => {
    const deaf: WatchFolder = () => ({ close: () => {} });
    const { ws, cp, looks } = await setUp(deaf);
    const start = await cp.take();
    await ws.plant({ "d/b.txt": "B" });
    expect(await cp.take()).toBe(start);
    expect((await cp.taken({ kind: "turn_start" })).changes).toMatchObject([{ path: "d/b.txt" }]);
    expect(await off(cp)).toBe("changes were not told");
    looks();
    await ws.plant({ "d/b.txt": "BB" });
    expect(await changed(cp)).toEqual(["modify d/b.txt"]);
    expect(looks()).toEqual(["", "d", "d/e"]);
  });

  it("a system without watches left is walked, and every watch is given back", async () => {
    let held = 0;
    const scarce: WatchFolder = () => {
      if (held === 2) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
      held += 1;
      return {
        close: () => {
          held -= 1;
        },
      };
    };
    const { ws, cp } = await setUp(scarce);
    await cp.take();
    expect(held).toBe(0);
    expect(await off(cp)).toBe("the system cannot watch so many folders");
    await ws.plant({ "a.txt": "A" });
    expect(await changed(cp)).toEqual(["modify a.txt"]);
  });

  it("every watch is given back at closing", async () => {
    let held = 0;
    const counting: WatchFolder = (...args) => {
      held += 1;
      const watcher = watchFolder(...args);
      return {
        close() {
          held -= 1;
          watcher.close();
        },
      };
    };
    const { cp } = await setUp(counting);
    await cp.take();
    expect(held).toBe(3);
    await cp.close();
    expect(held).toBe(0);
  });

  it("without watching each look is a walk", async () => {
    const { cp, looks } = await setUp("none");
    await cp.take();
    looks();
    await cp.take();
    expect(looks()).toEqual(["", "d", "d/e"]);
    expect(await off(cp)).toBe("this system does not tell in time");
  });
});
