// Runs commands and keeps count of all that is alive, so that closing a session or the app leaves nothing behind (T15, G09).
import { randomUUID } from "node:crypto";
import type { SessionId } from "#shared/lib/ids.ts";
import type { AbortCause } from "#shared/loop/turn-end.ts";
import { abortCauseOf } from "#electron/lib/abort-cause.ts";
import type { Environment } from "#electron/lib/child-environment.ts";
import type { Clock } from "#electron/lib/clock.ts";
import { endProcesses } from "#electron/lib/process-end.ts";
import { createProcessTable, findKin, type ProcessInfo, type ProcessTable } from "#electron/lib/process-tree.ts";
import type { LivingShell, ProcessName, ShellResult, ShellRun, ShellRunner } from "./contract.ts";
import { createPtyHost } from "./create-pty-host.ts";
import { SHELLS_CLOSED_TEXT } from "./output.text.ts";
import type { PtyHost } from "./pty.ts";
import { recordOf } from "./record.ts";
import { type OwnedRun, startRun } from "./run.ts";
import type { RunDeps } from "./run-end.ts";
import type { ShellProgram } from "./shell-program.ts";

export type ShellRunnerDeps = {
  readonly clock: Clock;
  /** see `findShell` */
  readonly shell: ShellProgram;
  /** see `childEnvironment`; asked for each command */
  readonly environment: () => Environment;
  /** takes secrets out of what model and person see */
  readonly redact?: (text: string) => string;
  /** folder for the record of running processes; see `endLeftovers` */
  readonly recordDir?: string;
  /** of one command's output on disk */
  readonly spoolLimitBytes?: number;
  readonly host?: PtyHost;
  readonly table?: ProcessTable;
  readonly platform?: NodeJS.Platform;
};

const SPOOL_LIMIT_BYTES = 8_000_000_000;
const SHUTDOWN: AbortCause = { by: "shutdown" };
const BY_PERSON: AbortCause = { by: "person" };

export function createShellRunner(deps: ShellRunnerDeps): ShellRunner {
  const platform = deps.platform ?? process.platform;
  const table = deps.table ?? createProcessTable(platform);
  const app = `cairn-${randomUUID()}`;
  const runDeps: RunDeps = {
    clock: deps.clock,
    host: deps.host ?? createPtyHost(deps.clock, platform),
    table,
    shell: deps.shell,
    platform,
    environment: deps.environment,
    redact: deps.redact ?? ((text) => text),
    spoolLimitBytes: deps.spoolLimitBytes ?? SPOOL_LIMIT_BYTES,
  };
  const runs = new Map<string, OwnedRun>();
  const record = deps.recordDir === undefined ? undefined : recordOf({ dir: deps.recordDir, mark: app, clock: deps.clock, table });
  const changed = () => record?.update([...runs.values()].map((run) => run.pid));
  let count = 0;
  let closing: Promise<void> | undefined;

  const start: ShellRunner["start"] = async (request) => {
    if (closing !== undefined) return { kind: "failed", message: SHELLS_CLOSED_TEXT };
    await record?.ready();
    const started = await startRun(runDeps, `${app}-${++count}.`, request);
    if (started.kind === "failed") return started;
    const { run } = started;
    runs.set(run.id, run);
    changed();
    void run.gone.then(() => {
      runs.delete(run.id);
      changed();
    });
    // The app began to close while this one started.
    if (closing !== undefined) await run.end(SHUTDOWN);
    return started;
  };
  const endAll = async (some: readonly OwnedRun[], cause: AbortCause) => (await Promise.all(some.map((run) => run.end(cause)))).flat().map(nameOf);
  const runsOf = (session: SessionId) => [...runs.values()].filter((run) => run.session === session);
  const close = async () => {
    const left = await endAll([...runs.values()], SHUTDOWN);
    // What carries the mark but was lost from sight, e.g. a daemon that closed its terminal.
    const find = () => findKin(table, { leader: -1, mark: app, fresh: false });
    await endProcesses({ clock: deps.clock }, find);
    if (left.length === 0) await record?.close();
  };
  return {
    start,
    async run(request, signal, onOutput) {
      const started = await start({ ...request, onOutput });
      if (started.kind === "failed") return started;
      return { kind: "done", result: await followUntilDone(started.run, signal) };
    },
    living: async () => (await Promise.all([...runs.values()].map(describe))).filter((shell) => !shell.ended || shell.processes.length > 0),
    async end(id) {
      const run = runs.get(id);
      return run === undefined ? [] : endAll([run], BY_PERSON);
    },
    endSession: (session) => endAll(runsOf(session), SHUTDOWN),
    close: () => (closing ??= close()),
  };
}

async function followUntilDone(run: ShellRun, signal: AbortSignal): Promise<ShellResult> {
  const stop = () => run.stop(abortCauseOf(signal));
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await run.done;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function describe(run: OwnedRun): Promise<LivingShell> {
  const { id, command, session, startedAt } = run;
  return { id, command, session, startedAt, ended: run.result !== undefined, processes: (await run.processes()).map(nameOf) };
}

function nameOf({ pid, name }: ProcessInfo): ProcessName {
  return { pid, name };
}
