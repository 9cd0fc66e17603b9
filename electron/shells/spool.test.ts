import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSpool } from "./spool.ts";

let dir = "";
beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), "spool-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const spoolAt = (name: string, limitBytes = 1e9) => {
  const caught: number[] = [];
  const file = path.join(dir, name);
  return { file, caught, spool: createSpool({ file, limitBytes, onCaughtUp: () => void caught.push(1) }) };
};

describe("the spool", () => {
  it("holds every byte in order, whatever the chunks", async () => {
    const { file, spool } = spoolAt("deep/er/out.txt");
    const chunks = Array.from({ length: 300 }, (_, k) => randomBytes(1 + ((k * 7919) % 9_000)));
    for (const chunk of chunks) spool.write(chunk);
    await spool.close({ keep: true });
    expect((await readFile(file)).equals(Buffer.concat(chunks))).toBe(true);
    expect([spool.made, spool.whole, (await stat(file)).mode & 0o777]).toEqual([true, true, 0o600]);
  });

  it("makes no file for short output that nobody wants to keep", async () => {
    const { file, spool } = spoolAt("none.txt");
    spool.write(Buffer.from("short"));
    await spool.close({ keep: false });
    await expect(stat(file)).rejects.toThrow("ENOENT");
    expect(spool.made).toBe(false);
  });

  it("can be read from while it goes on", async () => {
    const { file, spool } = spoolAt("live.txt");
    spool.write(Buffer.from("one "));
    await spool.sync();
    const first = await readFile(file, "utf8");
    spool.write(Buffer.from("two"));
    await spool.close({ keep: true });
    expect([first, await readFile(file, "utf8")]).toEqual(["one ", "one two"]);
  });

  it("says when the reader must wait and when it may go on", async () => {
    const { spool, caught } = spoolAt("flood.txt");
    const chunk = Buffer.alloc(262_144, 1);
    let written = 0;
    while (!spool.behind && written < 100) {
      spool.write(chunk);
      written += 1;
    }
    expect([written, caught]).toEqual([16, []]);
    await spool.sync();
    expect([spool.behind, caught]).toEqual([false, [1]]);
    await spool.close({ keep: false });
  });

  it("stops at its limit and says that it is not whole", async () => {
    const { file, spool } = spoolAt("capped.txt", 10);
    for (const part of ["12345", "67890", "more"]) spool.write(Buffer.from(part));
    await spool.close({ keep: true });
    expect([await readFile(file, "utf8"), spool.whole]).toEqual(["1234567890", false]);
  });

  it("survives a place where nothing can be written", async () => {
    await writeFile(path.join(dir, "file"), "");
    const { spool, caught } = spoolAt("file/out.txt");
    for (let k = 0; k < 20; k += 1) spool.write(Buffer.alloc(262_144));
    await spool.sync();
    spool.write(Buffer.from("later"));
    await spool.close({ keep: true });
    expect([spool.made, spool.whole, spool.behind, caught]).toEqual([false, false, false, [1]]);
  });
});
