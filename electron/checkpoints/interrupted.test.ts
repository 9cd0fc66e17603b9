// A roll-back that fails or dies at any point ends in the old state or the new one, never between (K7, D15).
import { renameSync } from "node:fs";
import fs from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import { createFaultyPowers, type Operation } from "#electron/testkit/faulty-powers.ts";
import { openCheckpoints, SESSION_A } from "#electron/testkit/open-checkpoints.ts";
import { createTempWorkspace, type Planted, type TempWorkspace } from "#electron/testkit/temp-workspace.ts";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const BEFORE: Readonly<Record<string, Planted>> = {
  "a.txt": "a\n",
  "b.txt": "b\n",
  "gone.txt": "gone\n",
  "tool.sh": { bytes: "#!/bin/sh\n", mode: 0o755 },
  link: { link: "a.txt" },
  "deep/er/x.txt": "x\n",
  empty: { folder: true },
  swap: { folder: true },
  "swap/inner.txt": "inner\n",
  "large.bin": "L".repeat(400 * 1024),
  "mine.txt": "1\n2\n3\n4\n5\n6\n7\n",
  // What a link leads to has the same names and contents as what stands in its place: it must not be taken for it.
  "real/a.txt": "same\n",
  "to-link/a.txt": "same\n",
  "from-link": { link: "real" },
};

async function changeEverything(ws: TempWorkspace): Promise<void> {
  await ws.remove("gone.txt", "link", "deep", "empty", "swap", "large.bin", "to-link", "from-link");
  await ws.plant({
    "a.txt": "A\n",
    "b.txt": "B\n",
    "new.txt": "new\n",
    "made/below/y.txt": "y\n",
    swap: "now a file\n",
    "to-link": { link: "real" },
    "from-link/a.txt": "same\n",
    link: "now a file too\n",
    "mine.txt": "1\ntwo\n3\n4\n5\n6\n7\n",
  });
  await fs.chmod(ws.at("tool.sh"), 0o644);
}

/** A folder that was changed by the agent and a little by the person, with the preview of going back. */
async function prepared() {
  const ws = await createTempWorkspace(BEFORE, { inMemory: true });
  open.push(() => ws.dispose());
  const faults = createFaultyPowers();
  const cp = await openCheckpoints(ws, {}, faults);
  const start = await cp.take({ kind: "turn_start" });
  await cp.agent(() => changeEverything(ws));
  await ws.plant({ "mine.txt": "1\ntwo\n3\n4\n5\n6\nseven\n", "person.txt": "p\n" });
  const plan = await cp.preview(start);
  return { ws, faults, cp, start, plan, old: await ws.picture() };
}

const NEVER = new AbortController().signal;

