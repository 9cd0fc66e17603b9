// Runs the headless command inside the test's own process, on a folder and data of its own.
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseCliArgs } from "#electron/boot/cli-args.ts";
import { runCheckpoints } from "#electron/boot/cli-checkpoints.ts";
import type { CliIo } from "#electron/boot/cli-io.ts";
import { runTask } from "#electron/boot/cli-run.ts";
import { runSessions } from "#electron/boot/cli-sessions.ts";
import { z } from "zod";
import type { TraceEvent } from "#shared/trace/trace.ts";
import notices from "#shared/i18n/notices.en.json" with { type: "json" };
import { checkTrace, parseTrace, traceFiles } from "./trace-check.ts";

export type Ran = {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** what was measured in it; checked to add up */
  readonly trace: readonly TraceEvent[];
  json(): Readonly<Record<string, unknown>>;
  lines(): readonly Readonly<Record<string, unknown>>[];
};
export type HeadlessFixture = {
  readonly cwd: string;
  readonly dataDir: string;
  /** `stop`: hears the listener of interrupts, to call it when it likes */
  run(
    argv: readonly string[],
    more?: { readonly env?: Readonly<Record<string, string>>; readonly input?: string; stop?(interrupt: () => void): void },
  ): Promise<Ran>;
  end(): Promise<void>;
};

/** Nothing was begun, so there is nothing to measure. */
const WRONG_USAGE = 2;

/** Where `npm run build` puts workers, grammar and the sample. */
export const BUILT = join(import.meta.dirname, "../../out");

export async function headlessFixture(): Promise<HeadlessFixture> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "cairn-headless-")));
  const [cwd, dataDir, home] = [join(base, "project"), join(base, "data"), join(base, "home")];
  await Promise.all([cwd, home].map((folder) => mkdir(folder)));
  return {
    cwd,
    dataDir,
    async run(argv, more = {}) {
      const parts: Record<"out" | "err", string> = { out: "", err: "" };
      const output = (name: "out" | "err") => ({ write: (text: string) => void (parts[name] += text), flushed: async () => {} });
      const io: CliIo = {
        out: output("out"),
        err: output("err"),
        environment: { PATH: process.env["PATH"], HOME: home, TERM: "xterm", ...more.env },
        home,
        cwd,
        platform: process.platform,
        outFolder: BUILT,
        readInput: async () => more.input,
        onInterrupt(listener) {
          more.stop?.(listener);
          return { [Symbol.dispose]: () => {} };
        },
      };
      const before = await traceFiles(dataDir);
      const code = await dispatch(argv.includes("--data-dir") ? argv : [...argv, "--data-dir", dataDir], io);
      const written = [...(await traceFiles(dataDir))].filter(([name]) => !before.has(name));
      const trace = written.flatMap(([, content]) => parseTrace(content));
      if (argv.includes("-p") && code !== WRONG_USAGE) checkTrace(trace, 1);
      const lines = () =>
        parts.out
          .trim()
          .split("\n")
          .map((line): Readonly<Record<string, unknown>> => z.record(z.string(), z.unknown()).parse(JSON.parse(line)));
      return { code, ...parts, trace, lines, json: () => lines().at(-1) ?? {} };
    },
    end: () => rm(base, { recursive: true, force: true, maxRetries: 3 }),
  };
}

async function dispatch(argv: readonly string[], io: CliIo): Promise<number> {
  const args = parseCliArgs(argv);
  if (!args.ok) {
    io.err.write(args.error);
    return 2;
  }
  switch (args.value.command) {
    case "run":
      return await runTask(args.value, io, { notices });
    case "checkpoints":
      return await runCheckpoints(args.value, io, { notices });
    case "sessions":
      return await runSessions(args.value, io);
    case "help":
    case "version":
      return 0;
  }
}
