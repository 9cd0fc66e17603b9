// Brings index and log up to date with the folder: walks, reads only what may have changed, writes down what did and whose it
// was. Either all of it is recorded or, when something fails, nothing: a failed look is never "no changes" (D12).
import { type Author, authorOf, foldPath } from "./attribution.ts";
import type { NewChange } from "./change-log.ts";
import { nearestAbove } from "./coverage.ts";
import { codeOf } from "./error-code.ts";
import { type Entry, sameState, type State } from "./entry.ts";
import { bumpGeneration, createBreather, type StoreParts } from "./parts.ts";
import { FILE_CLOCK_SLACK_MS } from "./limits.ts";
import { ancestorsOf, isBelow, join } from "./paths.ts";
import { type IndexRow, type IndexUpdate, isUntouched } from "./tree-index.ts";
import { createWalk, type Found, type WalkDeps } from "./walk.ts";

export type ScanOptions = {
  readonly signal: AbortSignal;
  /** Nothing was protected before: what is found is the beginning, not a change. */
  readonly isFirst: boolean;
  /** when this look began, what was told included */
  readonly startedAt: number;
  /** when the look before this one began; undefined: there was none in this run */
  readonly lastLookAt: number | undefined;
  /** What the times say is not believed: everything is read. */
  readonly readAll?: boolean;
  /** Undefined: everything. */
  readonly only?: readonly string[] | undefined;
  readonly watching: WalkDeps["watching"];
  readonly onProgress?: (progress: { readonly done: number; readonly of: number }) => void;
};

/** Throws `FolderGone`, `CalledOff`, and what the store's own disk and database throw. Answers the paths that changed. */
export async function scan(parts: StoreParts, options: ScanOptions): Promise<readonly string[]> {
  const looked = await look(parts, options);
  const updates = await readAll(parts, looked.suspects, options);
  for (const path of looked.gone) updates.push({ path, row: undefined });
  parts.blobs.flush();
  if (options.isFirst) {
    commit(parts, [], updates);
    return [];
  }
  const changes = changesOf(parts, updates, options.lastLookAt);
  if (updates.length > 0 || parts.index.isDoubtful) commit(parts, changes, updates);
  parts.calls.forget(options.startedAt);
  return changes.flatMap((change) => (change.author.who === "coverage" ? [] : [change.path]));
}

type Looked = { readonly suspects: readonly Found[]; readonly gone: readonly string[] };

async function look(parts: StoreParts, options: ScanOptions): Promise<Looked> {
  const { index } = parts;
  const suspects: Found[] = [];
  const seen = new Set<string>();
  const frozen: string[] = [];
  const walk = createWalk({ ...parts, watching: options.watching, breathe: createBreather(parts.clock, options.signal) });
  const visit = (found: Found) => {
    seen.add(found.path);
    if (found.uncovered === "unreadable" && found.stat?.kind !== "file") frozen.push(found.path);
    if (isSuspect(index.get(found.path), found, options.readAll === true ? Number.POSITIVE_INFINITY : parts.slackMs)) suspects.push(found);
  };
  await (options.only === undefined ? walk.everything(visit) : walk.only(options.only, visit));
  const known = options.only === undefined ? index.paths() : options.only.flatMap((path) => [path, ...(isFolder(index.get(path)) ? index.below(path) : [])]);
  const gone: string[] = [];
  for (const path of known) {
    if (!seen.has(path) && index.get(path) !== undefined && !frozen.some((folder) => isBelow(path, folder))) gone.push(path);
  }
  return { suspects, gone };
}

const isFolder = (row: IndexRow | undefined) => row?.entry.kind === "dir";

function isSuspect(row: IndexRow | undefined, found: Found, slackMs: number): boolean {
  if (row === undefined || found.stat === undefined) return true;
  if (found.uncovered !== undefined) return !sameState(row.entry, opaque(found));
  switch (found.stat.kind) {
    case "dir":
      return row.entry.kind !== "dir" || row.entry.mode !== found.stat.mode || row.entry.partial !== found.partial || row.ino !== found.stat.ino;
    case "file":
    case "link":
      return row.entry.kind !== found.stat.kind || !isUntouched(row, found.stat, slackMs);
    case "special":
      return true;
  }
}

function opaque(found: Found): Entry {
  const isSized = found.stat?.kind === "file" && found.uncovered !== "unreadable";
  return { kind: "opaque", why: found.uncovered ?? "unreadable", token: isSized ? `${found.stat.size}:${found.stat.mtime}` : "" };
}

const FIRST_BATCH = 2000;

async function readAll(parts: StoreParts, suspects: readonly Found[], options: ScanOptions): Promise<IndexUpdate[]> {
  const breathe = createBreather(parts.clock, options.signal);
  let updates: IndexUpdate[] = [];
  let done = 0;
  for (const found of suspects) {
    await breathe();
    const update = readOne(parts, found);
    if (update !== undefined) updates.push(update);
    done += 1;
    if (done % 500 === 0) options.onProgress?.({ done, of: suspects.length });
    // the beginning of a large folder is kept piece by piece: a stop or a crash does not lose it
    if (options.isFirst && updates.length >= FIRST_BATCH) {
      parts.blobs.flush();
      commit(parts, [], updates);
      updates = [];
    }
  }
  return updates;
}