describe("a death in the middle of going back", () => {
  it("leaves the old state or the new one at each point where something is written, and a new start goes on", async () => {
    const whole = await prepared();
    expect(await whole.cp.store.apply(whole.plan.plan, SESSION_A, NEVER)).toMatchObject({ ok: true });
    const done = await whole.ws.picture();
    await whole.cp.close();
    expect(done["mine.txt"]).not.toBe(whole.old["mine.txt"]);

    let points = 0;
    const outcomes = new Map<string, number>();
    for (let n = 1; n < 500; n++) {
      const { ws, faults, cp, start, plan, old } = await prepared();
      faults.dieAt(n);
      points = n;
      const answer = await cp.store.apply(plan.plan, SESSION_A, NEVER);
      if (!faults.isDead) {
        expect(answer).toMatchObject({ ok: true });
        await cp.close();
        break;
      }
      await cp.close();
      const again = await openCheckpoints(ws);
      const now = await ws.picture();
      const outcome = JSON.stringify(now) === JSON.stringify(old) ? "old" : JSON.stringify(now) === JSON.stringify(done) ? "new" : "between";
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (outcome === "between") expect({ n, now }).toEqual({ n, now: old });
      expect(await again.goBack(start)).toMatchObject({ ok: true });
      expect({ n, now: await ws.picture() }).toEqual({ n, now: done });
      await again.close();
      await ws.dispose();
    }
    expect(points).toBeGreaterThan(50);
    expect([...outcomes.keys()].sort()).toEqual(["new", "old"]);
  }, 60_000);

  it("survives a second death, in the middle of taking the first one back", async () => {
    for (let n = 1; n < 60; n++) {
      const { ws, faults, cp, plan, old } = await prepared();
      // the last file touched: everything else is in its new place
      faults.dieBefore(({ name, path }) => name === "setMode" && path === ws.at("tool.sh"));
      await cp.store.apply(plan.plan, SESSION_A, NEVER);
      expect(faults.isDead).toBe(true);
      await cp.close();
      const second = createFaultyPowers();
      second.dieAt(n);
      const dying = await openCheckpoints(ws, {}, second).catch(() => undefined);
      await dying?.close();
      const third = await openCheckpoints(ws);
      expect({ n, now: await ws.picture() }).toEqual({ n, now: old });
      await third.close();
      await ws.dispose();
      if (!second.isDead) break;
    }
  }, 60_000);

  it("says at the next start that it was taken back", async () => {
    const { ws, faults, cp, plan, old } = await prepared();
    // the way on fails, and then the way back as well: what is left is a journal
    const stuck = (operation: Operation) => operation.name === "remove" || operation.name === "rename";
    let renames = 0;
    faults.failOn((operation) => stuck(operation) && (renames += 1) > 6, "EIO");
    const answer = await cp.store.apply(plan.plan, SESSION_A, NEVER);
    expect(answer).toMatchObject({ ok: false, error: { kind: "io" } });
    await cp.close();
    const again = await openCheckpoints(ws);
    expect(again.store.recovered?.kind).toBe("reverted");
    expect(await ws.picture()).toEqual(old);
    await again.close();
  });
});

describe("a file that cannot be changed", () => {
  const times = async (ws: TempWorkspace, files: readonly string[]) => Promise.all(files.map(async (file) => (await fs.stat(ws.at(file))).mtimeMs));

  for (const [what, code, kind] of [
    ["is locked", "EPERM", "locked"],
    ["is on a full disk", "ENOSPC", "disk_full"],
    ["gives an error", "EIO", "io"],
  ] as const) {
    for (const operation of ["write", "rename", "link"] as const) {
      it(`${what} at ${operation}: everything stays as it was, and the file is named`, async () => {
        const { ws, faults, cp, plan, old } = await prepared();
        const before = await times(ws, ["a.txt", "b.txt", "new.txt", "person.txt"]);
        let seen = 0;
        faults.failOn(({ name, path }) => name === operation && path.startsWith(ws.root) && (seen += 1) === 3, code);
        const count = (await cp.store.list()).length;
        const answer = await cp.store.apply(plan.plan, SESSION_A, NEVER);
        if (operation === "link") {
          // without hard links it goes on by renaming
          expect(answer).toMatchObject({ ok: true });
          return cp.close();
        }
        expect(answer).toMatchObject({ ok: false, error: { kind } });
        if (!answer.ok) expect(answer.error.paths).toHaveLength(1);
        expect(await ws.picture()).toEqual(old);
        expect(await times(ws, ["a.txt", "b.txt", "new.txt", "person.txt"])).toEqual(before);
        expect((await cp.store.list()).length).toBe(count);
        return cp.close();
      });
    }
  }
});

describe("a disk without room for what must come back", () => {
  it("is told before anything is begun", async () => {
    const { ws, faults, cp, start } = await prepared();
    await cp.close();
    const again = await openCheckpoints(ws, {}, { ...faults, disk: { ...faults.disk, freeBytes: () => 1000 } });
    const old = await ws.picture();
    const plan = await again.preview(start);
    expect(await again.store.apply(plan.plan, SESSION_A, NEVER)).toMatchObject({ ok: false, error: { kind: "disk_full" } });
    expect(await ws.picture()).toEqual(old);
    await again.close();
  });
});

