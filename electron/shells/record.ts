// Which processes this app has started, on disk, so that the next start can end what a crash left behind: by mark, and by pid with
// start time, never by name (G09).
import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { Clock } from "#electron/lib/clock.ts";
import { endProcesses } from "#electron/lib/process-end.ts";
import { findKin, type ProcessInfo, type ProcessTable } from "#electron/lib/process-tree.ts";
import { replaceFile } from "#electron/lib/replace-file.ts";
import type { ProcessName } from "./contract.ts";

const Identity = z.object({ pid: z.number().int().positive(), start: z.string() });
const Entry = z.object({ owner: Identity, mark: z.string().min(8), leaders: z.array(Identity) });
type Entry = z.infer<typeof Entry>;

export interface ProcessRecord {
  /** Resolves when the mark is on disk: a command that starts after that is found by the next start, however soon we die. Never rejects. */
  ready(): Promise<void>;
  /** `pids`: the leaders that are alive; written soon, not at once. */
  update(pids: readonly number[]): void;
  /** Nothing is left: the file goes. Never rejects. */
  close(): Promise<void>;
}
export type RecordDeps = { readonly dir: string; readonly mark: string; readonly clock: Clock; readonly table: ProcessTable };

const SOON_MS = 500;
const EXTENSION = ".shells.json";

/** The file of this process in `dir`. Writing is best effort: a read-only folder costs the clean-up after a crash, nothing else. */
export function recordOf({ dir, mark, clock, table }: RecordDeps): ProcessRecord {
  const file = path.join(dir, `${process.pid}-${mark}${EXTENSION}`);
  let leaders: readonly number[] = [];
  let timer: Disposable | undefined;
  let writing = Promise.resolve();
  let closed = false;
  let first: Promise<void> | undefined;
  const save = async () => {
    const [owner, ...alive] = await Promise.all([process.pid, ...leaders].map((pid) => table.find(pid)));
    if (owner === undefined || closed) return;
    const entry: Entry = { owner: identityOf(owner), mark, leaders: alive.flatMap((one) => (one === undefined ? [] : [identityOf(one)])) };
    await replaceFile(file, JSON.stringify(entry));
  };
  const saveNow = () => {
    timer = undefined;
    writing = writing.then(save).catch(() => {});
    return writing;
  };
  return {
    ready() {
      first ??= saveNow();
      return first;
    },
    update(pids) {
      leaders = pids;
      if (!closed) timer ??= clock.schedule(SOON_MS, () => void saveNow());
    },
    async close() {
      closed = true;
      timer?.[Symbol.dispose]();
      await writing;
      await rm(file, { force: true }).catch(() => {});
    },
  };
}

/**
 * Ends what owners that are dead have left running; resolves with what was found and whether it is gone, and how many owners
 * are alive (another instance, or one that is only just dying). Never rejects.
 */
export async function endLeftovers(
  dir: string,
  deps: { readonly clock: Clock; readonly table: ProcessTable },
): Promise<{ readonly ended: readonly ProcessName[]; readonly unended: readonly ProcessName[]; readonly owned: number }> {
  const files = (await readdir(dir).catch((): string[] => [])).filter((name) => name.endsWith(EXTENSION));
  const outcomes = await Promise.all(files.map((name) => endLeftoversOf(path.join(dir, name), deps)));
  const left = new Set(outcomes.flatMap(({ unended }) => unended.map((one) => one.pid)));
  const found = outcomes.flatMap((outcome) => outcome.found);
  return {
    ended: found.filter((one) => !left.has(one.pid)).map(nameOf),
    unended: outcomes.flatMap(({ unended }) => unended.map(nameOf)),
    owned: outcomes.filter((outcome) => outcome.isOwned).length,
  };
}

async function endLeftoversOf(
  file: string,
  { clock, table }: { readonly clock: Clock; readonly table: ProcessTable },
): Promise<{ found: readonly ProcessInfo[]; unended: readonly ProcessInfo[]; isOwned: boolean }> {
  const nothing = { found: [], unended: [], isOwned: false };
  const entry = await readEntry(file);
  if (entry === undefined) {
    await rm(file, { force: true }).catch(() => {});
    return nothing;
  }
  const owner = await table.find(entry.owner.pid);
  if (owner?.start === entry.owner.start) return { ...nothing, isOwned: true };
  // A leader that is alive makes its whole group known; the mark finds the rest.
  const find = async () => {
    const kin = await Promise.all(
      [{ pid: -1 }, ...entry.leaders].map(({ pid }) => findKin(table, { leader: pid, mark: entry.mark, fresh: false, known: entry.leaders })),
    );
    return [...new Map(kin.flat().map((one) => [one.pid, one])).values()];
  };
  const found = await find();
  const unended = await endProcesses({ clock }, find);
  await rm(file, { force: true }).catch(() => {});
  return { found, unended, isOwned: false };
}

async function readEntry(file: string): Promise<Entry | undefined> {
  try {
    const parsed = Entry.safeParse(JSON.parse(await readFile(file, "utf8")));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

function identityOf({ pid, start }: ProcessInfo): z.infer<typeof Identity> {
  return { pid, start };
}

function nameOf({ pid, name }: ProcessInfo): ProcessName {
  return { pid, name };
}
