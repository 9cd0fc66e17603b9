// The append-only log of one session: one JSON event a line (S1). A torn tail is set aside, never thrown away;
// a damaged line in the middle is skipped and counted, everything after it is kept (E01, E03).
import { appendFile, type FileHandle, mkdir, open, readFile, truncate } from "node:fs/promises";
import { dirname } from "node:path";
import type { SessionEvent } from "#shared/events/durable.ts";
import { StoredEvent } from "#shared/events/durable.ts";
import { Seq } from "#shared/lib/ids.ts";
import { wellFormed } from "#shared/lib/text.ts";
import type { Clock } from "#electron/lib/clock.ts";
import type { SessionLog } from "./contract.ts";

/** What was wrong when the log was opened. `unknown`: events of a newer kind, kept in the file and not shown. */
export type LogDamage = { readonly tornBytes: number; readonly badLines: number; readonly unknown: number };

const LINE = 10;
const ESCAPED_SURROGATE = "\\ud";

/** Reads a log without repairing it; rejects when it cannot be read. */
export async function readSessionLog(path: string): Promise<{ readonly events: readonly StoredEvent[]; readonly damage: LogDamage }> {
  const bytes = await readFile(path);
  const end = bytes.lastIndexOf(LINE) + 1;
  const { events, badLines, unknown } = parseLines(bytes.subarray(0, end));
  return { events, damage: { tornBytes: bytes.length - end, badLines, unknown } };
}

/** Opens or creates the log at `path` and repairs its tail. Rejects when the file cannot be read or written. */
export async function openSessionLog(
  path: string,
  clock: Clock,
): Promise<{ readonly log: SessionLog; readonly events: readonly StoredEvent[]; readonly damage: LogDamage }> {
  await mkdir(dirname(path), { recursive: true });
  const bytes = await readFile(path).catch((error: unknown) => (isMissing(error) ? Buffer.alloc(0) : Promise.reject(error)));
  const end = bytes.lastIndexOf(LINE) + 1;
  const tornBytes = bytes.length - end;
  if (tornBytes > 0) {
    await appendFile(`${path}.damaged`, bytes.subarray(end));
    await truncate(path, end);
  }
  const { events, badLines, unknown, lastSeq } = parseLines(bytes.subarray(0, end));
  const handle = await open(path, "a");
  return { log: makeLog(handle, path, lastSeq, clock), events, damage: { tornBytes, badLines, unknown } };
}

function makeLog(handle: FileHandle, path: string, lastSeq: number, clock: Clock): SessionLog {
  let head = lastSeq;
  let writing: Promise<unknown> = Promise.resolve();
  return {
    get head() {
      return Seq.parse(head);
    },
    append(events: readonly SessionEvent[]) {
      const at = clock.now();
      const lines = events.map((event) => {
        head += 1;
        return `${toLine({ seq: head, at, event })}\n`;
      });
      const mine = Seq.parse(head);
      const write = writing.then(() => handle.appendFile(lines.join("")));
      writing = write.catch(() => {});
      return write.then(() => mine);
    },
    async *read(from) {
      await writing;
      for (const stored of parseLines(await readFile(path)).events) if (stored.seq > (from ?? 0)) yield stored;
    },
    async sync() {
      await writing;
      await handle.datasync();
    },
    async close() {
      await writing;
      await handle.close();
    },
  };
}

function parseLines(bytes: Buffer): { readonly events: readonly StoredEvent[]; readonly badLines: number; readonly unknown: number; readonly lastSeq: number } {
  const events: StoredEvent[] = [];
  let badLines = 0;
  let unknown = 0;
  let lastSeq = 0;
  for (const line of bytes.toString("utf8").split("\n")) {
    if (line === "") continue;
    const raw = parseJson(line);
    const seq = seqOf(raw);
    if (seq === undefined) {
      badLines += 1;
      continue;
    }
    const parsed = StoredEvent.safeParse(raw);
    if (parsed.success && seq > lastSeq) events.push(parsed.data);
    else unknown += 1;
    lastSeq = Math.max(lastSeq, seq);
  }
  return { events, badLines, unknown, lastSeq };
}

// JSON writes a lone surrogate as an escape, so only lines with such an escape need a closer look (A15).
function toLine(value: unknown): string {
  const line = JSON.stringify(value);
  return line.includes(ESCAPED_SURROGATE) ? JSON.stringify(value, mendText) : line;
}

function mendText(_key: string, value: unknown): unknown {
  return typeof value === "string" ? wellFormed(value) : value;
}

function parseJson(line: string): unknown {
  try {
    const value: unknown = line.includes(ESCAPED_SURROGATE) ? JSON.parse(line, mendText) : JSON.parse(line);
    return value;
  } catch {
    return undefined;
  }
}

/** A number that leaves no room for the next ones is damage like any other. */
const MAX_SEQ = 2 ** 50;

function seqOf(raw: unknown): number | undefined {
  if (typeof raw !== "object" || raw === null || !("seq" in raw) || typeof raw.seq !== "number") return undefined;
  return Number.isInteger(raw.seq) && raw.seq >= 0 && raw.seq <= MAX_SEQ ? raw.seq : undefined;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
