// What the model is told by and about the shell tools. Every byte of the first part is sent with every request (T20).
import { oneLine } from "#shared/lib/text.ts";
import type { ProcessName, ShellResult } from "#electron/shells/contract.ts";

export type ShellKind = "bash" | "sh" | "powershell";

const SHELL_NAMES = { bash: "bash", sh: "the POSIX shell (no bash here)", powershell: "PowerShell (no bash here)" } as const;

export function bashText(kind: ShellKind): { readonly summary: string; readonly guide: string } {
  return {
    summary: `Runs a command with ${SHELL_NAMES[kind]} and returns what it printed and its exit code.`,
    guide:
      "Every command starts in the workspace folder; cd and variables do not carry over, so write `cd dir && …`. Commands cannot be asked anything: stdin is empty, editors and pagers are off; use flags such as --yes or -m. For programs that keep running or need answers set run_in_background, then use bash_output, bash_input, bash_kill. Chain steps that depend on each other with &&. To read, search and change files use the file tools.",
  };
}

export const BASH_OUTPUT_TEXT = {
  summary: "Returns what a background command printed since you last looked, and whether it still runs.",
  guide: "With wait_ms it waits for new output or the end instead of returning at once.",
} as const;

export const BASH_INPUT_TEXT = {
  summary: "Types text into a background command and returns what it then prints.",
  guide: "Sent as it is: end a line with \\n; \\u0003 is Ctrl-C, \\u0004 ends the input.",
} as const;

export const BASH_KILL_TEXT = { summary: "Ends a background command and everything it started." } as const;

/** How a command ended that did not fail and has nothing to show (T9). */
export const NO_OUTPUT = "(succeeded, no output)";
export const NO_OUTPUT_FAILED = "(no output)";

const SHELL_EXIT: Readonly<Record<number, string>> = { 126: " (found, but not executable)", 127: " (command not found)" };
/** A shell tells of a program that was ended by signal N with exit code 128 + N. */
const SIGNALS: Readonly<Record<number, string>> = {
  1: "SIGHUP",
  2: "SIGINT",
  3: "SIGQUIT",
  4: "SIGILL",
  6: "SIGABRT",
  7: "SIGBUS",
  8: "SIGFPE",
  9: "SIGKILL",
  11: "SIGSEGV",
  13: "SIGPIPE",
  15: "SIGTERM",
};

/** "exit code 3", "exit code 137 (ended by SIGKILL)", "signal SIGSEGV". */
export function endInWords({ exitCode, signal }: Pick<ShellResult, "exitCode" | "signal">): string {
  if (signal !== null) return `signal ${signal}`;
  if (exitCode === null) return "an unknown exit code";
  const by = SIGNALS[exitCode - 128];
  return `exit code ${exitCode}${SHELL_EXIT[exitCode] ?? (by === undefined ? "" : ` (ended by ${by})`)}`;
}

export function failedText(result: Pick<ShellResult, "exitCode" | "signal">): string {
  return `The command failed with ${endInWords(result)}.`;
}

export function timeoutText(which: "total" | "silence", limitMs: number, maxMs: number): string {
  const after = inWords(limitMs);
  if (which === "silence")
    return `The command was ended because it printed nothing for ${after}. If it needs an answer, give it by flags or run it with run_in_background and bash_input.`;
  return `The command was ended after ${after} (time-out). If it needs longer, set timeout (at most ${maxMs} ms) or run_in_background; if it never ends by itself, use run_in_background.`;
}

export function stoppedText(by: string): string {
  return `The command was stopped (${by === "person" ? "by the user" : by}) before it was done. What it printed so far is above; part of its work may have happened.`;
}

export function stillRunningText(processes: readonly ProcessName[]): string {
  return `Still running in the background: ${listed(processes)}. Cairn ends them with the session; end one sooner with kill PID.`;
}

export function unendedText(processes: readonly ProcessName[]): string {
  return `Could not be ended and may still run: ${listed(processes)}. Tell the user.`;
}

export function waitedForKeysText(processes: readonly ProcessName[]): string {
  return `Waited for keys that nobody can press here and was ended: ${listed(processes)}. ${NO_INPUT_TEXT}`;
}

export const NO_INPUT_TEXT = "Commands get no input here: give answers by flags or files, or use run_in_background with bash_input.";

export const CD_HAS_NO_EFFECT_TEXT = "Note: cd does not carry over; every command starts in the workspace folder. Write it as `cd dir && command`.";

export function startedText(id: string, pid: number): string {
  return `Started in the background as ${id} (pid ${pid}). Read on with bash_output, answer with bash_input, end it with bash_kill.`;
}

export function movedText(id: string): string {
  return `The user sent this command to the background, where it goes on as ${id}. Read on with bash_output, end it with bash_kill.`;
}

export function runningText(id: string, ms: number): string {
  return `${id} is running (${inWords(ms)} so far).`;
}

export function endedText(id: string, result: ShellResult): string {
  const how = result.stopped === undefined ? `ended with ${endInWords(result)}` : "was stopped";
  return `${id} ${how} after ${inWords(result.ms)}.`;
}

export function noSuchShellText(id: string, known: readonly string[]): string {
  const have = known.length === 0 ? "None was started in this session; start one with bash and run_in_background." : `There are: ${known.join(", ")}.`;
  return `There is no background command "${oneLine(id, 40)}". ${have}`;
}

export function alreadyEndedText(id: string, result: ShellResult): string {
  return `${endedText(id, result)} It takes no more input; start it again with bash if it is still needed.`;
}

export function takesNoInputText(id: string): string {
  return `${id} was started in the foreground and has no input. Start it again with bash and run_in_background to be able to answer it.`;
}

function listed(processes: readonly ProcessName[]): string {
  return processes.map(({ pid, name }) => `${pid} (${name})`).join(", ");
}

function inWords(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`;
}
