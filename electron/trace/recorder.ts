// Measurements of one run, one JSON object a line in the data folder. Emitting never throws and never waits (O3).
import { appendFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { TraceEvent } from "#shared/trace/trace.ts";
import type { Clock } from "#electron/lib/clock.ts";
import type { Trace } from "./contract.ts";

const MCP_PREFIX = "mcp__";
const WRITE_AFTER_MS = 500;
const MOST_WAITING = 10_000;

export interface TraceRecorder extends Trace {
  flush(): Promise<void>;
}

/** `tools`: names of the built-in tools, the only ones written down; those of MCP servers are the person's affair (O3). */
export function createTraceRecorder(file: string, clock: Clock, tools: readonly string[]): TraceRecorder {
  const closed = closedLabels(new Set(tools));
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
      // What does not fit the closed sets is not written: a label made at run time could carry a path or a word of the person's.
      const known = TraceEvent.safeParse(closed(event));
      if (!known.success || lines.length >= MOST_WAITING) return;
      lines.push(JSON.stringify({ at: clock.now(), ...known.data }));
      timer ??= clock.schedule(WRITE_AFTER_MS, () => void flush());
    },
    flush,
  };
}

function closedLabels(tools: ReadonlySet<string>): (event: TraceEvent) => TraceEvent {
  return (event) => ("tool" in event && !tools.has(event.tool) ? { ...event, tool: event.tool.startsWith(MCP_PREFIX) ? "mcp" : "unknown" } : event);
}

async function write(file: string, lines: readonly string[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await appendFile(file, `${lines.join("\n")}\n`);
}
