// Works out what going back would do, before anything is done (K6). A plan is kept here under its id; apply takes nothing else.
import type { PlannedFile, RollbackPreview, RollbackScope } from "#shared/checkpoints/checkpoint.ts";
import { PlanId } from "#shared/lib/ids.ts";
import { z } from "zod";
import { DamagedBlob } from "./blob-reader.ts";
import { byPath, type LogRow } from "./change-log.ts";
import { isVersionControl } from "./coverage.ts";
import type { Row } from "./database.ts";
import { sameState, type State } from "./entry.ts";
import { DamagedRecord } from "./failure.ts";
import { fitTree, type Wish } from "./final-tree.ts";
import { readGitHead } from "./git-head.ts";
import { type Incoming, sortIncoming } from "./incoming.ts";
import { revertHunks } from "./hunks.ts";
import { contentOf, countChange, foldersAbove, isWorthShowing, type Mark, shownPath } from "./marks.ts";
import { mergeStates } from "./merge.ts";
import type { StoreParts } from "./parts.ts";
import { isBelow, join } from "./paths.ts";
import type { Sorted } from "./sorted.ts";
import { type DoneRollback, effectiveRows, type Rebased, rebase, type Taking } from "./rebase.ts";
import { isIntact, valuesOf } from "./row-sum.ts";

export type PlanRequest = {
  readonly plan: string;
  readonly target: Mark;
  readonly scope: RollbackScope;
  readonly session: string;
  readonly exact: boolean;
  readonly turns: readonly string[] | undefined;
  /** workspace-relative; undefined: all */
  readonly files: readonly string[] | undefined;
  /** of these files only these hunks, whoever made them, as the diff from the target shows them */
  readonly hunks: readonly { readonly path: string; readonly hunks: readonly number[] }[];
  /** of those that are in conflict or kept: these go back all the same, the person chose so */
  readonly overwrite: readonly string[];
  /** the work of a copy that is brought over; nothing goes back then */
  readonly incoming?: readonly Incoming[];
};
export type Plan = {
  readonly request: PlanRequest;
  readonly wishes: readonly Wish[];
  readonly files: readonly PlannedFile[];
  readonly preview: RollbackPreview;
};

const FilesOfRollback = z.array(z.string()).nullable();

/** The index must be up to date. `isSound`: whether a content can be brought back; reading each is how a preview knows (K9). */
export function makePlan(parts: StoreParts, request: PlanRequest, isSound = parts.blobs.isSound): Plan {
  const sorted = sortFor(parts, request, isSound);
  const tree = fitTree(sorted.wishes, treeLooks(parts, request.target.position));
  const files = describe(parts, sorted, tree.wishes, tree.conflicts);
  const irreversible = request.scope === "conversation" || request.incoming !== undefined ? [] : irreversibles(parts, request.target, sorted.unavailable);
  const preview = { plan: PlanId.parse(request.plan), target: request.target.checkpoint.id, scope: request.scope, files: [...files], irreversible };
  return { request, wishes: tree.wishes, files, preview };
}

const NOTHING: Sorted = { wishes: [], merged: new Set(), kept: [], conflicts: [], unavailable: [] };

function sortFor(parts: StoreParts, request: PlanRequest, isSound: (hash: string) => boolean): Sorted {
  if (request.scope === "conversation") return NOTHING;
  if (request.incoming === undefined) return sortOut(parts, request, isSound);
  const picks = { isPicked: (path: string) => isPicked(path, request.files), isOverwritten: (path: string) => isAmong(path, request.overwrite) };
  return sortIncoming(parts, request.incoming, { ...picks, isSound });
}

function sortOut(parts: StoreParts, request: PlanRequest, isSound: (hash: string) => boolean): Sorted {
  const { position } = request.target;
  const rollbacks = readRollbacks(parts);
  const sorted = {
    wishes: new Array<Wish>(),
    merged: new Set<string>(),
    kept: new Array<Wish>(),
    conflicts: new Array<Wish>(),
    unavailable: new Array<Wish>(),
  };
  for (const [path, rows] of byPath(changesSince(parts, position))) {
    if (!isPicked(path, request.files) || request.hunks.some((one) => one.path === path)) continue;
    const taking: Taking = { ...request, exact: request.exact || isAmong(path, request.overwrite) };
    const result = rebaseOrLose(parts, rows, (sound) => effectiveRows(sound, rollbacks, position), taking);
    if (result.kind === "same") continue;
    const wish = { path, now: result.now, want: result.want };
    const kind = result.kind === "change" && wish.want?.kind === "file" && !isSound(wish.want.hash) ? "unavailable" : result.kind;
    sorted[PILE[kind]].push(wish);
    if (kind === "change" && isMerged(result)) sorted.merged.add(path);
  }
  addHunks(parts, request, sorted);
  parts.blobs.flush();
  return sorted;
}

