// Every tool with every kind of bad input: one clear failure with a next step, quickly, and nothing left behind.
import { execFile } from "node:child_process";
import { chmod, lstat, mkdir, open, readdir, readFile, readlink, rename, rm, symlink, unlink } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AllTools, openAllTools } from "#electron/testkit/all-tools.ts";
import { headlessFixture } from "#electron/testkit/headless-run.ts";
import { startModelServer } from "#electron/testkit/server/model-server.ts";
import { says } from "#electron/testkit/server/script.ts";
import { isRecord, jsonSchemaOf } from "#electron/tools/schema.ts";
import type { AtomicDisk } from "#electron/lib/atomic-file.ts";

const HUGE = "x".repeat(10_000_000);
const QUICK_MS = 4_000;
const MAX_ANSWER_CHARS = 4_000;
const NOTEBOOK = JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells: [{ cell_type: "code", source: "1", metadata: {}, outputs: [] }] });

/** A valid input of every tool, all text fields given; the files of the folder are those that `beforeEach` puts there. */
const VALID: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  read: { file_path: "a.txt" },
  write: { file_path: "a.txt", content: "two\n" },
  edit: { file_path: "a.txt", old_string: "one", new_string: "two" },
  ls: { path: "sub" },
  glob: { pattern: "*.txt", path: "sub" },
  grep: { pattern: "one", path: "sub", glob: "*.txt" },
  bash: { command: "true", description: "Nothing" },
  bash_output: { id: "shell_1" },
  bash_input: { id: "shell_1", text: "y\n" },
  bash_kill: { id: "shell_1" },
  ask_user: { questions: [{ question: "Which?", header: "Way", options: [{ label: "a" }, { label: "b" }] }] },
  plan_exit: { plan: "1. Look" },
  todo_write: { todos: [{ content: "x", status: "pending" }] },
  web_fetch: { url: "https://example.com/" },
  task: { description: "look", prompt: "Look." },
  hypothesis: { action: "register", claim: "a", falsifier: "b" },
  goal: { state: "met", evidence: "seen" },
  notebook_edit: { file_path: "n.ipynb", cell: 1, new_source: "2" },
};
const NAMES = Object.keys(VALID);
const NAMING_A_FILE = ["read", "write", "edit", "notebook_edit"];
const CHANGING = ["write", "edit", "notebook_edit"];
const SEARCHING = ["ls", "glob", "grep"];
const valid = (name: string) => VALID[name] ?? {};
const fieldOf = (name: string) => (NAMING_A_FILE.includes(name) ? "file_path" : "path");
const at = (name: string, place: string) => ({ ...valid(name), [fieldOf(name)]: place });

/** What a model can do next is said in words like these. */
const NEXT_STEP =
  /\b(Mend|Call|Read|Find|List|Look|Did you mean|Choose|Write|Check|Use|Change|Try|Free|Give|Send|Start|Tell|tell|Run|leave out|Make|Scale|Begin|Register|ask|Only they can)\b/;

let all: AllTools;
beforeEach(async () => {
  all = await openAllTools();
  await mkdir(path.join(all.box.dir, "sub"));
  await Promise.all([all.box.put("a.txt", "one\n"), all.box.put("sub/b.txt", "one\n"), all.box.put("n.ipynb", NOTEBOOK)]);
  for (const file of ["a.txt", "n.ipynb"]) await all.call("read", { file_path: file });
});
afterEach(() => all.close());

/** Names, modes and contents of everything in the folder. */
async function treeOf(folder: string): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const entry of await readdir(folder, { recursive: true })) {
    const file = path.join(folder, entry);
    const stats = await lstat(file);
    const content = stats.isFile() ? await readFile(file, "base64").catch(() => "unreadable") : stats.isSymbolicLink() ? await readlink(file) : "";
    lines.push(`${entry} ${stats.mode} ${content}`);
  }
  return lines.sort();
}

