// Contents by their sha256 (K3): small ones packed together and compressed in the database, large ones as files beside it,
// cloned where the file system can. Whatever is read is checked against its name; what does not match is set apart (K9).
import { createHash } from "node:crypto";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import type { Db } from "./database.ts";
import type { Disk, DiskStat } from "./disk.ts";
import type { CheckpointLimits } from "./limits.ts";

export class DamagedBlob extends Error {
  readonly hash: string;
  constructor(hash: string, why: string) {
    super(`stored content ${hash.slice(0, 12)} ${why}`);
    this.hash = hash;
  }
}

export interface Blobs {
  /** Someone else, or a collection, may have taken contents out of the store. */
  doubt(): void;
  has(hash: string): boolean;
  /** Keeps it in memory until `flush` or until enough has come together. */
  addSmall(bytes: Uint8Array): string;
  /** Of a file on disk; `torn`: it changed meanwhile, the copy is of some moment in between. */
  addLarge(path: string): { readonly hash: string; readonly stat: DiskStat; readonly torn: boolean };
  /** Everything added so far is in the store when it returns. */
  flush(): void;
  /** Throws `DamagedBlob`. */
  read(hash: string): Uint8Array;
  /** Writes the content to a new file and checks what was written. Throws `DamagedBlob`. */
  place(hash: string, path: string, mode: number): void;
  /** Large contents are not synced when they are taken; before something relies on them, they are (DESIGN L). */
  makeDurable(hash: string): void;
}

const RAW = 0;
const BROTLI = 1;
/** a packed chunk must shrink to this share to be kept compressed */
const WORTH_IT = 0.9;
const COMMIT_BYTES = 4 * 1024 * 1024;

export const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
export const hashKey = (hash: string): Buffer => Buffer.from(hash, "hex");

type Packed = {
  readonly codec: number;
  readonly raw: number;
  readonly data: Buffer;
  readonly blobs: readonly { readonly hash: string; readonly at: number; readonly size: number }[];
};

/** One compressed piece of many contents. */
export function packChunk(contents: readonly { readonly hash: string; readonly bytes: Uint8Array }[]): Packed {
  let raw = 0;
  const blobs = contents.map(({ hash, bytes }) => {
    const at = raw;
    raw += bytes.length;
    return { hash, at, size: bytes.length };
  });
  const whole = Buffer.concat(contents.map(({ bytes }) => bytes));
  const small = brotliCompressSync(whole, { params: { [constants.BROTLI_PARAM_QUALITY]: 0, [constants.BROTLI_PARAM_SIZE_HINT]: raw } });
  return small.length <= raw * WORTH_IT ? { codec: BROTLI, raw, data: small, blobs } : { codec: RAW, raw, data: whole, blobs };
}

export function insertChunk(db: Db, chunk: Packed): void {
  const { id } = db.run("INSERT INTO chunks(codec, raw, data) VALUES(?,?,?)", [chunk.codec, chunk.raw, chunk.data]);
  for (const { hash, at, size } of chunk.blobs)
    db.run("INSERT OR REPLACE INTO blobs(hash, size, chunk, at, bad) VALUES(?,?,?,?,0)", [hashKey(hash), size, id, at]);
}

export function unpackChunk(codec: number, data: Uint8Array): Uint8Array {
  return codec === BROTLI ? brotliDecompressSync(data) : data;
}

export const largePath = (folder: string, hash: string) => `${folder}/blobs/${hash.slice(0, 2)}/${hash}`;