/** Undefined: it was something else when it was opened; the next look sees what. */
function readOne(parts: StoreParts, found: Found): IndexUpdate | undefined {
  const { path, stat } = found;
  const row = (entry: Entry, from = stat, checked = parts.clock.now()): IndexUpdate => ({
    path,
    row: { entry, mtime: from?.mtime ?? 0, ctime: from?.ctime ?? 0, ino: from?.ino ?? 0, checked },
  });
  if (stat === undefined || found.uncovered !== undefined) return row(opaque(found));
  try {
    switch (stat.kind) {
      case "dir":
        return row({ kind: "dir", mode: stat.mode, partial: found.partial });
      case "link":
        return row({ kind: "link", target: parts.disk.readLink(join(parts.root, path)) });
      case "file":
        return readFile(parts, found, row);
      case "special":
        return row(opaque({ ...found, uncovered: "special_file" }));
    }
  } catch (error) {
    return unread(error, found, row);
  }
}

type MakeRow = (entry: Entry, from?: Found["stat"], checked?: number) => IndexUpdate;

function readFile(parts: StoreParts, found: Found, row: MakeRow): IndexUpdate {
  const startedAt = parts.clock.now();
  const absolute = join(parts.root, found.path);
  if ((found.stat?.size ?? 0) > parts.limits.smallBlobBytes) {
    const { hash, stat, torn } = parts.blobs.addLarge(absolute);
    return row({ kind: "file", mode: stat.mode, hash, size: stat.size }, stat, torn ? 0 : startedAt);
  }
  const { bytes, stat, torn } = parts.disk.read(absolute);
  return row({ kind: "file", mode: stat.mode, hash: parts.blobs.addSmall(bytes), size: bytes.length }, stat, torn ? 0 : startedAt);
}

const UNREADABLE = new Set(["EACCES", "EPERM", "EBUSY", "EIO"]);
const VANISHED = new Set(["ENOENT", "ENOTDIR"]);
const CHANGED_KIND = new Set(["ELOOP", "EISDIR", "ENXIO", "EINVAL"]);

function unread(error: unknown, found: Found, row: MakeRow): IndexUpdate | undefined {
  const code = codeOf(error);
  if (UNREADABLE.has(code)) return row(opaque({ ...found, uncovered: "unreadable" }));
  if (VANISHED.has(code)) return { path: found.path, row: undefined };
  if (CHANGED_KIND.has(code)) return undefined;
  throw error;
}

function changesOf(parts: StoreParts, updates: readonly IndexUpdate[], lastLookAt: number | undefined): readonly NewChange[] {
  const windows = parts.calls.all();
  const moved = movedFolders(parts, updates);
  // after a crash: each call began with a look
  const lookedAt = lastLookAt ?? Math.min(...windows.map((window) => window.opened));
  const timeOf = (path: string, row: IndexUpdate["row"]) => {
    const time = changeTime(parts, row);
    // what came with its folder keeps the time of when it changed itself, before anybody was there to see it here
    const isCarried = time !== undefined && time < lookedAt - FILE_CLOCK_SLACK_MS;
    return isCarried && ancestorsOf(path).some((folder) => moved.has(folder)) ? undefined : time;
  };
  const changes: NewChange[] = [];
  for (const { path, row } of updates) {
    const before = stateBefore(parts, path);
    const after = row?.entry;
    if (sameState(before, after) || (row === undefined && isHiddenNow(parts, path, updates))) continue;
    const author: Author = isCoverageOnly(before, after)
      ? { who: "coverage" }
      : authorOf({ path: foldPath(path, parts.platform), when: timeOf(path, row) }, windows);
    changes.push({ path, before, after, author });
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Folders that stand where none, or another one, stood before. */
function movedFolders(parts: StoreParts, updates: readonly IndexUpdate[]): ReadonlySet<string> {
  const moved = updates.filter(({ path, row }) => row?.entry.kind === "dir" && parts.index.get(path)?.ino !== row.ino);
  return new Set(moved.map(({ path }) => path));
}

/** When the thing itself says it changed, where that can be compared with our clock. */
function changeTime(parts: StoreParts, row: IndexUpdate["row"]): NonNullable<IndexUpdate["row"]>["ctime"] | undefined {
  const hasTime = parts.timesAreOurs && (row?.entry.kind === "file" || row?.entry.kind === "link");
  return hasTime ? row?.ctime : undefined;
}

/** A path first seen inside something that was not protected until now may have stood there all along. */
function stateBefore(parts: StoreParts, path: string): State {
  const known = parts.index.get(path)?.entry;
  if (known !== undefined) return known;
  if (parts.index.isDoubtful) return { kind: "opaque", why: "unreadable", token: "" };
  const above = nearestAbove(path, (folder) => parts.index.get(folder)?.entry);
  if (above?.kind === "opaque") return { kind: "opaque", why: above.why, token: "" };
  return above?.kind === "dir" && above.partial ? { kind: "opaque", why: "dependency_folder", token: "" } : undefined;
}

/** What was listed as not covered inside a folder that is now not covered as a whole did not go away. */
function isHiddenNow(parts: StoreParts, path: string, updates: readonly IndexUpdate[]): boolean {
  if (parts.index.get(path)?.entry.kind !== "opaque") return false;
  return updates.some((update) => update.row?.entry.kind === "opaque" && isBelow(path, update.path));
}

const COVERAGE = new Set(["dependency_folder", "ignored", "unreadable"]);

function isCoverageOnly(before: State, after: State): boolean {
  if (before === undefined || after === undefined) return false;
  const isAbout = [before, after].some((state) => state.kind === "opaque" && COVERAGE.has(state.why));
  return isAbout && !(before.kind === "opaque" && after.kind === "opaque" && before.why === after.why);
}

function commit(parts: StoreParts, changes: readonly NewChange[], updates: readonly IndexUpdate[]): void {
  parts.db.transaction(() => {
    parts.log.append(changes, parts.clock.now());
    if (parts.index.isDoubtful) parts.index.rewrite();
    parts.index.store(updates);
    bumpGeneration(parts.db);
  });
  parts.index.remember(updates);
  parts.index.trust();
}
