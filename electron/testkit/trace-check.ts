// What must hold of the measurements of any run, whatever happened in it (O1 to O3): read from the files that the recorder wrote,
// so that it is the product's own pipeline that is measured.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { TraceEvent } from "#shared/trace/trace.ts";

/** The text of each trace file of a data folder, by name. */
export async function traceFiles(dataDir: string): Promise<ReadonlyMap<string, string>> {
  const folder = join(dataDir, "traces");
  const names = await readdir(folder).catch((): string[] => []);
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), "utf8")] as const)));
}

/** Its events in the order written. Throws at a line that is none, and at one out of time. */
export function parseTrace(content: string): readonly TraceEvent[] {
  let last = 0;
  return content
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const raw: unknown = JSON.parse(line);
      const at = typeof raw === "object" && raw !== null && "at" in raw && typeof raw.at === "number" ? raw.at : Number.NaN;
      if (!(at >= last)) throw new Error(`a measurement without its time, or out of order: ${line}`);
      last = at;
      return TraceEvent.parse(raw);
    });
}

/** `turns`: turns that ended in this trace; sub-agents are turns of their own, one for each `task` call at most. */
export function checkTrace(trace: readonly TraceEvent[], turns: number): void {
  const problems = [...callProblems(trace), ...turnProblems(trace, turns)];
  if (problems.length > 0) throw new Error(`the trace does not add up: ${problems.join("; ")}`);
}

/** call − success − failure = 0, by tool: a balance over all of them could hide two mistakes. */
function callProblems(trace: readonly TraceEvent[]): readonly string[] {
  const tools = new Set(trace.flatMap((event) => (event.name === "call_dispatched" || event.name === "call_done" ? [event.tool] : [])));
  const balance = [...tools].flatMap((tool) => {
    const dispatched = trace.filter((event) => event.name === "call_dispatched" && event.tool === tool).length;
    const done = trace.filter((event) => event.name === "call_done" && event.tool === tool).length;
    return dispatched === done ? [] : [`${tool}: ${dispatched} dispatched, ${done} done`];
  });
  const unclear = trace.filter((event) => event.name === "call_done" && event.ok === (event.failure !== undefined));
  return [...balance, ...unclear.map((event) => `unclear whether it failed: ${JSON.stringify(event)}`)];
}

function turnProblems(trace: readonly TraceEvent[], turns: number): readonly string[] {
  const ends = trace.filter((event) => event.name === "turn_complete");
  const tasks = trace.filter((event) => event.name === "call_dispatched" && event.tool === "task").length;
  const requests = trace.filter((event) => event.name === "request_done").length;
  const said = ends.reduce((sum, event) => sum + event.requests, 0);
  return [
    ...(ends.length >= turns && ends.length <= turns + tasks ? [] : [`${turns} turns and ${tasks} tasks, but ${ends.length} ends`]),
    ...(requests === said ? [] : [`${requests} requests measured, ${said} counted by the turns`]),
  ];
}
