// Whose change it is, through the store, and what may be picked to go back: files, hunks, turns, other people's sides (K5, K6).
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import { CallId, CheckpointId, PlanId, SessionId, TurnId } from "#shared/lib/ids.ts";
import { createSystemClock } from "#electron/lib/clock.ts";
import { type CheckpointHarness, openCheckpoints, SESSION_A, SESSION_B } from "#electron/testkit/open-checkpoints.ts";
import { createTempWorkspace, type Planted, type TempWorkspace } from "#electron/testkit/temp-workspace.ts";
import { createRandom } from "#electron/testkit/workspace-actor.ts";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});
const NEVER = new AbortController().signal;
const clock = createSystemClock();
const call = (name: string) => CallId.parse(name);
const turn = (name: string) => TurnId.parse(name);

async function setUp(tree: Readonly<Record<string, Planted>>): Promise<{ ws: TempWorkspace; cp: CheckpointHarness }> {
  const ws = await createTempWorkspace(tree, { inMemory: true });
  const cp = await openCheckpoints(ws);
  open.push(
    () => ws.dispose(),
    () => cp.close(),
  );
  return { ws, cp };
}
const by = async (cp: CheckpointHarness) => Object.fromEntries((await cp.taken()).changes.map((change) => [change.path, change.by]));
const actions = (preview: { readonly files: readonly { readonly path: string; readonly action: string }[] }) =>
  Object.fromEntries(preview.files.map(({ path, action }) => [path, action]));

describe("a change belongs", () => {
  it("to the call that declared it, to the call that ran, or to the person", async () => {
    const { ws, cp } = await setUp({ "a.txt": "a" });
    await cp.take();
    await cp.agent(() => ws.plant({ "src/a.ts": "a", "b.txt": "b" }), { declared: [ws.at("src/a.ts")] });
    await ws.plant({ "c.txt": "c" });
    expect(await by(cp)).toEqual({ "src/a.ts": "agent", "b.txt": "during_call", "c.txt": "person" });
  });

  it("to the person when it was made while the call waited for a permission", async () => {
    const { ws, cp } = await setUp({ "a.txt": "a" });
    await cp.take({ kind: "before_call", call: call("c1") });
    await ws.plant({ "mine.txt": "m" });
    await clock.sleep(40);
    cp.store.beginCall({ session: SESSION_A, turn: turn("t"), call: call("c1"), declared: "unknown" });
    await ws.plant({ "theirs.txt": "t" });
    await cp.store.endCall(call("c1"));
    expect(await by(cp)).toEqual({ "mine.txt": "person", "theirs.txt": "during_call" });
  });

  it("to the person when it was made after the call, though both are seen in one look", async () => {
    const { ws, cp } = await setUp({ "a.txt": "a" });
    await cp.take();
    cp.store.beginCall({ session: SESSION_A, turn: turn("t"), call: call("c1"), declared: "unknown" });
    await ws.plant({ "theirs.txt": "t" });
    const ended = cp.store.endCall(call("c1"));
    const taken = cp.take();
    await ended;
    await taken;
    await clock.sleep(10);
    await ws.plant({ "mine.txt": "m" });
    expect(await by(cp)).toEqual({ "mine.txt": "person" });
  });

  it("to the call of which only the checkpoint before it is known, until the next one", async () => {
    const { ws, cp } = await setUp({ "a.txt": "a" });
    await cp.take({ kind: "before_call", call: call("c1"), turn: turn("t") });
    await ws.plant({ "theirs.txt": "t" });
    expect(await by(cp)).toEqual({ "theirs.txt": "during_call" });
    await ws.plant({ "mine.txt": "m" });
    expect(await by(cp)).toEqual({ "mine.txt": "person" });
  });

  it("to a process left running only where nobody else can have done it, and then it is kept", async () => {
    const { ws, cp } = await setUp({ "a.txt": "a" });
    const start = await cp.take();
    cp.store.beginCall({ session: SESSION_A, turn: turn("t"), call: call("server"), declared: "unknown", background: true });
    await ws.plant({ "log.txt": "l" });
    expect(await by(cp)).toEqual({ "log.txt": "background" });
    await cp.agent(() => ws.plant({ "b.txt": "b" }));
    expect(await by(cp)).toEqual({ "b.txt": "during_call" });
    await cp.store.endCall(call("server"));
    expect(actions(await cp.preview(start))).toEqual({ "b.txt": "remove", "log.txt": "kept" });
  });

  it("to neither of two sessions whose commands ran at once: it is shown as a conflict and stays", async () => {
    const { ws, cp } = await setUp({ "a.txt": "a" });
    const start = await cp.take();
    cp.store.beginCall({ session: SESSION_A, turn: turn("t"), call: call("c1"), declared: "unknown" });
    cp.store.beginCall({ session: SESSION_B, turn: turn("t"), call: call("c2"), declared: ["b.txt"] });
    await ws.plant({ "a.txt": "x", "b.txt": "b" });
    await Promise.all([cp.store.endCall(call("c1")), cp.store.endCall(call("c2"))]);
    expect(actions(await cp.preview(start))).toEqual({ "a.txt": "restore", "b.txt": "kept" });
    cp.store.beginCall({ session: SESSION_A, turn: turn("t"), call: call("c3"), declared: "unknown" });
    cp.store.beginCall({ session: SESSION_B, turn: turn("t"), call: call("c4"), declared: "unknown" });
    await ws.plant({ "both.txt": "?" });
    await Promise.all([cp.store.endCall(call("c3")), cp.store.endCall(call("c4"))]);
    expect(actions(await cp.preview(start))).toMatchObject({ "both.txt": "conflict" });
  });

  it("to the call that ran when the program died", async () => {
    const { ws, cp } = await setUp({ "a.txt": "a" });
    const start = await cp.take();
    cp.store.beginCall({ session: SESSION_A, turn: turn("t"), call: call("c1"), declared: "unknown" });
    await cp.store.list();
    await ws.plant({ "a.txt": "x" });
    await cp.close();
    const again = await openCheckpoints(ws, { facts: { platform: process.platform, home: "/home/nobody", personal: [], pid: 1 } }, { isAlive: () => false });
    expect(await by(again)).toEqual({ "a.txt": "during_call" });
    await ws.plant({ "a.txt": "y" });
    expect(await by(again)).toEqual({ "a.txt": "person" });
    expect(actions(await again.preview(start))).toEqual({ "a.txt": "conflict" });
    await again.close();
  });
});

