import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DRAFT_NAME, replaceAtomically, sweepDrafts, type AtomicDisk, type DraftFile } from "./atomic-file.ts";

let dir = "";
const at = (name: string) => path.join(dir, name);
beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), "atomic-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));
const bytes = Buffer.from("new");

describe("replaceAtomically", () => {
  it("keeps the mode of the file it replaces, whatever the umask (C07)", async () => {
    await writeFile(at("run.sh"), "old");
    await chmod(at("run.sh"), 0o767);
    expect(await replaceAtomically({ file: at("run.sh"), bytes, replaced: await stat(at("run.sh")) })).toBe(true);
    expect([(await stat(at("run.sh"))).mode & 0o7777, await readFile(at("run.sh"), "utf8"), await readdir(dir)]).toEqual([0o767, "new", ["run.sh"]]);
  });

  it("gives new files 0666 less the umask", async () => {
    const umask = process.umask(0o027);
    try {
      await replaceAtomically({ file: at("fresh"), bytes, replaced: undefined });
    } finally {
      process.umask(umask);
    }
    expect((await stat(at("fresh"))).mode & 0o777).toBe(0o640);
  });

  it("leaves the old file when it is no longer wanted", async () => {
    await writeFile(at("a"), "old");
    expect(await replaceAtomically({ file: at("a"), bytes, replaced: undefined, stillWanted: async () => false })).toBe(false);
    expect([await readFile(at("a"), "utf8"), await readdir(dir)]).toEqual(["old", ["a"]]);
  });

  it.each<[keyof DraftFile | keyof AtomicDisk, string]>([
    ["create", "EACCES"],
    ["writeFile", "ENOSPC"],
    ["chmod", "EPERM"],
    ["sync", "EIO"],
    ["close", "EDQUOT"],
    ["rename", "EBUSY"],
  ])("leaves the old file whole and nothing beside it when %s fails with %s (C15)", async (step, code) => {
    await writeFile(at("a"), "old");
    const request = { file: at("a"), bytes: Buffer.alloc(100_000), replaced: await stat(at("a")) };
    await expect(replaceAtomically(request, failingAt(step, code))).rejects.toMatchObject({ code });
    expect([await readFile(at("a"), "utf8"), await readdir(dir)]).toEqual(["old", ["a"]]);
  });

  it("goes on when only the owner cannot be kept", async () => {
    await writeFile(at("a"), "old");
    expect(await replaceAtomically({ file: at("a"), bytes, replaced: await stat(at("a")) }, failingAt("chown", "EPERM"))).toBe(true);
    expect(await readFile(at("a"), "utf8")).toBe("new");
  });

  it("does not write through a link that takes the place of the draft's name", async () => {
    await writeFile(at("a"), "old");
    await symlink(at("a"), at("link"));
    await replaceAtomically({ file: at("a"), bytes, replaced: undefined });
    expect([(await lstat(at("link"))).isSymbolicLink(), await readFile(at("link"), "utf8")]).toEqual([true, "new"]);
  });
});

describe("sweepDrafts", () => {
  it("removes what dead writers left, and nothing else", async () => {
    const dead = ".cairn-999999999-0123456789ab.tmp";
    const alive = `.cairn-${process.pid}-0123456789ab.tmp`;
    for (const name of [dead, alive, ".cairn-notes.tmp", "a"]) await writeFile(at(name), "");
    expect(await sweepDrafts(dir)).toBe(1);
    expect((await readdir(dir)).sort()).toEqual([alive, ".cairn-notes.tmp", "a"].sort());
    expect([DRAFT_NAME.test(dead), DRAFT_NAME.test(".cairn-notes.tmp")]).toEqual([true, false]);
  });

  it("answers 0 for a folder that is gone", async () => {
    await mkdir(at("x"));
    await rm(at("x"), { recursive: true });
    expect(await sweepDrafts(at("x"))).toBe(0);
  });
});

/** The real disk, failing at one step; a draft that fails to be written is half there. */
function failingAt(step: string, code: string): AtomicDisk {
  const fail = async () => {
    throw Object.assign(new Error(code), { code });
  };
  const draft = (file: string): DraftFile => ({
    writeFile: async (data) => {
      await writeFile(file, data.subarray(0, data.length / 2));
      if (step === "writeFile") await fail();
      await writeFile(file, data);
    },
    chmod: step === "chmod" ? fail : async () => undefined,
    chown: step === "chown" ? fail : async () => undefined,
    sync: step === "sync" ? fail : async () => undefined,
    close: step === "close" ? fail : async () => undefined,
  });
  return {
    create: async (file) => {
      if (step === "create") await fail();
      await writeFile(file, "", { flag: "wx" });
      return draft(file);
    },
    rename: async (from, to) => {
      if (step === "rename") await fail();
      await writeFile(to, await readFile(from));
      await rm(from);
    },
    unlink: (file) => rm(file),
    syncFolder: async () => undefined,
  };
}
