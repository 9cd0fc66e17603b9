// The processes of this run: the shell runner with the person's own PATH, what an earlier run left behind, and the grammar
// that understands commands. All of it is made when first needed (R2).
import { join } from "node:path";
import type { SessionId } from "#shared/lib/ids.ts";
import type { Clock } from "#electron/lib/clock.ts";
import { childEnvironment, type Environment } from "#electron/lib/child-environment.ts";
import { createProcessTable, type ProcessTable } from "#electron/lib/process-tree.ts";
import { createProcessRunner, type ProcessRunner } from "#electron/lib/spawn.ts";
import { createWorkerCalls } from "#electron/lib/worker-call.ts";
import type { ShellAnalyser } from "#electron/permissions/contract.ts";
import { createShellAnalyser } from "#electron/permissions/shell-analyser.ts";
import { SHELL_VERBS } from "#electron/permissions/shell-verbs.ts";
import type { Keys } from "#electron/secrets/contract.ts";
import { createBackgroundShells } from "#electron/shells/background.ts";
import type { BackgroundShells, ShellRunner } from "#electron/shells/contract.ts";
import { createShellRunner } from "#electron/shells/create-runner.ts";
import { loginPath } from "#electron/shells/login-path.ts";
import { endLeftovers } from "#electron/shells/record.ts";
import { findShell } from "#electron/shells/shell-program.ts";
import type { ShellKind } from "#electron/tools/builtin/bash.text.ts";
import type { ServiceFacts } from "./contract.ts";

export type MadeShells = { readonly runner: ShellRunner; readonly background: BackgroundShells };

export interface Shells {
  runner(): Promise<MadeShells>;
  /** which shell runs commands here; the model is told, and only bash is read beforehand */
  kind(): Promise<ShellKind>;
  readonly analyser: ShellAnalyser;
  readonly processes: ProcessRunner;
  readonly table: ProcessTable;
  /** what commands and hooks may see of the environment: no key, nothing of Electron (F07, F08) */
  environment(): Promise<Environment>;
  /** Ends what a crash of an earlier run left running: at the start, not only with the first command (E14). Never rejects. */
  endLeftovers(): Promise<unknown>;
  /** Loads what the first command needs while the first answer is still awaited. Starts no process of the person's; never rejects. */
  warm(cwd: string): Promise<void>;
  /** What `runner` made, if a command has asked for it. */
  started(): MadeShells | undefined;
  /** Called once with what `runner` made, at once or when a command asks for it. */
  onStarted(listener: (made: MadeShells) => void): Disposable;
  /** Ends what a session left running. Never rejects. */
  endSession(id: SessionId): Promise<void>;
  close(): Promise<void>;
}

const LOOK_AGAIN_MS = [1_000, 3_000];

export type ShellsDeps = { readonly clock: Clock; readonly keys: Keys; redact(text: string): string };

export function createShells(facts: ServiceFacts, { clock, keys, redact }: ShellsDeps): Shells {
  const platform = platformOf(facts.platform);
  const table = createProcessTable(platform);
  const processes = createProcessRunner({ clock, table, platform });
  const recordDir = join(facts.dataDir, "processes");
  const bare = () => childEnvironment(facts.environment, { secrets: keys.values() });
  let path: ReturnType<typeof loginPath> | undefined;
  let found: ReturnType<typeof findShell> | undefined;
  let cleaned: Promise<unknown> | undefined;
  const cleanUp = () => {
    cleaned ??= endLeftoversAgain(recordDir, { clock, table });
    return cleaned;
  };

  const environment = async () => {
    // A command line has the person's PATH already; only what a desktop starts has to ask for it (F09).
    if (facts.face.kind === "headless") return bare();
    path ??= loginPath(bare(), { processes, platform });
    return { ...bare(), PATH: (await path).path };
  };
  // Asking the person's login shell takes a while, so it is asked only where bash is not in one of its usual places.
  const program = () => {
    found ??= findShell({ env: bare(), platform }).then(async (shell) => (shell.kind === "bash" ? shell : findShell({ env: await environment(), platform })));
    return found;
  };
  const make = async () => {
    await cleanUp();
    const [env, shell] = await Promise.all([environment(), program()]);
    const own = () => ({ ...bare(), ...(env["PATH"] === undefined ? {} : { PATH: env["PATH"] }) });
    const runner = createShellRunner({ clock, shell, environment: own, redact, recordDir, table, platform });
    return { runner, background: createBackgroundShells(runner) };
  };
  const { start, started, onStarted, wanted } = startOnce(make);
  const grammar = createWorkerCalls(SHELL_VERBS, { file: join(facts.out, "workers", "parse-shell.cjs"), data: { wasm: join(facts.out, "wasm") }, clock });
  const kind = async () => (await program()).kind;
  const analyser = createShellAnalyser({ calls: grammar, shell: kind });
  return {
    runner: start,
    started,
    onStarted,
    kind,
    analyser,
    processes,
    table,
    environment,
    endLeftovers: cleanUp,
    async warm(cwd) {
      await Promise.all([start().catch(() => undefined), analyser.analyse(":", { cwd, home: facts.home })]);
    },
    async endSession(id) {
      await wanted()?.then(({ runner }) => runner.endSession(id));
    },
    async close() {
      await Promise.all([cleaned, wanted()?.then(({ runner }) => runner.close()), analyser.close()]);
    },
  };
}

/** `wanted`: the start, if anybody has asked for it. */
function startOnce(make: () => Promise<MadeShells>): Pick<Shells, "started" | "onStarted"> & {
  start(): Promise<MadeShells>;
  wanted(): Promise<MadeShells> | undefined;
} {
  const waiting = new Set<(made: MadeShells) => void>();
  let made: Promise<MadeShells> | undefined;
  let ready: MadeShells | undefined;
  return {
    wanted: () => made,
    start() {
      made ??= make().then((shells) => {
        ready = shells;
        for (const listener of waiting) listener(shells);
        waiting.clear();
        return shells;
      });
      return made;
    },
    started: () => ready,
    onStarted(listener) {
      if (ready === undefined) waiting.add(listener);
      else listener(ready);
      return { [Symbol.dispose]: () => void waiting.delete(listener) };
    },
  };
}

// An owner that was killed a moment ago may still be there: it is looked at again, without anybody waiting for it.
async function endLeftoversAgain(recordDir: string, deps: { readonly clock: Clock; readonly table: ProcessTable }): Promise<void> {
  const { owned } = await endLeftovers(recordDir, deps);
  if (owned === 0) return;
  for (const ms of LOOK_AGAIN_MS) deps.clock.schedule(ms, () => void endLeftovers(recordDir, deps));
}

function platformOf(name: string): NodeJS.Platform {
  return name === "darwin" || name === "win32" ? name : "linux";
}
