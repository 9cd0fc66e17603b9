// A finished command as the tool's answer (T5, T9, T15): output first, then in brackets what has to be known about its end.
import type { CardView } from "#shared/tools/card.ts";
import type { FailureKind } from "#shared/tools/failure.ts";
import type { ShellResult } from "#electron/shells/contract.ts";
import type { ToolReturn } from "#electron/tools/contract.ts";
import { isLoneCd, wantedInput } from "./bash-hints.ts";
import {
  CD_HAS_NO_EFFECT_TEXT,
  failedText,
  NO_INPUT_TEXT,
  NO_OUTPUT,
  NO_OUTPUT_FAILED,
  stillRunningText,
  stoppedText,
  timeoutText,
  unendedText,
  waitedForKeysText,
} from "./bash.text.ts";

export type ShellLimits = { readonly timeoutMs: number; readonly silenceMs: number | undefined; readonly maxTimeoutMs: number };

export function shellReturn(command: string, result: ShellResult, limits: ShellLimits): ToolReturn {
  const trouble = troubleOf(result, limits);
  const notes = [...(trouble === undefined ? [] : [trouble.message]), ...notesOf(command, result, trouble !== undefined)];
  const output = result.clean.trim() === "" ? (trouble === undefined ? NO_OUTPUT : NO_OUTPUT_FAILED) : result.clean;
  const text = notes.length === 0 ? output : `${output.replace(/\n+$/, "")}\n\n[${notes.join(" ")}]`;
  const cut = result.stored === undefined ? {} : { cut: true };
  const answer = { forModel: [{ type: "text", text } as const], view: shellView(command, result), ...cut };
  if (trouble === undefined) return { ok: true, ...answer };
  return { ok: false, failure: { kind: trouble.kind, retryable: trouble.kind === "timeout", message: trouble.message }, ...answer };
}

type Trouble = { readonly kind: FailureKind; readonly message: string };

function troubleOf(result: ShellResult, limits: ShellLimits): Trouble | undefined {
  if (result.stopped !== undefined) return { kind: "aborted", message: stoppedText(result.stopped.by) };
  if (result.timedOut) {
    const which = result.timeout ?? "total";
    return {
      kind: "timeout",
      message: timeoutText(which, which === "silence" ? (limits.silenceMs ?? limits.timeoutMs) : limits.timeoutMs, limits.maxTimeoutMs),
    };
  }
  return result.exitCode === 0 ? undefined : { kind: "tool_error", message: failedText(result) };
}

function notesOf(command: string, result: ShellResult, failed: boolean): readonly string[] {
  const { waitedForKeys = [], stillRunning, unended = [] } = result;
  return [
    ...(waitedForKeys.length > 0 ? [waitedForKeysText(waitedForKeys)] : wantedInput(command, result.clean, failed) ? [NO_INPUT_TEXT] : []),
    ...(!failed && isLoneCd(command) ? [CD_HAS_NO_EFFECT_TEXT] : []),
    ...(stillRunning.length > 0 ? [stillRunningText(stillRunning)] : []),
    ...(unended.length > 0 ? [unendedText(unended)] : []),
  ];
}

export function shellView(command: string, result: ShellResult): CardView {
  const { raw, exitCode, signal, timedOut, stillRunning } = result;
  return { kind: "shell", command, output: raw, exitCode, signal, timedOut, background: false, stillRunning: [...stillRunning] };
}

/** The card of a command that goes on in the background. */
export function backgroundView(command: string, output: string): CardView {
  return { kind: "shell", command, output, exitCode: null, signal: null, timedOut: false, background: true, stillRunning: [] };
}
