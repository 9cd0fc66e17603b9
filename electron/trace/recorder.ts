// Measurements of one run, one JSON object a line in the data folder. Emitting never throws and never waits (O3).
import { appendFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { TraceEvent } from "#shared/trace/trace.ts";
import type { Clock } from "#electron/lib/clock.ts";
import type { Trace } from "./contract.ts";

const WRITE_AFTER_MS = 500;
const MOST_WAITING = 10_000;

export interface TraceRecorder extends Trace {
  flush(): Promise<void>;
}

export function createTraceRecorder(file: string, clock: Clock): TraceRecorder {
  let lines: string[] = [];
  let timer: Disposable | undefined;
  let writing: Promise<unknown> = Promise.resolve();
  const flush = () => {
    timer?.[Symbol.dispose]();
    timer = undefined;
    const batch = lines;
    lines = [];
    if (batch.length > 0) writing = writing.then(() => write(file, batch)).catch(() => {});
    return writing.then(() => {});
  };
  return {
    emit(event: TraceEvent) {
      if (lines.length >= MOST_WAITING) return;
      lines.push(JSON.stringify({ at: clock.now(), ...event }));
      timer ??= clock.schedule(WRITE_AFTER_MS, () => void flush());
    },
    flush,
  };
}

async function write(file: string, lines: readonly string[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await appendFile(file, `${lines.join("\n")}\n`);
}