async function expectClear(name: string, input: unknown, message: RegExp = NEXT_STEP, between?: () => Promise<void>): Promise<void> {
  const { dir } = all.box;
  const before = between === undefined ? await treeOf(dir) : undefined;
  const { outcome, text, ms } = await all.call(name, input, between);
  const failure = outcome.status === "failed" ? outcome.failure.kind : "ok";
  expect.soft(["invalid_input", "not_found", "tool_error"], text.slice(0, 300)).toContain(failure);
  expect.soft(text.length).toBeLessThan(MAX_ANSWER_CHARS);
  expect.soft(text).toMatch(message);
  expect.soft(text).toMatch(NEXT_STEP);
  expect.soft(ms).toBeLessThan(QUICK_MS);
  if (before !== undefined) expect.soft(await treeOf(dir)).toEqual(before);
}

it("the table holds every tool that a model is sent", async () => {
  const fixture = await headlessFixture();
  const server = await startModelServer({ script: [says("hi")] });
  await fixture.run(["-p", "x", "--provider", "anthropic", "--base-url", server.url, "--model", "m"], { env: { ANTHROPIC_API_KEY: "sk-ant-test-0123456789" } });
  const body = server.requests[0]?.body;
  const sent = isRecord(body) && Array.isArray(body["tools"]) ? body["tools"].map((tool: unknown) => (isRecord(tool) ? tool["name"] : undefined)) : [];
  await server.close();
  await fixture.end();
  expect(sent.length).toBeGreaterThan(10);
  expect(
    sent.filter((name) => typeof name !== "string" || !NAMES.includes(name)),
    "add these tools to VALID here and to testkit/all-tools.ts",
  ).toEqual([]);
  expect(all.tools.map((tool) => tool.name).sort()).toEqual([...NAMES].sort());
});

describe.each(NAMES)("%s", (name) => {
  const fields = (): Readonly<Record<string, unknown>> => {
    const tool = all.tools.find((one) => one.name === name);
    const schema = tool === undefined ? {} : jsonSchemaOf(tool.input);
    return isRecord(schema["properties"]) ? schema["properties"] : {};
  };
  const textFields = () => Object.keys(valid(name)).filter((field) => typeof valid(name)[field] === "string");

  it("with values of wrong types", async () => {
    for (const field of Object.keys(fields())) {
      for (const value of [{ a: [1] }, [[1]], -1.5]) await expectClear(name, { ...valid(name), [field]: value });
    }
    for (const whole of ["text", 7, null, ["a"]]) await expectClear(name, whole);
    await expectClear(name, { ...valid(name), no_such_field: 1 }, /unknown field: "no_such_field"/);
  });

  it("with 10 MB in each text field", async () => {
    // A file of 10 MB may be written.
    const refused = textFields().filter((field) => !(CHANGING.includes(name) && /content|new_/.test(field)));
    for (const field of refused) await expectClear(name, { ...valid(name), [field]: HUGE });
  });

  it("with a NUL in each text field", async () => {
    for (const field of textFields()) await expectClear(name, { ...valid(name), [field]: `${String(valid(name)[field])}\0` });
  });
});

describe("places that cannot be used", () => {
  beforeEach(async () => {
    await promisify(execFile)("mkfifo", [path.join(all.box.dir, "pipe")]);
    await symlink("ring", path.join(all.box.dir, "ring"));
  });

  const PLACES: readonly (readonly [name: string, place: string, message: RegExp])[] = [...NAMING_A_FILE, ...SEARCHING].flatMap((name) => [
    [name, "a.txt/below", /part of the path is a file|does not exist/],
    [name, "/dev/zero", /device/],
    [name, "pipe", /pipe/],
    [name, "ring", /ring/],
    [name, `${"n".repeat(300)}/x`, /too long|does not exist/],
  ]);
  const KINDS: typeof PLACES = [
    ...NAMING_A_FILE.map((name) => [name, "sub", /folder/] as const),
    ...["ls", "glob"].map((name) => [name, "a.txt", /a file, not a folder/] as const),
    ...[...NAMING_A_FILE, ...SEARCHING].filter((name) => name !== "write").map((name) => [name, "missing.txt", /does not exist/] as const),
  ];
  it.each([...PLACES, ...KINDS])("%s at %s", async (name, place, message) => {
    await expectClear(name, at(name, place), message);
  });

  it.each(["read", "write", "edit", "notebook_edit", ...SEARCHING])("%s in a folder that vanished after the question", async (name) => {
    const file = NAMING_A_FILE.includes(name);
    if (file) {
      await all.box.put("gone/n.ipynb", NOTEBOOK);
      await all.call("read", { file_path: "gone/n.ipynb" });
    } else await all.box.put("gone/b.txt", "one\n");
    const away = () => rm(path.join(all.box.dir, "gone"), { recursive: true });
    const input = { ...at(name, file ? "gone/n.ipynb" : "gone"), ...(name === "edit" ? { old_string: '"nbformat":4', new_string: "x" } : {}) };
    // A file may be written anew where its folder was.
    if (name === "write") expect((await all.call(name, input, away)).outcome.status).toBe("ok");
    else await expectClear(name, input, /does not exist/, away);
  });

  it.each(["ls", "glob", "grep", "bash"])("%s when the workspace itself is gone", async (name) => {
    const { path: _path, ...input } = valid(name);
    await expectClear(name, input, /does not exist|is not there|no longer/, () => rename(all.box.dir, `${all.box.dir}-moved`));
    await rename(`${all.box.dir}-moved`, all.box.dir).catch(() => undefined);
  });
});

