// The headless command: the engine without a window, for scripts, CI and benchmarks.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { homeFolder } from "#electron/lib/home-folder.ts";
import { parseCliArgs } from "#electron/boot/cli-args.ts";
import { CLI_HELP } from "#electron/boot/cli-help.text.ts";
import type { CliIo } from "#electron/boot/cli-io.ts";
import { createOutput, EXIT } from "#electron/boot/cli-output.ts";
import notices from "#shared/i18n/notices.en.json" with { type: "json" };

/** The folder of the built files: this one lies in `out/headless`. */
const OUT = join(__dirname, "..");

const io: CliIo = {
  out: createOutput(process.stdout),
  err: createOutput(process.stderr),
  environment: process.env,
  home: homeFolder(),
  cwd: process.cwd(),
  platform: process.platform,
  outFolder: OUT,
  async readInput() {
    if (process.stdin.isTTY) return undefined;
    const parts: Buffer[] = [];
    for await (const part of process.stdin) if (part instanceof Uint8Array) parts.push(Buffer.from(part));
    return Buffer.concat(parts).toString("utf8");
  },
  onInterrupt(listener) {
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
    const hub: NodeJS.EventEmitter = process;
    for (const signal of signals) hub.on(signal, listener);
    return {
      [Symbol.dispose]() {
        for (const signal of signals) hub.off(signal, listener);
      },
    };
  },
};

async function ownVersion(): Promise<string> {
  const facts: unknown = JSON.parse(await readFile(join(io.outFolder, "..", "package.json"), "utf8"));
  return z.object({ version: z.string() }).parse(facts).version;
}

async function main(): Promise<number> {
  const args = parseCliArgs(process.argv.slice(2));
  if (!args.ok) {
    io.err.write(`cairn: ${args.error}\nSee cairn --help.\n`);
    return EXIT.usage;
  }
  switch (args.value.command) {
    case "help":
      io.out.write(CLI_HELP);
      return EXIT.answered;
    case "version":
      io.out.write(`${await ownVersion()}\n`);
      return EXIT.answered;
    case "run":
      return await (await import("#electron/boot/cli-run.ts")).runTask(args.value, io, { notices });
    case "checkpoints":
      return (await import("#electron/boot/cli-checkpoints.ts")).runCheckpoints(args.value, io, { notices });
    case "sessions":
      return (await import("#electron/boot/cli-sessions.ts")).runSessions(args.value, io);
  }
}

async function end(code: number): Promise<void> {
  await io.out.flushed();
  await new Promise((resolve) => setImmediate(resolve)); // an error of the last write is told right after it
  const lost = io.out.lost?.();
  if (lost !== undefined) io.err.write(`cairn: the result could not be written: ${lost}\n`);
  await io.err.flushed();
  process.exit(code === EXIT.answered && lost !== undefined ? EXIT.failed : code);
}

/** A disk that cannot be written is nearly always the data folder's: say what to do about it. */
function troubleText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const fromDisk = typeof error === "object" && error !== null && "syscall" in error;
  return fromDisk ? `${message}. Cairn's own files could not be used; mend that place, or give another one with --data-dir.` : message;
}

/** Ends the process with the command's code, everything printed. */
export async function runCommand(): Promise<void> {
  await main().then(end, (error: unknown) => {
    io.err.write(`cairn: ${troubleText(error)}\n`);
    return end(EXIT.failed);
  });
}