describe("an editor that writes at random moments", () => {
  it("never loses what the person wrote, whatever is gone back to", async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const random = createRandom(seed);
      const { ws, cp } = await setUp({ "code.ts": "0\n", "notes.md": "0\n" });
      const start = await cp.take({ kind: "turn_start" });
      let written = 0;
      let stop = false;
      const editor = (async () => {
        while (!stop) {
          written += 1;
          await ws.plant({ "notes.md": `${written}\n`, [`mine/${written % 5}.txt`]: `${written}\n` });
          await clock.sleep(1 + random() * 12);
        }
      })();
      for (let n = 0; n < 4; n++) {
        await cp.agent(() => ws.plant({ "code.ts": `agent ${n}\n`, [`gen/${n}.ts`]: "x\n" }), { declared: ["code.ts", "gen"] });
        await clock.sleep(random() * 10);
      }
      // all the person did is in the store before anything is taken back
      stop = true;
      await editor;
      const before = await ws.picture();
      const done = await cp.goBack(start);
      if (!done.ok) throw new Error(done.error.message);
      expect(await ws.read("code.ts")).toBe("0\n");
      await cp.goBack(done.value.before.id, { exact: true });
      expect(await ws.picture()).toEqual(before);
      await cp.close();
    }
  });
});

describe("an editor that is a process of its own", () => {
  const EDITOR = `
    const fs = require("node:fs");
    const [root] = process.argv.slice(1);
    fs.mkdirSync(root + "/mine", { recursive: true });
    let n = 0;
    const write = () => {
      n += 1;
      // as editors save: now in place, now by a new file that takes the name
      const file = root + "/mine/notes" + (n % 3) + ".md";
      if (n % 2 === 0) fs.writeFileSync(file, String(n));
      else {
        fs.writeFileSync(file + "~", String(n));
        fs.renameSync(file + "~", file);
      }
      process.stdout.write(file + " " + n + "\\n");
      setTimeout(write, Math.random() * 8);
    };
    process.stdin.on("end", () => process.exit(0)).resume();
    write();`;

  it("loses nothing of what it wrote, also while the agent's work goes back and comes again", async () => {
    const { ws, cp } = await setUp({ "code.ts": "0\n" });
    const start = await cp.take({ kind: "turn_start" });
    const editor = spawn(process.execPath, ["-e", EDITOR, ws.root], { stdio: ["pipe", "pipe", "inherit"] });
    open.push(async () => void editor.kill("SIGKILL"));
    let said = "";
    editor.stdout.on("data", (data: Buffer) => (said += data.toString()));
    await expect.poll(() => said.length).toBeGreaterThan(0);
    for (let n = 0; n < 6; n++) {
      await cp.agent(() => ws.plant({ "code.ts": `agent ${n}\n`, [`gen/${n}.ts`]: "x\n" }), { declared: ["code.ts", "gen"] });
      const back = await cp.goBack(start);
      if (!back.ok) throw new Error(back.error.message);
      expect(await ws.read("code.ts")).toBe("0\n");
      await expect(ws.read(`gen/${n}.ts`)).rejects.toThrow("ENOENT");
    }
    const ended = once(editor, "exit");
    editor.stdin.end();
    await ended;
    const last = new Map(
      said
        .trim()
        .split("\n")
        .map((line): [string, string] => [line.split(" ")[0] ?? "", line.split(" ")[1] ?? ""]),
    );
    expect(last.size).toBe(3);
    for (const [file, text] of last) expect([file, await fs.readFile(file, "utf8")]).toEqual([file, text]);
    const changes = (await cp.taken()).changes;
    expect(changes.filter(({ path: file, by }) => file.startsWith("mine") && by === "agent")).toEqual([]);
  });
});

