// What was spent on which day, by every session of every process that works in this data folder (L11): one file a day, one JSON object
// a request. Kept apart from the sessions, so that a deleted session still counts.
import { appendFile, type FileHandle, mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { Maker } from "#shared/chat/blocks.ts";
import { freshTokens, Usage } from "#shared/chat/usage.ts";
import { SessionId } from "#shared/lib/ids.ts";
import type { Clock } from "#electron/lib/clock.ts";

/** `usd` is absent where the price of the model is not known. */
const LedgerLine = z.object({ at: z.number(), session: SessionId, by: Maker, usage: Usage, usd: z.number().nonnegative().optional() });
type LedgerLine = z.infer<typeof LedgerLine>;
export type LedgerEntry = Omit<LedgerLine, "at">;

/** US dollars and fresh tokens of today, by the clock on the wall. */
export type DaySpent = { readonly usd: number; readonly tokens: number };

export interface UsageLedger {
  /** Counted at once, written soon after; a failing disk is reported once and never stops the work. */
  add(entry: LedgerEntry): void;
  /** as far as is known here: other processes count from the next `refresh` or `add` */
  today(): DaySpent;
  /** Reads what others wrote. */
  refresh(): Promise<void>;
  flush(): Promise<void>;
}

/** What was read of the file of one day, up to the last whole line. */
type Stored = { readonly day: string; readonly spent: DaySpent; readonly bytes: number };
const NOTHING: DaySpent = { usd: 0, tokens: 0 };

export function createUsageLedger(folder: string, clock: Clock, onProblem: (message: string) => void): UsageLedger {
  let stored: Stored = { day: "", spent: NOTHING, bytes: 0 };
  let waiting: readonly LedgerLine[] = [];
  let queue: Promise<void> = Promise.resolve();
  let made: Promise<unknown> | undefined;
  let told = false;

  const inOrder = (work: () => Promise<void>): Promise<void> => {
    queue = queue.then(work).catch((error: unknown) => {
      if (!told) onProblem(`what was spent could not be written down: ${error instanceof Error ? error.message : String(error)}`);
      told = true;
    });
    return queue;
  };
  const fileOf = (day: string) => join(folder, `${day}.jsonl`);
  const reload = async (): Promise<void> => {
    const day = dayOf(clock.now());
    const known = stored.day === day ? stored : { day, spent: NOTHING, bytes: 0 };
    const fresh = wholeLines(await readFrom(fileOf(day), known.bytes));
    stored = { day, spent: plus(known.spent, sum(linesOf(fresh.toString("utf8")))), bytes: known.bytes + fresh.length };
  };
  return {
    add(entry) {
      const line: LedgerLine = { at: clock.now(), ...entry };
      waiting = [...waiting, line];
      void inOrder(async () => {
        made ??= mkdir(folder, { recursive: true });
        await made;
        // Begins with a line end, so that a line which a crash cut short does not take this one with it.
        await appendFile(fileOf(dayOf(line.at)), `\n${JSON.stringify(line)}\n`);
        // Taken off only once it can be read back: a line that could not be written goes on counting here.
        await reload();
        waiting = waiting.filter((one) => one !== line);
      });
    },
    today() {
      const day = dayOf(clock.now());
      const own = sum(waiting.filter((line) => dayOf(line.at) === day));
      return stored.day === day ? plus(stored.spent, own) : own;
    },
    refresh: () => inOrder(reload),
    flush: () => queue,
  };
}

/** The day of the person, not of Greenwich: `2026-03-01`. */
function dayOf(at: number): string {
  const date = new Date(at);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/** A torn or foreign line is skipped: one bad line must not hide the others. */
function linesOf(text: string): readonly LedgerLine[] {
  return text.split("\n").flatMap((line) => {
    if (line === "") return [];
    try {
      const parsed = LedgerLine.safeParse(JSON.parse(line));
      return parsed.success ? [parsed.data] : [];
    } catch {
      return [];
    }
  });
}

/** A line that somebody is still writing is left for the next look. */
function wholeLines(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.lastIndexOf("\n") + 1);
}

/** Only what came since, so that a long day does not cost more with every request. */
async function readFrom(file: string, start: number): Promise<Buffer> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, "r");
    const { size } = await handle.stat();
    const bytes = Buffer.alloc(Math.max(0, size - start));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
    return bytes.subarray(0, bytesRead);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return Buffer.alloc(0);
    throw error;
  } finally {
    await handle?.close();
  }
}

function sum(lines: readonly LedgerLine[]): DaySpent {
  return lines.reduce((total, line) => plus(total, { usd: line.usd ?? 0, tokens: freshTokens(line.usage) }), NOTHING);
}

function plus(a: DaySpent, b: DaySpent): DaySpent {
  return { usd: a.usd + b.usd, tokens: a.tokens + b.tokens };
}