/** `folder`: of the store; its `blobs` and `tmp` folders exist. */
export function createBlobs(deps: { readonly db: Db; readonly disk: Disk; readonly folder: string; readonly limits: CheckpointLimits }): Blobs {
  const { db, disk, folder, limits } = deps;
  let open: { readonly hash: string; readonly bytes: Uint8Array }[] = [];
  let openBytes = 0;
  let packed: Packed[] = [];
  let packedBytes = 0;
  const pending = new Set<string>();
  let temporaries = 0;
  let lastChunk: { readonly id: number; readonly bytes: Uint8Array } | undefined;

  // asking for each of the first hundred thousand contents whether it is there would take as long as storing them
  let known: Set<string> | undefined = db.one("SELECT 1 FROM blobs LIMIT 1") === undefined ? new Set() : undefined;

  const isStored = (hash: string) => known?.has(hash) ?? db.one("SELECT 1 FROM blobs WHERE hash = ? AND bad = 0", [hashKey(hash)]) !== undefined;
  const pack = () => {
    if (open.length === 0) return;
    const chunk = packChunk(open);
    packed.push(chunk);
    packedBytes += chunk.data.length;
    open = [];
    openBytes = 0;
  };
  const commit = () => {
    if (packed.length === 0) return;
    db.transaction(() => packed.forEach((chunk) => insertChunk(db, chunk)));
    for (const chunk of packed) for (const blob of chunk.blobs) known?.add(blob.hash);
    packed = [];
    packedBytes = 0;
    pending.clear();
    for (const { hash } of open) pending.add(hash);
  };
  const damaged = (hash: string, why: string): never => {
    known = undefined;
    db.run("UPDATE blobs SET bad = 1 WHERE hash = ?", [hashKey(hash)]);
    throw new DamagedBlob(hash, why);
  };
  const chunkBytes = (id: number, hash: string): Uint8Array => {
    if (lastChunk?.id === id) return lastChunk.bytes;
    const row = db.one("SELECT codec, data FROM chunks WHERE id = ?", [id]);
    if (row === undefined) return damaged(hash, "is missing");
    try {
      const bytes = unpackChunk(row.number(0), row.bytes(1));
      lastChunk = { id, bytes };
      return bytes;
    } catch {
      return damaged(hash, "cannot be unpacked");
    }
  };
  const find = (hash: string) => {
    const row = db.one("SELECT size, chunk, at, bad FROM blobs WHERE hash = ?", [hashKey(hash)]);
    if (row === undefined) throw new DamagedBlob(hash, "is missing");
    if (row.number(3) !== 0) throw new DamagedBlob(hash, "is damaged");
    return { size: row.number(0), chunk: row.isNull(1) ? undefined : row.number(1), at: row.number(2) };
  };
  const readAll = (hash: string): Uint8Array => {
    const { size, chunk, at } = find(hash);
    let bytes: Uint8Array;
    if (chunk !== undefined) bytes = chunkBytes(chunk, hash).subarray(at, at + size);
    else {
      if (disk.stat(largePath(folder, hash)) === undefined) return damaged(hash, "is missing");
      bytes = disk.read(largePath(folder, hash)).bytes;
    }
    return hashOf(bytes) === hash ? bytes : damaged(hash, "does not match its name");
  };

  return {
    doubt: () => {
      known = undefined;
    },
    has: (hash) => pending.has(hash) || isStored(hash),
    addSmall(bytes) {
      const hash = hashOf(bytes);
      if (pending.has(hash) || isStored(hash)) return hash;
      open.push({ hash, bytes });
      pending.add(hash);
      openBytes += bytes.length;
      if (openBytes >= limits.chunkBytes) pack();
      if (packedBytes >= COMMIT_BYTES) commit();
      return hash;
    },
    addLarge(path) {
      const before = disk.stat(path);
      const temporary = `${folder}/tmp/${process.pid}-${(temporaries += 1)}`;
      disk.clone(path, temporary);
      const after = disk.stat(path);
      const hash = disk.hash(temporary);
      const copy = disk.stat(temporary);
      if (after === undefined || copy === undefined) throw Object.assign(new Error("the file went away while it was copied"), { code: "ENOENT" });
      if (isStored(hash)) disk.remove(temporary);
      else {
        disk.setMode(temporary, 0o600);
        const home = largePath(folder, hash);
        if (disk.stat(`${folder}/blobs/${hash.slice(0, 2)}`) === undefined) disk.makeFolder(`${folder}/blobs/${hash.slice(0, 2)}`, 0o700);
        disk.rename(temporary, home);
        db.run("INSERT OR REPLACE INTO blobs(hash, size, chunk, at, bad) VALUES(?,?,NULL,0,0)", [hashKey(hash), copy.size]);
        known?.add(hash);
      }
      const torn = before === undefined || before.mtime !== after.mtime || before.ctime !== after.ctime || copy.size !== after.size;
      return { hash, stat: { ...after, size: copy.size }, torn };
    },
    flush() {
      pack();
      commit();
    },
    read: readAll,
    place(hash, path, mode) {
      const { chunk } = find(hash);
      if (chunk !== undefined) disk.write(path, readAll(hash), { mode: 0o600, sync: true });
      else {
        if (disk.stat(largePath(folder, hash)) === undefined) damaged(hash, "is missing");
        disk.clone(largePath(folder, hash), path);
        disk.setMode(path, 0o600);
        disk.sync(path);
      }
      if (disk.hash(path) !== hash) {
        disk.remove(path);
        damaged(hash, "does not match its name");
      }
      disk.setMode(path, mode);
    },
    makeDurable(hash) {
      const { chunk } = find(hash);
      if (chunk === undefined) disk.sync(largePath(folder, hash));
    },
  };
}