describe("a folder that goes away", () => {
  it("before going back: nothing is made in its place, and the reason is told", async () => {
    const { ws, cp, plan } = await prepared();
    await fs.rename(ws.root, `${ws.root}-gone`);
    expect(await cp.store.apply(plan.plan, SESSION_A, NEVER)).toMatchObject({ ok: false, error: { kind: "folder_gone" } });
    await expect(fs.stat(ws.root)).rejects.toThrow("ENOENT");
    await cp.close();
    await fs.rename(`${ws.root}-gone`, ws.root);
  });

  it("in the middle of it: what was begun is taken back when the folder is there again", async () => {
    for (const nth of [1, 4, 9]) {
      const { ws, faults, cp, plan, old } = await prepared();
      let renames = 0;
      const away = (operation: Operation) => operation.name === "rename" && (renames += 1) === nth;
      faults.failOn((operation) => {
        // it stays away from here on; the engine meets what the system says of it
        if (away(operation)) renameSync(ws.root, `${ws.root}-gone`);
        return false;
      }, "EIO");
      const answer = await cp.store.apply(plan.plan, SESSION_A, NEVER);
      expect(answer.ok).toBe(false);
      await cp.close();
      expect(await openCheckpoints(ws).then(() => "opened", String)).toContain("is not there");
      await fs.rename(`${ws.root}-gone`, ws.root);
      const again = await openCheckpoints(ws);
      expect({ nth, now: await ws.picture() }).toEqual({ nth, now: old });
      await again.close();
      await ws.dispose();
    }
  });

  it("one inside it, where a file should come back: it is made again or the preview is stale, never half of it", async () => {
    const { ws, cp, start, plan, old } = await prepared();
    await fs.rm(ws.at("made"), { recursive: true });
    const now = await ws.picture();
    const answer = await cp.store.apply(plan.plan, SESSION_A, NEVER);
    expect(answer).toMatchObject({ ok: false, error: { kind: "stale_plan" } });
    expect(await ws.picture()).toEqual(now);
    expect(Object.keys(old)).toContain("made/below/y.txt");
    expect(await cp.goBack(start)).toMatchObject({ ok: true });
    expect(await ws.read("deep/er/x.txt")).toBe("x\n");
    await cp.close();
  });
});

describe("what someone wrote between the death and the next start", () => {
  it("stays, and everything else is as before", async () => {
    const { ws, faults, cp, plan, old } = await prepared();
    faults.dieBefore(({ name, path }) => name === "setMode" && path === ws.at("tool.sh"));
    await cp.store.apply(plan.plan, SESSION_A, NEVER);
    await cp.close();
    await ws.remove("swap", "b.txt");
    await ws.plant({ "a.txt": "someone's\n", "swap/theirs.txt": "t\n", "b.txt/x.txt": "x\n", "deep/theirs.txt": "t\n", "gone.txt": "g\n" });
    const again = await openCheckpoints(ws);
    expect(again.store.recovered?.kind).toBe("reverted");
    const now = await ws.picture();
    const mine = ["a.txt", "b.txt", "b.txt/x.txt", "swap", "swap/theirs.txt", "deep", "deep/theirs.txt", "gone.txt"];
    const rest = (picture: Readonly<Record<string, string>>) => Object.fromEntries(Object.entries(picture).filter(([file]) => !mine.includes(file)));
    expect(rest(now)).toEqual(rest(old));
    expect([await ws.read("a.txt"), await ws.read("swap/theirs.txt"), await ws.read("b.txt/x.txt"), await ws.read("gone.txt")]).toEqual([
      "someone's\n",
      "t\n",
      "x\n",
      "g\n",
    ]);
    await again.close();
  });
});

describe("a folder that changed since the preview", () => {
  it("makes the preview stale when it changes what would be done", async () => {
    const { ws, cp, plan } = await prepared();
    await ws.plant({ "a.txt": "changed again\n" });
    const old = await ws.picture();
    expect(await cp.store.apply(plan.plan, SESSION_A, NEVER)).toMatchObject({ ok: false, error: { kind: "stale_plan" } });
    expect(await ws.picture()).toEqual(old);
    await cp.close();
  });
  it("does not when the person made something that stays anyway", async () => {
    const { ws, cp, plan } = await prepared();
    await ws.plant({ "unrelated.txt": "x\n" });
    expect(await cp.store.apply(plan.plan, SESSION_A, NEVER)).toMatchObject({ ok: true });
    expect(await ws.read("unrelated.txt")).toBe("x\n");
    await cp.close();
  });
});
