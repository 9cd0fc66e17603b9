// Keeps contents by their sha256 (K3): each once, small ones packed together until enough has come, large ones as clones.
import { hashKey, hashOf, insertChunk, largePath, packChunk, type Packed } from "./blob-format.ts";
import { type BlobReader, createBlobReader } from "./blob-reader.ts";
import type { Db } from "./database.ts";
import type { Disk, DiskStat } from "./disk.ts";
import type { CheckpointLimits } from "./limits.ts";

export type LargeCopy = {
  readonly hash: string;
  readonly stat: DiskStat /** it changed meanwhile, the copy is of some moment in between */;
  readonly torn: boolean;
};

export interface Blobs extends BlobReader {
  /** Someone else, or a collection, may have taken contents out of the store. */
  doubt(): void;
  /** Found damaged or missing since this was asked last. */
  takeDamaged(): readonly string[];
  has(hash: string): boolean;
  /** Keeps it in memory until `flush` or until enough has come together. */
  addSmall(bytes: Uint8Array): string;
  /** Of a file on disk. */
  addLarge(path: string): LargeCopy;
  /** Everything added so far is in the store when it returns. */
  flush(): void;
}

type BlobDeps = { readonly db: Db; readonly disk: Disk; readonly folder: string; readonly limits: CheckpointLimits };

const COMMIT_BYTES = 4 * 1024 * 1024;

/** Which contents are in the store, without those that are still in memory. */
function createStored(db: Db) {
  // asking for each of the first hundred thousand contents whether it is there would take as long as storing them
  let known: Set<string> | undefined = db.one("SELECT 1 FROM blobs LIMIT 1") === undefined ? new Set() : undefined;
  return {
    has: (hash: string) => known?.has(hash) ?? db.one("SELECT 1 FROM blobs WHERE hash = ? AND bad = 0", [hashKey(hash)]) !== undefined,
    add: (hash: string) => {
      known?.add(hash);
    },
    doubt: () => {
      known = undefined;
    },
  };
}

/** Small contents on their way into the store. */
function createPacker({ db, limits }: BlobDeps, stored: ReturnType<typeof createStored>) {
  const pending = new Set<string>();
  let open: { readonly hash: string; readonly bytes: Uint8Array }[] = [];
  let openBytes = 0;
  let packed: Packed[] = [];
  let packedBytes = 0;
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
    for (const { hash } of packed.flatMap((chunk) => chunk.blobs)) stored.add(hash);
    packed = [];
    packedBytes = 0;
    pending.clear();
    for (const { hash } of open) pending.add(hash);
  };
  const flush = () => {
    pack();
    commit();
  };
  return {
    has: (hash: string) => pending.has(hash),
    add(hash: string, bytes: Uint8Array) {
      open.push({ hash, bytes });
      pending.add(hash);
      openBytes += bytes.length;
      if (openBytes >= limits.chunkBytes) pack();
      if (packedBytes >= COMMIT_BYTES) commit();
    },
    flush,
  };
}

/** `folder`: of the store; its `blobs` and `tmp` folders exist. */
export function createBlobs(deps: BlobDeps): Blobs {
  const stored = createStored(deps.db);
  const packer = createPacker(deps, stored);
  let copies = 0;
  const damaged = new Set<string>();
  const onDamage = (hash: string) => {
    stored.doubt();
    damaged.add(hash);
  };
  const reader = createBlobReader({ ...deps, onDamage });
  return {
    ...reader,
    read(hash) {
      if (packer.has(hash)) packer.flush();
      return reader.read(hash);
    },
    isSound(hash) {
      if (packer.has(hash)) packer.flush();
      return reader.isSound(hash);
    },
    doubt: stored.doubt,
    takeDamaged() {
      const all = [...damaged];
      damaged.clear();
      return all;
    },
    has: (hash) => packer.has(hash) || stored.has(hash),
    addSmall(bytes) {
      const hash = hashOf(bytes);
      if (!packer.has(hash) && !stored.has(hash)) packer.add(hash, bytes);
      return hash;
    },
    addLarge(path) {
      const copy = copyLarge(deps, path, `${process.pid}-${(copies += 1)}`, stored.has);
      stored.add(copy.hash);
      return copy;
    },
    flush: packer.flush,
  };
}

/** The copy is made first and hashed then, so that the name is of what is held even if the file is being written. */
function copyLarge({ db, disk, folder }: BlobDeps, path: string, name: string, isStored: (hash: string) => boolean): LargeCopy {
  const temporary = `${folder}/tmp/${name}`;
  const before = disk.stat(path);
  disk.clone(path, temporary);
  const after = disk.stat(path);
  const hash = disk.hash(temporary);
  const copy = disk.stat(temporary);
  if (before === undefined || after === undefined || copy === undefined)
    throw Object.assign(new Error("the file went away while it was copied"), { code: "ENOENT" });
  if (isStored(hash)) disk.remove(temporary);
  else {
    disk.setMode(temporary, 0o600);
    disk.ensureFolder(`${folder}/blobs/${hash.slice(0, 2)}`);
    disk.rename(temporary, largePath(folder, hash));
    db.run("INSERT OR REPLACE INTO blobs(hash, size, chunk, at, bad) VALUES(?,?,NULL,0,0)", [hashKey(hash), copy.size]);
  }
  const torn = before.mtime !== after.mtime || before.ctime !== after.ctime || copy.size !== after.size;
  return { hash, stat: { ...after, size: copy.size }, torn };
}
