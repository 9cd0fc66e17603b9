// What `cairn checkpoints` and a run say to a person who reads text.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type HeadlessFixture, headlessFixture } from "#electron/testkit/headless-run.ts";
import { startModelServer, type ModelServer } from "#electron/testkit/server/model-server.ts";
import { calls, says } from "#electron/testkit/server/script.ts";

let at: HeadlessFixture;
let server: ModelServer | undefined;
beforeEach(async () => {
  at = await headlessFixture();
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  await at.end();
});

/** A run that writes `b.txt` and says so, whether or not it may. */
async function write(...more: readonly string[]) {
  server = await startModelServer({ script: (_request, n) => (n % 2 === 0 ? calls("write", { file_path: "b.txt", content: "b\n" }) : says("Written.")) });
  return at.run(["-p", "write b", "--provider", "anthropic", "--base-url", server.url, "--model", "m", ...more]);
}
const list = async () => (await at.run(["checkpoints", "list"])).out.trim().split("\n");
const idOf = (line: string | undefined) => line?.split(" ")[0] ?? "";

describe("the checkpoints of a folder, as text", () => {
  beforeEach(async () => {
    await writeFile(join(at.cwd, "a.txt"), "a\n");
    await write("--permission-mode", "acceptEdits");
  });

  it("are listed in words, with the time where the person is", async () => {
    const [start, end] = await list();
    expect(start).toMatch(/^\S+ {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}before a turn {2}\d files? {2}write b$/);
    expect(end).toMatch(/ {2}after a turn {2}1 file {2}write b$/);
    expect((await at.run(["checkpoints", "show", idOf(end)])).out).toMatch(/after a turn[\s\S]*add {2}b\.txt/);
  });

  it("can be named by the beginning of their id, as long as only one has it", async () => {
    const [start] = await list();
    expect((await at.run(["checkpoints", "show", idOf(start).slice(0, 8)])).code).toBe(0);
    const short = await at.run(["checkpoints", "show", idOf(start).slice(0, 3)]);
    expect([short.code, short.err.includes("There is no checkpoint")]).toEqual([2, true]);
  });

  it("a going back that changes nothing says so, and leaves no point", async () => {
    const before = await list();
    const ran = await at.run(["checkpoints", "restore", idOf(before.at(-1))]);
    expect([ran.code, ran.out, await list()]).toEqual([0, "Nothing to do: the files are as they were then.\n", before]);
  });

  it("a file that nothing has is a mistake, not a success; one that was made since is not", async () => {
    const [start] = await list();
    const ran = await at.run(["checkpoints", "restore", idOf(start), "--files", "src/nope.js"]);
    expect([ran.code, ran.err]).toEqual([2, "cairn: Neither that checkpoint nor the folder has src/nope.js.\n"]);
    expect((await at.run(["checkpoints", "restore", idOf(start), "--files", "b.txt"])).out).toMatch(/^Went back: 1 file changed/);
    expect(await readdir(at.cwd)).toEqual(["a.txt"]);
  });

  it("names and prompts cannot speak to the terminal, and names with commas can be given", async () => {
    const [start] = await list();
    await writeFile(join(at.cwd, "evil\u001b[31m\u202e.txt"), "x");
    await writeFile(join(at.cwd, "c,d.txt"), "x");
    const ran = await at.run(["checkpoints", "restore", idOf(start), "--exact", "--dry-run"]);
    expect([ran.code, ran.out.includes("\u001b"), ran.out.includes("evil\\u{1b}[31m\\u{202e}.txt")]).toEqual([0, false, true]);
    expect((await at.run(["checkpoints", "restore", idOf(start), "--exact", "--files", "c\\,d.txt"])).code).toBe(0);
    expect((await readdir(at.cwd)).sort()).toEqual(["a.txt", "b.txt", "evil\u001b[31m\u202e.txt"]);
    for (const file of ["../outside", "/etc/passwd", "a.txt/../../x"]) {
      expect([file, (await at.run(["checkpoints", "restore", idOf(start), "--exact", "--files", file])).code]).toEqual([file, 2]);
    }
  });

  it("damage that the store found in itself is said on standard error, once", async () => {
    const [folder = ""] = await readdir(join(at.dataDir, "checkpoints"));
    const raw = new Database(join(at.dataDir, "checkpoints", folder, "store.db"));
    raw.prepare("INSERT OR REPLACE INTO meta VALUES('untold', ?)").run([JSON.stringify([{ kind: "damaged", paths: ["a.txt"], points: 0 }])]);
    raw.close();
    expect((await at.run(["checkpoints", "list"])).err).toMatch(/cannot be brought back: a\.txt/);
    expect((await at.run(["checkpoints", "list"])).err).toBe("");
  });

  it("undo says which way it went", async () => {
    const [start] = await list();
    await at.run(["checkpoints", "restore", idOf(start)]);
    expect((await at.run(["checkpoints", "undo"])).out).toMatch(/^Took the last going back back: 1 file changed\. .*goes back again/);
    expect(await readFile(join(at.cwd, "b.txt"), "utf8")).toBe("b\n");
  });
});

describe("what a run says on standard error", () => {
  it("names what was not permitted, also when an answer came", async () => {
    const ran = await write();
    expect([ran.code, ran.out]).toEqual([0, "Written.\n"]);
    expect(ran.err).toMatch(/not permitted: write\. Allow it with --allowedTools/);
  });

  it("says that there is no way back in a folder that is not protected", async () => {
    const home = join(at.cwd, "..", "home");
    await mkdir(join(home, "x"));
    const ran = await write("--permission-mode", "acceptEdits", "--cwd", home);
    expect([ran.code, ran.err.match(/no point to go back to here: .*home/g)?.length]).toEqual([0, 1]);
  });
});
