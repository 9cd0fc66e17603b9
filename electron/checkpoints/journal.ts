// What a roll-back is about to do, written down durably before the first file is touched (K7). From it alone an interrupted one
// can be taken back: every old file is moved aside and every new one laid beside its place under a name known here.
import { z } from "zod";
import type { Db } from "./database.ts";
import { isSameKindOfPlace, type Wish } from "./final-tree.ts";
import { ancestorsOf, depthOf, join } from "./paths.ts";
import { sumOf } from "./row-sum.ts";

const mode = z.number();
const State = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("file"), mode, hash: z.string(), size: z.number() }),
    z.object({ kind: z.literal("link"), target: z.string() }),
    z.object({ kind: z.literal("dir"), mode, partial: z.boolean() }),
    z.object({ kind: z.literal("opaque"), why: z.enum(["too_big", "dependency_folder", "unreadable", "special_file", "ignored"]), token: z.string() }),
  ])
  .optional();

const Step = z.object({
  path: z.string(),
  now: State,
  want: State,
  /** where the new content waits, workspace-relative */
  fresh: z.string().optional(),
  /** where the old file is kept until all is done */
  aside: z.string().optional(),
});
export type Step = z.infer<typeof Step>;
const Steps = z.array(Step);

/**
 * `open`: to be taken back after a crash. `done`: all was applied and recorded, only old files are left to be deleted.
 * `damaged`: what it was about to do cannot be read; the old files beside their places are left alone.
 */
export type JournalState = "open" | "done" | "damaged";
export type JournalEntry = { readonly id: string; readonly state: JournalState; readonly steps: readonly Step[] };

export interface Journal {
  unfinished(): readonly JournalEntry[];
  begin(id: string, at: number, steps: readonly Step[]): void;
  /** Inside the transaction that records what was done. */
  markDone(id: string): void;
  /** It cannot be read, and is not tried again. */
  setApart(id: string): void;
  end(id: string): void;
}

export function createJournal(db: Db): Journal {
  return {
    unfinished: () =>
      db.all("SELECT id, state, plan FROM journal WHERE state <> 'damaged' ORDER BY at").map((row): JournalEntry => {
        const steps = readSteps(row.text(2));
        if (steps === undefined) return { id: row.text(0), state: "damaged", steps: [] };
        return { id: row.text(0), state: row.text(1) === "done" ? "done" : "open", steps };
      }),
    begin: (id, at, steps) => db.transaction(() => void db.run("INSERT INTO journal VALUES(?,?,?,?)", [id, "open", at, write(steps)]), { durable: true }),
    markDone: (id) => void db.run("UPDATE journal SET state = 'done' WHERE id = ?", [id]),
    setApart: (id) => void db.run("UPDATE journal SET state = 'damaged' WHERE id = ?", [id]),
    end: (id) => void db.run("DELETE FROM journal WHERE id = ?", [id]),
  };
}

function write(steps: readonly Step[]): string {
  const text = JSON.stringify(steps);
  return `${sumOf([text])} ${text}`;
}

/** Undefined: damaged. One that an older program wrote has no sum. */
function readSteps(written: string): readonly Step[] | undefined {
  const begin = written.indexOf("[");
  const text = written.slice(begin);
  if (begin > 0 && written.slice(0, begin) !== `${sumOf([text])} `) return undefined;
  try {
    return Steps.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** `isSteady`: a folder that stands before, during and after. Names beside the files carry the id, so that leftovers are known. */
export function toSteps(id: string, wishes: readonly Wish[], isSteady: (folder: string) => boolean): readonly Step[] {
  return wishes.map((wish, n): Step => {
    const { path, now, want } = wish;
    const beside = (ending: string) => join(ancestorsOf(path).find(isSteady) ?? "", `.cairn-${id}-${n}.${ending}`);
    const isModeOnly = isSameKindOfPlace(now, want);
    const moves = (state: Wish["now"]) => !isModeOnly && (state?.kind === "file" || state?.kind === "link");
    return { path, now, want, ...(moves(want) ? { fresh: beside("new") } : {}), ...(moves(now) ? { aside: beside("old") } : {}) };
  });
}

export const deepestFirst = (a: Step, b: Step) => depthOf(b.path) - depthOf(a.path);
export const highestFirst = (a: Step, b: Step) => depthOf(a.path) - depthOf(b.path);
