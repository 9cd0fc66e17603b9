// The life of one command: started in a terminal of its own, followed until the SHELL ends (not its pipes, F03), its output kept for
// the model, the eye and the disk (T15). How it is ended is in run-end.ts.
import { stat } from "node:fs/promises";
import type { AbortCause } from "#shared/loop/turn-end.ts";
import { withMark } from "#electron/lib/child-environment.ts";
import type { ProcessInfo } from "#electron/lib/process-tree.ts";
import type { ShellFailure, ShellResult, ShellRun, ShellStart } from "./contract.ts";
import { startLimits } from "./limits.ts";
import { folderGoneText, shellFailedText } from "./output.text.ts";
import type { Pty } from "./pty.ts";
import { readOutput } from "./read-output.ts";
import { type Early, endKeyReaders, endKin, finish, kinOf, type RunDeps, type RunParts, watchLeftovers } from "./run-end.ts";
import { shellEnvironment } from "./shell-environment.ts";
import { createSink } from "./sink.ts";
import { createSpool } from "./spool.ts";

/** A run as its runner sees it. */
export interface OwnedRun extends ShellRun {
  /** Its living processes. Never rejects. */
  processes(): Promise<readonly ProcessInfo[]>;
  /** Ends what is alive, also after `done`; resolves with what could not be ended. Never rejects. */
  end(cause: AbortCause): Promise<readonly ProcessInfo[]>;
  /** Nothing of it is alive and nothing of it is held any more. */
  readonly gone: Promise<void>;
}

/** Never rejects. `id` is the mark of all its processes. */
export async function startRun(deps: RunDeps, id: string, request: ShellStart): Promise<{ readonly kind: "started"; readonly run: OwnedRun } | ShellFailure> {
  const { clock, shell } = deps;
  const input = request.input ?? "none";
  const folder = await stat(request.cwd).catch(() => undefined);
  if (folder?.isDirectory() !== true) return { kind: "failed", message: folderGoneText(request.cwd) };
  // The spool and the terminal slow each other down, so one of them has to know the other late.
  const terminal: { pty: Pty | undefined } = { pty: undefined };
  const spool = createSpool({ file: request.spoolFile, limitBytes: deps.spoolLimitBytes, onCaughtUp: () => terminal.pty?.resume() });
  const sink = createSink(clock, spool, () => terminal.pty?.pause());
  if (request.onOutput !== undefined) sink.listen(request.onOutput);
  const startedAt = clock.now();
  const startedTick = clock.monotonic();
  const env = withMark(shellEnvironment(deps.environment(), request.cwd, input), id);
  const opened = await deps.host.open({ file: shell.file, args: shell.args(request.command), cwd: request.cwd, env, input }, sink.push);
  if (opened.kind === "failed") {
    await spool.close({ keep: false });
    return { kind: "failed", message: shellFailedText(shell.file, opened.message) };
  }
  const { pty } = opened;
  terminal.pty = pty;
  return { kind: "started", run: followRun({ deps, id, request, pty, sink, spool, startedAt, startedTick }) };
}

function followRun(parts: RunParts): OwnedRun {
  const { request, pty, sink, spool, deps } = parts;
  const input = request.input ?? "none";
  const state: { result: ShellResult | undefined; background: boolean } = { result: undefined, background: input === "terminal" };
  const waited: ProcessInfo[] = [];
  let endEarly = (_why: Early): void => {};
  const early = new Promise<Early>((resolve) => (endEarly = resolve));
  const nothingLeft = new AbortController();
  const limits = startLimits(deps.clock, {
    timeoutMs: request.timeoutMs,
    silenceMs: request.silenceMs,
    activity: () => sink.chunks,
    onTimeout: (which) => endEarly({ kind: "timeout", which }),
    lookForKeyReaders: input === "none" && deps.platform === "linux" ? () => endKeyReaders(parts, waited) : undefined,
  });
  const finished = finish(parts, { early, limits, waited, background: () => state.background });
  const done = finished.then(({ result }) => (state.result = result));
  const gone = finished
    .then(({ left }) => watchLeftovers(parts, left, nothingLeft.signal))
    .then(() => pty.dispose())
    .then(() => spool.close({ keep: state.background }));
  return {
    get result() {
      return state.result;
    },
    id: parts.id,
    pid: pty.pid,
    command: request.command,
    session: request.session,
    startedAt: parts.startedAt,
    input,
    done,
    gone,
    onOutput: sink.listen,
    read: (from) => readOutput(spool, sink.captured, from, deps.redact),
    write(text) {
      if (input === "none" || state.result !== undefined) return false;
      pty.write(text);
      return true;
    },
    resize: (columns, rows) => pty.resize({ columns, rows }),
    stop: (cause) => endEarly({ kind: "stopped", cause }),
    keepGoing() {
      state.background = true;
      limits.lift();
    },
    processes: () => kinOf(parts, state.result === undefined),
    async end(cause) {
      endEarly({ kind: "stopped", cause });
      await done;
      const left = await endKin(parts, false);
      if (left.length === 0) nothingLeft.abort();
      return left;
    },
  };
}
