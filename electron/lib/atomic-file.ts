// Replaces a person's file as a whole (C07, C15): a reader sees the old content or the new one, never half; mode and owner stay.
// Not write-file-atomic: that writes once and takes a short write, which a nearly full disk gives, for success.
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { open, readdir, rename, unlink, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { errorCode } from "./real-path.ts";

/** Names of unfinished writes, so that scans can pass over them. */
export const DRAFT_NAME = /^\.cairn-(\d+)-[0-9a-f]{12}\.tmp$/;
const NEW_FILE_MODE = 0o666;
const MODE_BITS = 0o7777;

/** The file that is replaced, as `stat` gave it; undefined for a new file, which gets 0666 less the umask. */
export type Replaced = { readonly mode: number; readonly uid: number; readonly gid: number } | undefined;

export interface DraftFile {
  writeFile(bytes: Uint8Array): Promise<void>;
  chmod(mode: number): Promise<void>;
  chown(uid: number, gid: number): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}
/** What is needed of the disk; tests let it fail at any step. */
export interface AtomicDisk {
  create(file: string, mode: number): Promise<DraftFile>;
  rename(from: string, to: string): Promise<void>;
  unlink(file: string): Promise<void>;
  syncFolder(folder: string): Promise<void>;
}

const DISK: AtomicDisk = {
  create: (file, mode) => open(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode),
  rename,
  unlink,
  syncFolder,
};

export type ReplaceRequest = {
  /** absolute and real: a link's target, not the link */
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly replaced: Replaced;
  /** asked last before the new file takes its place; false leaves the old one (compare and swap) */
  readonly stillWanted?: () => Promise<boolean>;
};

/** Answers whether the file was replaced. Rejects with the system's error; the old file is then untouched and nothing lies beside it. */
export async function replaceAtomically(request: ReplaceRequest, disk: AtomicDisk = DISK): Promise<boolean> {
  const folder = path.dirname(request.file);
  const draft = path.join(folder, `.cairn-${process.pid}-${randomBytes(6).toString("hex")}.tmp`);
  const handle = await disk.create(draft, (request.replaced?.mode ?? NEW_FILE_MODE) & MODE_BITS);
  try {
    await fill(handle, request);
    const wanted = (await request.stillWanted?.()) ?? true;
    if (wanted) await disk.rename(draft, request.file);
    else await disk.unlink(draft);
    if (!wanted) return false;
  } catch (error) {
    await disk.unlink(draft).catch(() => undefined);
    throw error;
  }
  await disk.syncFolder(folder);
  return true;
}

async function fill(handle: DraftFile, { bytes, replaced }: ReplaceRequest): Promise<void> {
  try {
    await handle.writeFile(bytes);
    // The order matters: changing the owner clears set-user bits, which chmod then puts back.
    if (replaced !== undefined) await keepOwner(handle, replaced);
    if (replaced !== undefined) await handle.chmod(replaced.mode & MODE_BITS);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Only root may give files away; for others the file becomes theirs, as with every editor. */
async function keepOwner(handle: DraftFile, { uid, gid }: { readonly uid: number; readonly gid: number }): Promise<void> {
  await handle.chown(uid, gid).catch((error: unknown) => {
    if (!["EPERM", "EINVAL", "ENOSYS", "ENOTSUP"].includes(errorCode(error) ?? "")) throw error;
  });
}

/** Makes the new name last through a power cut, where the file system can. */
async function syncFolder(folder: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(folder, constants.O_RDONLY);
    await handle.sync();
  } catch {
    // Not every system lets folders be synced; the file itself is.
  } finally {
    await handle?.close();
  }
}

/** Removes what writers that were killed left in a folder; answers how many. Never rejects. */
export async function sweepDrafts(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const dead = names.filter((name) => {
    const pid = DRAFT_NAME.exec(name)?.[1];
    return pid !== undefined && !isAlive(Number(pid));
  });
  const gone = await Promise.all(
    dead.map((name) =>
      unlink(path.join(folder, name)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return gone.filter(Boolean).length;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}
