// The app's own log: what went wrong inside, for whoever looks. Bounded, never waits, never throws.
import { appendFile, mkdir, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { createSystemClock } from "#electron/lib/clock.ts";

const MOST_BYTES = 2_000_000;

export type Report = (problem: string) => void;

export function createReporter(file: string): Report {
  const clock = createSystemClock();
  let writing: Promise<unknown> = mkdir(dirname(file), { recursive: true }).catch(() => {});
  return (problem) => {
    const line = `${new Date(clock.now()).toISOString()} ${problem}\n`;
    writing = writing.then(() => append(file, line)).catch(() => {});
  };
}

async function append(file: string, line: string): Promise<void> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size > MOST_BYTES) await rename(file, `${file}.old`);
  await appendFile(file, line);
}