/** Damage in what a file's way back needs keeps that file from going back, and no other. */
function rebaseOrLose(parts: StoreParts, rows: readonly LogRow[], effective: (rows: readonly LogRow[]) => readonly LogRow[], taking: Taking): Rebased {
  const { blobs, limits } = parts;
  const powers = { read: (hash: string) => blobs.read(hash), keep: (bytes: Uint8Array) => blobs.addSmall(bytes), maxBytes: limits.maxTextBytes };
  const lost: Rebased = { kind: "unavailable", now: parts.index.get(rows[0]?.path ?? "")?.entry, want: undefined };
  if (rows.some((row) => row.damage !== undefined)) return lost;
  return unlessDamaged(() => rebase(effective(rows), taking, (sides) => mergeStates(sides, powers))) ?? lost;
}

/** Undefined: a content that was needed is damaged; it has been set apart. */
export function unlessDamaged<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof DamagedBlob) return undefined;
    throw error;
  }
}

/** Where it cannot even be told what a damaged record is about, no file's way back is known. */
function changesSince(parts: StoreParts, position: number): readonly LogRow[] {
  const rows = parts.log.between(position, parts.log.head());
  if (rows.some((row) => row.damage === "path") || position < unknownBefore(parts)) throw new DamagedRecord();
  return rows;
}

function isMerged(result: Rebased): boolean {
  return result.kind === "change" && result.merged;
}

type Piles = { readonly wishes: Wish[]; readonly unavailable: Wish[]; readonly merged: Set<string> };

/** Files of which only some hunks go back. */
function addHunks(parts: StoreParts, request: PlanRequest, sorted: Piles): void {
  for (const { path, hunks } of request.hunks) {
    const wish = unlessDamaged(() => wishForHunks(parts, request.target, path, hunks));
    if (wish === undefined) sorted.unavailable.push({ path, now: parts.index.get(path)?.entry, want: undefined });
    else {
      sorted.wishes.push(wish);
      sorted.merged.add(path);
    }
  }
}

/** Where a path goes by what came of it. */
const PILE = { kept: "kept", conflict: "conflicts", unavailable: "unavailable", change: "wishes" } as const;

function wishForHunks(parts: StoreParts, target: Mark, path: string, hunks: readonly number[]): Wish | undefined {
  const now = parts.index.get(path)?.entry;
  const then = parts.log.stateAt(path, target.position);
  const before = then === undefined ? now : then.state;
  const model = textModel(before, now);
  if (model === undefined) return undefined;
  const bytes = revertHunks(contentOf(parts, before) ?? EMPTY, contentOf(parts, now) ?? EMPTY, hunks, parts.limits);
  if (bytes === undefined) return undefined;
  const hash = parts.blobs.addSmall(bytes);
  return { path, now, want: before === undefined && bytes.length === 0 ? undefined : { ...model, hash, size: bytes.length } };
}

/** The file whose kind and mode are kept; undefined where one of the two is no file, or neither is there. */
function textModel(before: State, now: State): Extract<State, { readonly kind: "file" }> | undefined {
  if ([before, now].some((state) => state !== undefined && state.kind !== "file")) return undefined;
  const model = now ?? before;
  return model?.kind === "file" ? model : undefined;
}

const EMPTY = new Uint8Array();

function isAmong(path: string, picked: readonly string[]): boolean {
  return picked.some((one) => one === "" || one === path || isBelow(path, one));
}

export function isPicked(path: string, files: readonly string[] | undefined): boolean {
  return files === undefined || isAmong(path, files);
}

const ROLLBACKS = "SELECT target, started, ended, files, session, sum FROM rollbacks";

const isRollbackIntact = (row: Row) => isIntact(row.value(5), valuesOf(row, 0, 5));

/** Damaged ones are left out: no plan is made from before them (`unknownBefore`). */
export function readRollbacks(parts: StoreParts): readonly DoneRollback[] {
  const intact = parts.db.all(ROLLBACKS).filter(isRollbackIntact);
  return intact.map((row) => {
    const files = FilesOfRollback.parse(JSON.parse(row.text(3))) ?? undefined;
    const session = row.isNull(4) ? {} : { session: row.text(4) };
    return { target: row.number(0), started: row.number(1), ended: row.number(2), ...session, covers: (path: string) => isPicked(path, files) };
  });
}

