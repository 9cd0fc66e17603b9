// Contents kept, found again, and never handed out when they are not what their name says (K3, K9).
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hashOf, packChunk, unpackChunk } from "./blob-format.ts";
import { DamagedBlob } from "./blob-reader.ts";
import { type Blobs, createBlobs } from "./blobs.ts";
import { type Db, openDatabase } from "./database.ts";
import { createDisk } from "./disk.ts";
import { DEFAULT_LIMITS } from "./limits.ts";

const bytes = (text: string) => Buffer.from(text);
let folder = "";
let db: Db;
let blobs: Blobs;
const disk = createDisk(process.platform);

beforeEach(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), "cairn-blobs-"));
  await fs.mkdir(path.join(folder, "blobs"));
  await fs.mkdir(path.join(folder, "tmp"));
  db = openDatabase(path.join(folder, "store.db"));
  blobs = createBlobs({ db, disk, folder, limits: { ...DEFAULT_LIMITS, chunkBytes: 64 } });
});
afterEach(async () => {
  db.close();
  await fs.rm(folder, { recursive: true, force: true });
});
const count = (what: string) => db.one(`SELECT COUNT(*) FROM ${what}`)?.number(0);

describe("small contents", () => {
  it("are kept once, packed together, and read back before and after they are written", () => {
    const hash = blobs.addSmall(bytes("hello"));
    expect(hash).toBe(hashOf(bytes("hello")));
    expect([blobs.has(hash), blobs.has(hashOf(bytes("other")))]).toEqual([true, false]);
    expect(Buffer.from(blobs.read(hash)).toString()).toBe("hello");
    for (let n = 0; n < 40; n++) blobs.addSmall(bytes(`content ${n % 20}`));
    blobs.addSmall(bytes(""));
    blobs.flush();
    expect(count("blobs")).toBe(22);
    expect(count("chunks")).toBeLessThan(10);
    for (let n = 0; n < 20; n++) expect(Buffer.from(blobs.read(hashOf(bytes(`content ${n}`)))).toString()).toBe(`content ${n}`);
    expect(blobs.read(hashOf(bytes(""))).length).toBe(0);
  });
  it("are compressed only where it pays", () => {
    const same = packChunk([{ hash: "a", bytes: Buffer.alloc(1000, "x") }]);
    const noise = packChunk([{ hash: "a", bytes: Buffer.from(Array.from({ length: 200 }, (_unused, n) => (n * 7919 * 31) % 251)) }]);
    expect(same.data.length).toBeLessThan(100);
    expect(noise.data.length).toBeLessThanOrEqual(200);
    expect(Buffer.from(unpackChunk(same.codec, same.data)).equals(Buffer.alloc(1000, "x"))).toBe(true);
  });
  it("are asked for in the database once another writer may have been there", () => {
    const hash = blobs.addSmall(bytes("x"));
    blobs.flush();
    db.run("DELETE FROM blobs");
    expect(blobs.has(hash)).toBe(true);
    blobs.doubt();
    expect(blobs.has(hash)).toBe(false);
    blobs.addSmall(bytes("x"));
    expect(Buffer.from(blobs.read(hash)).toString()).toBe("x");
  });
});

describe("large contents", () => {
  it("are files of their own, kept once and placed again", async () => {
    const file = path.join(folder, "large");
    await fs.writeFile(file, "large content");
    const first = blobs.addLarge(file);
    const second = blobs.addLarge(file);
    expect([first.hash, first.torn, second.hash]).toEqual([hashOf(bytes("large content")), false, first.hash]);
    expect(await fs.readdir(path.join(folder, "tmp"))).toEqual([]);
    blobs.makeDurable(first.hash);
    blobs.place(first.hash, path.join(folder, "placed"), 0o640);
    expect(await fs.readFile(path.join(folder, "placed"), "utf8")).toBe("large content");
    expect((await fs.stat(path.join(folder, "placed"))).mode & 0o777).toBe(0o640);
  });
});

describe("what is not as its name says", () => {
  it("is refused, set apart, and taken in anew when it comes again", () => {
    const hash = blobs.addSmall(bytes("hello"));
    blobs.flush();
    db.run("UPDATE chunks SET codec = 0, data = ?", [bytes("jello")]);
    expect(() => blobs.read(hash)).toThrow(DamagedBlob);
    expect(blobs.has(hash)).toBe(false);
    expect(() => blobs.place(hash, path.join(folder, "placed"), 0o644)).toThrow("is damaged");
    blobs.addSmall(bytes("hello"));
    expect(Buffer.from(blobs.read(hash)).toString()).toBe("hello");
  });
  it("or is gone, is refused too", async () => {
    expect(() => blobs.read(hashOf(bytes("never")))).toThrow("is missing");
    const file = path.join(folder, "large");
    await fs.writeFile(file, "large content");
    const { hash } = blobs.addLarge(file);
    await fs.rm(path.join(folder, "blobs"), { recursive: true });
    expect(() => blobs.read(hash)).toThrow("is missing");
    expect(() => blobs.place(hash, path.join(folder, "placed"), 0o644)).toThrow(DamagedBlob);
  });
});