describe("what goes back can be picked:", () => {
  const numbered = (...changed: readonly [number, string][]) =>
    Array.from({ length: 30 }, (_unused, n) => `${changed.find(([at]) => at === n)?.[1] ?? n}\n`).join("");

  it("single files and folders, the rest can go back later", async () => {
    const { ws, cp } = await setUp({ "a.txt": "a", "d/b.txt": "b", "d/c.txt": "c" });
    const start = await cp.take();
    const old = await ws.picture();
    await cp.agent(() => ws.plant({ "a.txt": "A", "d/b.txt": "B", "d/c.txt": "C", "d/new.txt": "n" }));
    expect(await cp.goBack(start, { files: ["d/"] })).toMatchObject({ ok: true, value: { files: ["d/b.txt", "d/c.txt", "d/new.txt"] } });
    expect(await ws.read("a.txt")).toBe("A");
    expect(actions(await cp.preview(start))).toEqual({ "a.txt": "restore" });
    await cp.goBack(start);
    expect(await ws.picture()).toEqual(old);
  });

  it("single hunks, the others can go back later", async () => {
    const { ws, cp } = await setUp({ "a.txt": numbered(), "b.txt": "b\n" });
    const start = await cp.take();
    await cp.agent(() => ws.plant({ "a.txt": numbered([2, "two"], [20, "twenty"]), "b.txt": "B\n" }));
    const shown = await cp.store.diff(start, "folder", ["a.txt"]);
    expect(shown.ok && shown.value[0]?.hunks.length).toBe(2);
    const preview = await cp.preview(start, { hunks: [{ path: "a.txt", hunks: [1] }] });
    expect(preview.files).toMatchObject([{ path: "a.txt", action: "restore", added: 1, removed: 1 }]);
    expect(await cp.goBack(start, { hunks: [{ path: "a.txt", hunks: [1] }] })).toMatchObject({ ok: true, value: { files: ["a.txt"] } });
    expect(await ws.read("a.txt")).toBe(numbered([2, "two"]));
    await cp.goBack(start);
    expect([await ws.read("a.txt"), await ws.read("b.txt")]).toEqual([numbered(), "b\n"]);
  });

  it("hunks that are not there cannot go back", async () => {
    const { ws, cp } = await setUp({ "a.txt": "a\n" });
    const start = await cp.take();
    await cp.agent(() => ws.plant({ "a.txt": "b\n" }));
    expect(actions(await cp.preview(start, { hunks: [{ path: "a.txt", hunks: [4] }] }))).toEqual({ "a.txt": "unavailable" });
  });

  it("one middle turn, the later ones stay", async () => {
    const { ws, cp } = await setUp({ "a.txt": numbered(), "b.txt": "0\n" });
    const start = await cp.take({ kind: "turn_start", turn: turn("t1") });
    await cp.agent(() => ws.plant({ "a.txt": numbered([2, "t1"]), "b.txt": "1\n", "one.txt": "1\n" }), { turn: "t1" });
    await cp.agent(() => ws.plant({ "a.txt": numbered([2, "t1"], [15, "t2"]), "b.txt": "2\n", "two.txt": "2\n" }), { turn: "t2" });
    const pick = { turns: [turn("t1")] };
    expect(actions(await cp.preview(start, pick))).toEqual({ "a.txt": "restore", "b.txt": "conflict", "one.txt": "remove", "two.txt": "kept" });
    await cp.goBack(start, pick);
    expect([await ws.read("a.txt"), await ws.read("b.txt"), await ws.read("two.txt")]).toEqual([numbered([15, "t2"]), "2\n", "2\n"]);
    await cp.goBack(start);
    expect(await ws.read("a.txt")).toBe(numbered());
  });

  it("any agent's work, of whichever session", async () => {
    const { ws, cp } = await setUp({ "a.txt": "a" });
    const start = await cp.take();
    await cp.agent(() => ws.plant({ "a.ts": "a" }));
    await cp.agent(() => ws.plant({ "b.ts": "b" }), { session: SessionId.parse("another") });
    await ws.plant({ "mine.ts": "m" });
    expect(actions(await cp.preview(start, { session: "any" }))).toEqual({ "a.ts": "remove", "b.ts": "remove", "mine.ts": "kept" });
  });

  it("only the conversation, the folder stays", async () => {
    const { ws, cp } = await setUp({ "a.txt": "a" });
    const start = await cp.take();
    await cp.agent(() => ws.plant({ "a.txt": "b" }));
    expect(await cp.preview(start, { scope: "conversation" })).toMatchObject({ files: [], irreversible: [] });
    expect(await cp.goBack(start, { scope: "conversation" })).toMatchObject({ ok: true, value: { files: [] } });
    expect(await ws.read("a.txt")).toBe("b");
  });
});

