// The app's own log: what went wrong inside, for whoever looks. Bounded, never waits, never throws. Keys are masked, and the person's
// home folder, whose name is often theirs, is written as ~ (R3, O3).
import { appendFile, mkdir, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { createSystemClock } from "#electron/lib/clock.ts";
import { createRedactor } from "#electron/lib/redaction.ts";

/** `/` and the like stand in every path. */
const SHORTEST_HOME = 4;
const MOST_BYTES = 2_000_000;

export type Report = (problem: string) => void;

export function createReporter(file: string, home: string): Report {
  const clock = createSystemClock();
  const { redact } = createRedactor();
  let writing: Promise<unknown> = mkdir(dirname(file), { recursive: true }).catch(() => {});
  return (problem) => {
    const line = `${new Date(clock.now()).toISOString()} ${redact(withoutHome(problem, home))}\n`;
    writing = writing.then(() => append(file, line)).catch(() => {});
  };
}

function withoutHome(text: string, home: string): string {
  return home.length < SHORTEST_HOME ? text : text.replaceAll(home, "~");
}

async function append(file: string, line: string): Promise<void> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size > MOST_BYTES) await rename(file, `${file}.old`);
  await appendFile(file, line);
}
