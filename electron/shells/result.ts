// What is told about a command that has ended.
import type { AbortCause } from "#shared/loop/turn-end.ts";
import type { ProcessInfo } from "#electron/lib/process-tree.ts";
import type { Captured } from "./capture.ts";
import type { ProcessName, ShellResult } from "./contract.ts";
import { wholeCharacters } from "./clean.ts";
import { describeOutput, needsShortening } from "./describe-output.ts";
import type { PtyExit } from "./pty.ts";
import type { Spool } from "./spool.ts";

export type Ending = {
  readonly exit: PtyExit;
  readonly timeout: "total" | "silence" | undefined;
  readonly stopped: AbortCause | undefined;
  readonly ms: number;
  readonly stillRunning: readonly ProcessInfo[];
  readonly unended: readonly ProcessInfo[];
  readonly waitedForKeys: readonly ProcessInfo[];
};
export type ResultOptions = { readonly keep: boolean; readonly redact: (text: string) => string };

const RAW_BYTES = 32_768;

/** Never rejects. Puts the whole output on disk when the text has to be shortened or `keep` asks for it. */
export async function makeResult(ending: Ending, captured: Captured, spool: Spool, { keep, redact }: ResultOptions): Promise<ShellResult> {
  const store = keep || needsShortening(captured);
  if (store) await spool.sync();
  const file = store && spool.made ? spool.file : undefined;
  const { text } = describeOutput(captured, { file, whole: spool.whole });
  const named = (processes: readonly ProcessInfo[]): readonly ProcessName[] => processes.map(({ pid, name }) => ({ pid, name: redact(name) }));
  const { timeout, unended, waitedForKeys } = ending;
  return {
    ...ending.exit,
    timedOut: timeout !== undefined,
    ...(timeout === undefined ? {} : { timeout }),
    stopped: ending.stopped,
    clean: redact(text),
    totalBytes: captured.total,
    ...(file === undefined ? {} : { stored: { file, whole: spool.whole } }),
    raw: redact(rawEnd(captured)),
    ms: ending.ms,
    stillRunning: named(ending.stillRunning),
    ...(unended.length === 0 ? {} : { unended: named(unended) }),
    ...(waitedForKeys.length === 0 ? {} : { waitedForKeys: named(waitedForKeys) }),
  };
}

/** The last part as it was printed; begins at a line when something is before it. */
function rawEnd({ head, tail, skipped }: Captured): string {
  const all = skipped === 0 ? Buffer.concat([head, tail]) : tail;
  if (all.length <= RAW_BYTES) return all.toString("utf8");
  const end = all.subarray(all.length - RAW_BYTES);
  const line = end.indexOf(0x0a);
  return wholeCharacters(line >= 0 && line < RAW_BYTES / 2 ? end.subarray(line + 1) : end).toString("utf8");
}
