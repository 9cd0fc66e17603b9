import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { plainText, readPlainFile } from "./plain-file.ts";

let base = "";
const at = (name: string) => join(base, "ws", name);
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "plain-")));
  await mkdir(join(base, "ws"));
  await writeFile(join(base, "secret"), "key");
  await writeFile(at("a"), "hello");
});
afterEach(() => rm(base, { recursive: true, force: true }));
const read = (name: string, maxBytes = 100) => readPlainFile(at(name), { maxBytes, within: join(base, "ws") });

describe("reading a file that others may have planted", () => {
  it("reads a regular file up to the limit", async () => {
    expect(await read("a")).toEqual({ kind: "read", text: "hello", cut: false });
    expect(await read("a", 5)).toEqual({ kind: "read", text: "hello", cut: false });
    expect(await read("a", 3)).toEqual({ kind: "read", text: "hel", cut: true });
    expect(await plainText(at("a"), { maxBytes: 9 })).toBe("hello");
  });

  it("follows a link within the folder, never one that leads out of it", async () => {
    await symlink("a", at("inner"));
    await symlink("../secret", at("outer"));
    await symlink(base, at("up"));
    expect(await read("inner")).toMatchObject({ text: "hello" });
    expect([await read("outer"), await read("up/secret")]).toEqual([{ kind: "elsewhere" }, { kind: "elsewhere" }]);
    expect(await plainText(at("outer"), { maxBytes: 9 })).toBe("key");
  });

  it.runIf(process.platform !== "win32")("waits for nobody at a FIFO, a device, a ring of links or a folder", async () => {
    await promisify(execFile)("mkfifo", [at("fifo")]);
    await symlink("/dev/zero", at("zero"));
    await symlink("ring", at("ring"));
    await mkdir(at("folder"));
    const kinds = await Promise.all(["fifo", "folder", "none", "a/below"].map(async (name) => (await read(name)).kind));
    expect(kinds).toEqual(["not_a_file", "not_a_file", "missing", "missing"]);
    expect((await readPlainFile(at("zero"), { maxBytes: 9 })).kind).toBe("not_a_file");
    expect((await read("ring")).kind).toBe("unreadable");
  });

  it.runIf(process.getuid?.() !== 0)("says why it could not", async () => {
    await chmod(at("a"), 0);
    expect(await read("a")).toMatchObject({ kind: "unreadable" });
  });
});
