// The one door to the file system of the checkpoint engine. It is synchronous on purpose: it runs in a worker thread where
// nothing else waits, and a walk through promises takes twice as long (K3). Tests wrap it to plant faults and crashes.
import { createHash } from "node:crypto";
import fs from "node:fs";
import { codeOf } from "./error-code.ts";
import { nativePath, textOfBytes } from "./paths.ts";

export type DiskStat = {
  readonly kind: "file" | "link" | "dir" | "special";
  readonly size: number;
  /** permission bits; 0 where the platform has none */
  readonly mode: number;
  readonly mtime: number;
  readonly ctime: number;
  readonly ino: number;
};
export type ReadFile = { readonly bytes: Buffer; readonly stat: DiskStat /** it changed while it was read, each time */; readonly torn: boolean };

export interface Disk {
  names(folder: string): readonly string[];
  /** Of the path itself, links are not followed; undefined when nothing is there. */
  stat(path: string): DiskStat | undefined;
  read(path: string): ReadFile;
  readLink(path: string): string;
  /** sha256, hex */
  hash(path: string): string;
  /** Shares the blocks where the file system can, copies otherwise; the target must not exist. */
  clone(from: string, to: string): void;
  /** The file must not exist. `sync`: on the platter before it returns. */
  write(path: string, bytes: Uint8Array, options: { readonly mode: number; readonly sync: boolean }): void;
  sync(path: string): void;
  link(from: string, to: string): void;
  symlink(target: string, path: string): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
  makeFolder(path: string, mode: number): void;
  removeFolder(path: string): void;
  /** With all above it; nothing when it is there. For the store's own folders. */
  ensureFolder(path: string): void;
  setMode(path: string, mode: number): void;
  /** Over a network or through a program: changes by others are not told, and times may lie. */
  isRemote(path: string): boolean;
  /** bytes that may still be written there; undefined where it cannot be known */
  freeBytes(path: string): number | undefined;
}

const READ_FLAGS = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0);
const READ_TRIES = 3;
/** statfs types: NFS, SMB, CIFS, SMB2, FUSE, 9P (virtual machines, WSL), AFS, Ceph, Coda */
const REMOTE_TYPES = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546, 0x01021997, 0x5346414f, 0x00c36400, 0x73757245]);
const COPY_BUFFER_BYTES = 1024 * 1024;
const PERMISSION_BITS = 0o7777;

export function createDisk(platform: NodeJS.Platform): Disk {
  const hasModes = platform !== "win32";
  const toStat = (stat: fs.Stats): DiskStat => ({
    kind: stat.isFile() ? "file" : stat.isDirectory() ? "dir" : stat.isSymbolicLink() ? "link" : "special",
    size: stat.size,
    mode: hasModes ? stat.mode & PERMISSION_BITS : 0,
    mtime: stat.mtimeMs,
    ctime: stat.ctimeMs,
    ino: stat.ino,
  });
  return {
    names: (folder) => listNames(folder, hasModes),
    stat(path) {
      const stat = statOrNothing(path);
      return stat === undefined ? undefined : toStat(stat);
    },
    read: (path) => withFile(path, (file) => readSteady(file, toStat)),
    readLink: (path) => textOfBytes(fs.readlinkSync(nativePath(path), { encoding: "buffer" })),
    hash: (path) => withFile(path, hashFile),
    clone: (from, to) => fs.copyFileSync(nativePath(from), nativePath(to), fs.constants.COPYFILE_FICLONE | fs.constants.COPYFILE_EXCL),
    write: (path, bytes, options) => writeNew(path, bytes, { mode: hasModes ? options.mode : undefined, sync: options.sync }),
    // Windows flushes only what is open for writing
    sync: (path) => withFile(path, (file) => fs.fsyncSync(file), hasModes ? READ_FLAGS : fs.constants.O_RDWR),
    link: (from, to) => fs.linkSync(nativePath(from), nativePath(to)),
    symlink: (target, path) => fs.symlinkSync(nativePath(target), nativePath(path)),
    rename: (from, to) => fs.renameSync(nativePath(from), nativePath(to)),
    remove: (path) => fs.unlinkSync(nativePath(path)),
    makeFolder(path, mode) {
      fs.mkdirSync(nativePath(path));
      if (hasModes) fs.chmodSync(nativePath(path), mode);
    },
    removeFolder: (path) => fs.rmdirSync(nativePath(path)),
    ensureFolder: (path) => void fs.mkdirSync(nativePath(path), { recursive: true, mode: 0o700 }),
    setMode(path, mode) {
      if (hasModes) fs.chmodSync(nativePath(path), mode);
    },
    isRemote(path) {
      try {
        return REMOTE_TYPES.has(fs.statfsSync(nativePath(path)).type);
      } catch {
        return false;
      }
    },
    freeBytes(path) {
      try {
        const stat = fs.statfsSync(nativePath(path));
        return stat.bavail * stat.bsize;
      } catch {
        return undefined;
      }
    },
  };
}

function listNames(folder: string, mayBeBytes: boolean): readonly string[] {
  const names = fs.readdirSync(nativePath(folder), { encoding: "utf8" });
  if (!mayBeBytes || !names.some((name) => name.includes("\uFFFD"))) return names;
  return fs.readdirSync(nativePath(folder), { encoding: "buffer" }).map((name) => textOfBytes(name));
}

function statOrNothing(path: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(nativePath(path), { throwIfNoEntry: false });
  } catch (error) {
    if (codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

function withFile<T>(path: string, use: (file: number) => T, flags = READ_FLAGS): T {
  const file = fs.openSync(nativePath(path), flags);
  try {
    return use(file);
  } finally {
    fs.closeSync(file);
  }
}

/** Reads until size and times were the same before and after, so that a half-written state is not taken for a whole one. */
function readSteady(file: number, toStat: (stat: fs.Stats) => DiskStat): ReadFile {
  let before = toStat(fs.fstatSync(file));
  for (let left = READ_TRIES; ; left--) {
    const bytes = readAll(file, before.size);
    const after = toStat(fs.fstatSync(file));
    const steady = bytes.length === after.size && after.mtime === before.mtime && after.ctime === before.ctime;
    if (steady || left === 1) return { bytes, stat: after, torn: !steady };
    before = after;
  }
}

function readAll(file: number, size: number): Buffer {
  const buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  while (length < buffer.length) {
    const read = fs.readSync(file, buffer, length, buffer.length - length, length);
    if (read === 0) break;
    length += read;
  }
  return buffer.subarray(0, length);
}

function hashFile(file: number): string {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(COPY_BUFFER_BYTES);
  for (let at = 0; ; ) {
    const read = fs.readSync(file, buffer, 0, buffer.length, at);
    if (read === 0) return hash.digest("hex");
    hash.update(buffer.subarray(0, read));
    at += read;
  }
}

function writeNew(path: string, bytes: Uint8Array, options: { readonly mode: number | undefined; readonly sync: boolean }): void {
  const file = fs.openSync(nativePath(path), "wx", 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += fs.writeSync(file, bytes, at);
    if (options.mode !== undefined) fs.fchmodSync(file, options.mode);
    if (options.sync) fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
}

/** One folder's own names, told at once. Linux only: elsewhere the system gathers for a while before it tells. */
export function watchFolder(absolute: string, onChange: (name: string | null) => void, onLost: () => void): { close(): void } {
  const watcher = fs.watch(nativePath(absolute), { persistent: false }, (_kind, name) => onChange(name));
  watcher.on("error", onLost);
  return watcher;
}
