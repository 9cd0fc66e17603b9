// Carries a plan out: all of it or nothing (K7). New contents are laid beside their places and checked first, so that most of
// what can go wrong does before anything is touched; then files change places by renaming; then what stands is checked.
import type { RollbackFailure } from "#shared/checkpoints/checkpoint.ts";
import type { NewChange } from "./change-log.ts";
import type { DiskStat } from "./disk.ts";
import type { State } from "./entry.ts";
import { codeOf } from "./error-code.ts";
import { NotAsPlanned, rollbackFailure, StepFailed } from "./failure.ts";
import { isSameKindOfPlace, type Wish } from "./final-tree.ts";
import { createJournal, deepestFirst, highestFirst, type Step, toSteps } from "./journal.ts";
import { bumpGeneration, CalledOff, type StoreParts } from "./parts.ts";
import { join } from "./paths.ts";
import { revert, stands } from "./revert.ts";
import { standing } from "./standing.ts";
import { type IndexUpdate, isUntouched } from "./tree-index.ts";

export type ApplyOrder = {
  /** unique, 8 to 32 hex digits */
  readonly journal: string;
  readonly wishes: readonly Wish[];
  readonly session: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: { readonly done: number; readonly of: number }) => void;
  /** Inside the transaction that records the changes. */
  readonly record: (positions: { readonly started: number; readonly ended: number }) => void;
};

/** Undefined when it was done; a failure means that every file is as it was, unless its message says otherwise. */
export async function carryOut(parts: StoreParts, order: ApplyOrder): Promise<RollbackFailure | undefined> {
  const lacking = spaceLacking(parts, order.wishes);
  if (lacking !== undefined) return lacking;
  const moving = new Set(order.wishes.map((wish) => wish.path));
  const steps = toSteps(order.journal, order.wishes, (folder) => parts.index.get(folder)?.entry.kind === "dir" && !moving.has(folder));
  const journal = createJournal(parts.db);
  for (const { now } of steps) if (now?.kind === "file") parts.blobs.makeDurable(now.hash);
  journal.begin(order.journal, parts.clock.now(), steps);
  try {
    await stage(parts, steps, order);
    for (const step of steps) atStep(step, () => checkUntouched(parts, step));
    exchange(parts, steps);
    for (const step of steps) atStep(step, () => checkDone(parts, step));
    record(parts, steps, order);
  } catch (error) {
    const { stuck } = revert(parts, steps);
    if (stuck.length === 0) journal.end(order.journal);
    return rollbackFailure(error, stuck);
  }
  if (dropOld(parts, steps)) journal.end(order.journal);
  return undefined;
}

const SPARE_BYTES = 1024 * 1024;

function spaceLacking(parts: StoreParts, wishes: readonly Wish[]): RollbackFailure | undefined {
  const needed = wishes.reduce((sum, { now, want }) => sum + (want?.kind === "file" && !isSameKindOfPlace(now, want) ? want.size : 0), SPARE_BYTES);
  const free = parts.disk.freeBytes(parts.root);
  if (free === undefined || free >= needed) return undefined;
  return {
    kind: "disk_full",
    paths: [],
    message: `Going back needs ${needed} bytes on the disk, ${free} are free. Nothing was changed. Free some space and try again.`,
  };
}

function atStep<T>(step: Step, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new StepFailed(step.path, error);
  }
}

async function stage(parts: StoreParts, steps: readonly Step[], order: ApplyOrder): Promise<void> {
  let done = 0;
  for (const step of steps) {
    if (order.signal.aborted) throw new CalledOff("called off");
    atStep(step, () => stageOne(parts, step));
    order.onProgress({ done: (done += 1), of: steps.length });
    if (done % 20 === 0) await Promise.resolve();
  }
}

function stageOne({ blobs, disk, root }: StoreParts, { fresh, want }: Step): void {
  if (fresh === undefined) return;
  if (want?.kind === "file") blobs.place(want.hash, join(root, fresh), want.mode);
  else if (want?.kind === "link") disk.symlink(want.target, join(root, fresh));
}