describe("without permission", () => {
  const root = process.getuid?.() === 0;
  const nobody = 65_534;
  // Root may do everything, so the calls are made as somebody else.
  beforeEach(async () => {
    await Promise.all([all.box.put("locked/a.txt", "one\n"), all.box.put("locked/n.ipynb", NOTEBOOK)]);
    for (const file of ["locked/a.txt", "locked/n.ipynb"]) await all.call("read", { file_path: file });
    await Promise.all([path.dirname(all.box.dir), all.box.dir, path.join(all.box.dir, "locked")].map((folder) => chmod(folder, 0o755)));
    await Promise.all(["a.txt", "n.ipynb"].map((file) => chmod(path.join(all.box.dir, "locked", file), root ? 0o644 : 0o444)));
    if (!root) await chmod(path.join(all.box.dir, "locked"), 0o555);
  });
  afterEach(() => chmod(path.join(all.box.dir, "locked"), 0o755));

  async function asNobody(act: () => Promise<void>): Promise<void> {
    if (root) process.seteuid?.(nobody);
    await act().finally(() => root && process.seteuid?.(0));
  }

  it.each(CHANGING)("%s", async (name) => {
    const file = name === "notebook_edit" ? "locked/n.ipynb" : "locked/a.txt";
    await asNobody(() => expectClear(name, at(name, file), /EACCES/));
  });

  it.each([...SEARCHING, "read"])("%s", async (name) => {
    await chmod(path.join(all.box.dir, "locked"), 0);
    const place = name === "read" ? "locked/a.txt" : "locked";
    const { outcome, text } = await (async () => {
      let ran: Awaited<ReturnType<AllTools["call"]>> | undefined;
      await asNobody(async () => void (ran = await all.call(name, at(name, place))));
      if (ran === undefined) throw new Error("not run");
      return ran;
    })();
    expect([outcome.status, text]).toEqual(["failed", expect.stringMatching(/EACCES|permission/i)]);
    expect(text).toMatch(NEXT_STEP);
  });
});

describe("on a full disk", () => {
  const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  const made: string[] = [];
  /** Takes the draft's first bytes, then no more. */
  const FULL: AtomicDisk = {
    async create(file, mode) {
      made.push(file);
      const handle = await open(file, "wx", mode);
      const writeFile = async () => {
        await handle.write("x");
        throw full;
      };
      return { writeFile, chmod: async () => {}, chown: async () => {}, sync: async () => {}, close: () => handle.close() };
    },
    rename,
    unlink,
    syncFolder: async () => {},
  };
  it.each(CHANGING)("%s", async (name) => {
    await all.close();
    all = await openAllTools({ disk: FULL });
    await Promise.all([all.box.put("a.txt", "one\n"), all.box.put("n.ipynb", NOTEBOOK)]);
    for (const file of ["a.txt", "n.ipynb"]) await all.call("read", { file_path: file });
    made.length = 0;
    await expectClear(name, valid(name), /disk is full.*\(ENOSPC\).*Free some space/);
    expect(made.length).toBe(1);
  });
});