describe("questions", () => {
  it("the two sides of a conflict can be read", async () => {
    const { ws, cp } = await setUp({ "a.txt": "old\n", "b.bin": "\0" });
    const start = await cp.take();
    await cp.agent(() => ws.plant({ "a.txt": "agent\n", "b.bin": "\x001" }));
    await ws.plant({ "a.txt": "person\n", "b.bin": "\x002" });
    const { plan } = await cp.preview(start);
    expect(await cp.store.threeWay(plan, "a.txt")).toEqual({ ok: true, value: { now: "person\n", target: "old\n", binary: false } });
    expect(await cp.store.threeWay(plan, "b.bin")).toEqual({ ok: true, value: { binary: true } });
    expect(await cp.store.threeWay(PlanId.parse("none"), "a.txt")).toMatchObject({ ok: false, error: { kind: "stale_plan" } });
  });

  it("two checkpoints can be compared, in both directions, and with the folder", async () => {
    const { ws, cp } = await setUp({ "a.txt": "1\n", "gone.txt": "g\n" });
    const one = await cp.take();
    await ws.plant({ "a.txt": "2\n" });
    const two = await cp.take();
    await ws.remove("gone.txt");
    const lines = async (from: CheckpointId, to: CheckpointId | "folder") => {
      const diff = await cp.store.diff(from, to);
      return diff.ok ? diff.value.map((file) => `${file.path} +${file.added} -${file.removed}`) : diff.error.kind;
    };
    expect(await lines(one, two)).toEqual(["a.txt +1 -1"]);
    expect(await lines(one, "folder")).toEqual(["a.txt +1 -1", "gone.txt +0 -1"]);
    expect(await lines(two, "folder")).toEqual(["gone.txt +0 -1"]);
    expect(await lines(CheckpointId.parse("none"), "folder")).toBe("unknown_checkpoint");
    const [forth, back] = [await cp.store.diff(one, two), await cp.store.diff(two, one)];
    expect(forth.ok && back.ok && [forth.value[0]?.hunks[0]?.lines.map((line) => line.text), back.value[0]?.hunks[0]?.lines.map((line) => line.text)]).toEqual([
      ["1", "2"],
      ["2", "1"],
    ]);
  });

  it("a preview that is gone is stale, an unknown checkpoint is said to be", async () => {
    const { cp } = await setUp({});
    expect(await cp.store.apply(PlanId.parse("none"), SESSION_A, NEVER)).toMatchObject({ ok: false, error: { kind: "stale_plan" } });
    expect(await cp.store.plan(CheckpointId.parse("none"), { scope: "files" })).toMatchObject({ ok: false, error: { kind: "unknown_checkpoint" } });
  });

  it("going back tells how far it is, and can be called off until files change places", async () => {
    const { ws, cp } = await setUp(Object.fromEntries(Array.from({ length: 30 }, (_unused, n) => [`${n}.txt`, `${n}`])));
    const start = await cp.take();
    await cp.agent(() => ws.plant(Object.fromEntries(Array.from({ length: 30 }, (_unused, n) => [`${n}.txt`, "x"]))));
    const changed = await ws.picture();
    const controller = new AbortController();
    const news: number[] = [];
    const { plan } = await cp.preview(start);
    const stopped = await cp.store.apply(plan, SESSION_A, controller.signal, ({ done }) => {
      news.push(done);
      if (done === 5) controller.abort();
    });
    expect(stopped).toMatchObject({ ok: false, error: { kind: "io" } });
    expect(news).toEqual([1, 2, 3, 4, 5]);
    expect(await ws.picture()).toEqual(changed);
    expect(await cp.goBack(start)).toMatchObject({ ok: true });
  });

  it("untouched files keep their times, and what goes back keeps its links to nothing else", async () => {
    const { ws, cp } = await setUp({ "a.txt": "a", "same.txt": "s", "d/same.txt": "s" });
    const start = await cp.take();
    await cp.agent(() => ws.plant({ "a.txt": "b" }));
    const times = async () => Promise.all(["same.txt", "d/same.txt", "d"].map(async (file) => (await fs.stat(ws.at(file))).mtimeMs));
    const before = await times();
    await cp.goBack(start);
    expect(await times()).toEqual(before);
  });
});
