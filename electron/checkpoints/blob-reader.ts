// Reads stored contents and checks each against its name; what does not match is set apart and never handed out (K9).
import { hashKey, hashOf, largePath, unpackChunk } from "./blob-format.ts";
import type { Db } from "./database.ts";
import type { Disk } from "./disk.ts";
import { codeOf } from "./error-code.ts";

export class DamagedBlob extends Error {
  readonly hash: string;
  constructor(hash: string, why: string) {
    super(`stored content ${hash.slice(0, 12)} ${why}`);
    this.hash = hash;
  }
}

export interface BlobReader {
  /** Throws `DamagedBlob`. */
  read(hash: string): Uint8Array;
  /** It is there and matches its name. What is not is set apart. */
  isSound(hash: string): boolean;
  /** Writes the content to a new file and checks what was written. Throws `DamagedBlob`. */
  place(hash: string, path: string, mode: number): void;
  /** Large contents are not synced when they are taken; before something relies on them, they are (DESIGN L). */
  makeDurable(hash: string): void;
}

type ReaderDeps = {
  readonly db: Db;
  readonly disk: Disk;
  readonly folder: string;
  /** told before it throws */
  readonly onDamage: (hash: string) => void;
};

/** Where a content lies, and what lies there; whatever is wrong with it ends in `DamagedBlob`. */
function createFinder(deps: ReaderDeps) {
  const { db, disk, folder } = deps;
  let lastChunk: { readonly id: number; readonly bytes: Uint8Array } | undefined;

  const damaged = (hash: string, why: string): never => {
    deps.onDamage(hash);
    db.run("UPDATE blobs SET bad = 1 WHERE hash = ?", [hashKey(hash)]);
    throw new DamagedBlob(hash, why);
  };
  const find = (hash: string) => {
    const row = db.one("SELECT size, chunk, at, bad FROM blobs WHERE hash = ?", [hashKey(hash)]);
    if (row === undefined) {
      deps.onDamage(hash);
      throw new DamagedBlob(hash, "is missing");
    }
    if (row.number(3) !== 0) throw new DamagedBlob(hash, "is damaged");
    return { size: row.number(0), chunk: row.isNull(1) ? undefined : row.number(1), at: row.number(2) };
  };
  const chunkBytes = (id: number, hash: string): Uint8Array => {
    if (lastChunk?.id === id) return lastChunk.bytes;
    const row = db.one("SELECT codec, data FROM chunks WHERE id = ?", [id]);
    if (row === undefined) return damaged(hash, "is missing");
    try {
      lastChunk = { id, bytes: unpackChunk(row.number(0), row.bytes(1)) };
      return lastChunk.bytes;
    } catch {
      return damaged(hash, "cannot be unpacked");
    }
  };
  const largeFile = (hash: string): string => {
    const file = largePath(folder, hash);
    return disk.stat(file) === undefined ? damaged(hash, "is missing") : file;
  };
  return { damaged, find, chunkBytes, largeFile };
}

export function createBlobReader(deps: ReaderDeps): BlobReader {
  const { disk, folder } = deps;
  const { damaged, find, chunkBytes, largeFile } = createFinder(deps);
  const read = (hash: string): Uint8Array => {
    const { size, chunk, at } = find(hash);
    const bytes = chunk === undefined ? disk.read(largeFile(hash)).bytes : chunkBytes(chunk, hash).subarray(at, at + size);
    return hashOf(bytes) === hash ? bytes : damaged(hash, "does not match its name");
  };
  const isSound = (hash: string): boolean => {
    try {
      if (find(hash).chunk !== undefined) read(hash);
      // a large one is not taken into memory for this
      else if (disk.hash(largeFile(hash)) !== hash) damaged(hash, "does not match its name");
      return true;
    } catch (error) {
      if (error instanceof DamagedBlob) return false;
      if (codeOf(error) !== "EIO") throw error;
      return false;
    }
  };
  return {
    read,
    isSound,
    place(hash, path, mode) {
      if (find(hash).chunk !== undefined) disk.write(path, read(hash), { mode: 0o600, sync: true });
      else {
        disk.clone(largeFile(hash), path);
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
      if (find(hash).chunk === undefined) disk.sync(largePath(folder, hash));
    },
  };
}