/** Someone may have written since the look just before. */
function checkUntouched(parts: StoreParts, { path, now }: Step): void {
  const stat = standing(parts, path);
  const row = parts.index.get(path);
  const isThere = stat?.kind === now?.kind;
  const isSame = stat === undefined || row === undefined || stat.kind === "dir" || isUntouched({ ...row, checked: Number.POSITIVE_INFINITY }, stat, 0);
  if (!isThere || !isSame) throw new NotAsPlanned("changed meanwhile");
}

const OWNER = 0o700;

/** Only renames, folders and modes from here on; in an order in which each step finds its place free. */
function exchange({ disk, root }: StoreParts, steps: readonly Step[]): void {
  const each = (order: readonly Step[], work: (step: Step, at: string) => void) =>
    order.forEach((step) => atStep(step, () => work(step, join(root, step.path))));
  const down = [...steps].sort(highestFirst);
  const up = [...steps].sort(deepestFirst);
  each(down, ({ now, want }, at) => {
    if (now?.kind === "dir" && want?.kind === "dir") disk.setMode(at, want.mode | OWNER);
  });
  each(up, ({ now, want, aside }, at) => {
    if (aside === undefined) return;
    // a second name keeps the place filled until the new file takes it
    if (now?.kind === "file" && want?.kind === "file" && linked(disk, at, join(root, aside))) return;
    disk.rename(at, join(root, aside));
  });
  each(up, ({ now, want }, at) => {
    if (now?.kind === "dir" && want?.kind !== "dir") disk.removeFolder(at);
  });
  each(down, ({ now, want }, at) => {
    if (want?.kind === "dir" && now?.kind !== "dir") disk.makeFolder(at, OWNER);
  });
  each(down, ({ fresh }, at) => {
    if (fresh !== undefined) disk.rename(join(root, fresh), at);
  });
  each(up, ({ now, want }, at) => {
    if (want?.kind === "dir" || (want?.kind === "file" && isSameKindOfPlace(now, want))) disk.setMode(at, want.mode);
  });
}

/** Not every file system has hard links. */
function linked(disk: StoreParts["disk"], from: string, to: string): boolean {
  try {
    disk.link(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === "") throw error;
    return false;
  }
}

function checkDone(parts: StoreParts, { path, want }: Step): void {
  const stat = standing(parts, path);
  if (stat?.kind !== want?.kind || !isWritten(parts, path, want, stat)) throw new NotAsPlanned("is not as it should be after it was written");
}

function isWritten(parts: StoreParts, path: string, want: State, stat: DiskStat | undefined): boolean {
  if (want === undefined) return true;
  if ("mode" in want && stat?.mode !== want.mode) return false;
  if (want.kind === "link") return stands(parts, path, want);
  return want.kind !== "file" || stat?.size === want.size;
}

/** One transaction: the changes, what the index knows of them, and that the journal is done with. */
function record(parts: StoreParts, steps: readonly Step[], order: ApplyOrder): void {
  const updates = steps.map((step): IndexUpdate => {
    const stat = standing(parts, step.path);
    if (step.want === undefined || stat === undefined) return { path: step.path, row: undefined };
    return { path: step.path, row: { entry: step.want, mtime: stat.mtime, ctime: stat.ctime, ino: stat.ino, checked: parts.clock.now() } };
  });
  const changes = steps.map(
    (step): NewChange => ({ path: step.path, before: step.now, after: step.want, author: { who: "rollback", session: order.session } }),
  );
  parts.db.transaction(
    () => {
      const started = parts.log.head();
      parts.log.append(changes, parts.clock.now());
      parts.index.store(updates);
      order.record({ started, ended: parts.log.head() });
      createJournal(parts.db).markDone(order.journal);
      bumpGeneration(parts.db);
    },
    { durable: true },
  );
  parts.index.remember(updates);
}

/** The old files; they are in the store. False: one cannot be deleted now, the journal must stay so that the next start does. */
export function dropOld({ disk, root }: Pick<StoreParts, "disk" | "root">, steps: readonly Step[]): boolean {
  let isClean = true;
  for (const { aside } of steps) {
    if (aside === undefined) continue;
    try {
      if (disk.stat(join(root, aside)) !== undefined) disk.remove(join(root, aside));
    } catch (error) {
      if (codeOf(error) === "") throw error;
      isClean = false;
    }
  }
  return isClean;
}