/** The position before which it is not known what roll-backs left behind, since the record of one is damaged; else 0. */
export function unknownBefore({ db }: StoreParts): number {
  if (db.all(ROLLBACKS).every(isRollbackIntact)) return 0;
  return db.one("SELECT MAX(id) FROM changes WHERE who = 'rollback'")?.number(0) ?? 0;
}

const NEW_FOLDER_MODE = 0o755;

function treeLooks(parts: StoreParts, position: number) {
  return {
    stateNow: (path: string) => parts.index.get(path)?.entry,
    paths: () => parts.index.paths(),
    holdsUnknown(folder: string) {
      const names = namesQuietly(parts, folder);
      return names.some((name) => isVersionControl(name) || parts.index.get(join(folder, name)) === undefined);
    },
    folderMode(path: string) {
      const then = parts.log.stateAt(path, position)?.state;
      return then?.kind === "dir" ? then.mode : NEW_FOLDER_MODE;
    },
  };
}

function namesQuietly(parts: StoreParts, folder: string): readonly string[] {
  try {
    return parts.disk.names(join(parts.root, folder));
  } catch {
    return [];
  }
}

function actionOf(wish: Wish): PlannedFile["action"] {
  const { now, want } = wish;
  if (want === undefined) return "remove";
  if (now === undefined) return "recreate";
  const isModeOnly = (now.kind === "file" && want.kind === "file" && now.hash === want.hash) || (now.kind === "dir" && want.kind === "dir");
  return isModeOnly ? "mode" : "restore";
}

function describe(parts: StoreParts, sorted: Sorted, wishes: readonly Wish[], given: readonly Wish[]): readonly PlannedFile[] {
  const until = parts.clock.monotonic() + parts.limits.diffTimeMs;
  const folders = foldersAbove([...wishes, ...sorted.kept, ...sorted.conflicts, ...given]);
  const line = (wish: Wish, action: PlannedFile["action"]): PlannedFile[] => {
    const change = { path: wish.path, before: wish.now, after: wish.want };
    if (!isWorthShowing(change, folders)) return [];
    const count = action === "unavailable" ? { added: 0, removed: 0, binary: true } : countChange(parts, change, until - parts.clock.monotonic());
    return [{ path: shownPath(change), action, ...count, ...(sorted.merged.has(wish.path) && action === "restore" ? { merged: true } : {}) }];
  };
  return [
    ...wishes.flatMap((wish) => line(wish, actionOf(wish))),
    ...sorted.kept.flatMap((wish) => line(wish, "kept")),
    ...[...sorted.conflicts, ...given].flatMap((wish) => line(wish, "conflict")),
    ...sorted.unavailable.flatMap((wish) => line(wish, "unavailable")),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function irreversibles(parts: StoreParts, target: Mark, unavailable: readonly Wish[]): RollbackPreview["irreversible"] {
  const all: RollbackPreview["irreversible"] = unavailable.map((wish) => ({ kind: "uncovered", detail: wish.path }));
  for (const { path, why } of target.checkpoint.uncovered) {
    if (why === "dependency_folder" && changedSince(parts, path, target.checkpoint.at)) all.push({ kind: "uncovered", detail: `${path}/` });
  }
  const head = readGitHead(parts.disk, parts.root);
  if (head !== target.gitHead) all.push({ kind: "git_history", detail: `${target.gitHead?.slice(0, 12) ?? "-"}..${head?.slice(0, 12) ?? "-"}` });
  return all;
}

/** A folder's own time tells only of names that came and went directly in it: enough to say that something happened there. */
function changedSince(parts: StoreParts, path: string, at: number): boolean {
  try {
    const stat = parts.disk.stat(join(parts.root, path));
    return stat !== undefined && stat.mtime > at;
  } catch {
    return false;
  }
}

/** The same effects on the same files; what is only kept may differ. */
export function isSamePlan(a: Plan, b: Plan): boolean {
  const isSameWish = (x: Wish, y: Wish | undefined) => y !== undefined && x.path === y.path && sameState(x.now, y.now) && sameState(x.want, y.want);
  return a.wishes.length === b.wishes.length && a.wishes.every((wish, at) => isSameWish(wish, b.wishes[at]));
}
