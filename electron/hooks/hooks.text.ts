// What is said when a hook gives no words of its own, or none that can be understood.

export const NO_REASON = "the hook gave no reason";

export function unclearAnswerText(command: string, problem: string): string {
  return `a hook (${command}) answered in a way that cannot be understood (${problem}), so it may have meant to refuse`;
}

export function notJsonText(why: string): string {
  return `its output begins like JSON but is none: ${why}`;
}

export function wrongShapeText(problems: string): string {
  return `its JSON has the wrong shape: ${problems}. Fields are continue, stopReason, decision, reason and hookSpecificOutput`;
}

export function tooLongText(bytes: number): string {
  return `it printed more than ${bytes} bytes, so its answer is not complete`;
}

export function exitText(exitCode: number | null, signal: string | null, stderr: string): string {
  const how = signal === null ? `exit code ${String(exitCode)}` : `signal ${signal}`;
  return `it failed with ${how}${stderr === "" ? "" : `: ${stderr}`}. Only exit code 2 blocks`;
}

export function timeoutText(ms: number): string {
  return `it did not end within ${ms} ms and was ended`;
}

export function notStartedText(why: string): string {
  return `it could not be started: ${why}`;
}

export const BROKEN_MATCHER = "its matcher is not a regular expression; it is compared letter by letter";
export const ONLY_MCP_OUTPUT = "it changes the output of a tool that is no MCP tool; that part is ignored";
export const ONLY_BEFORE = "it decides about a call or changes its input after the call; that part is ignored";

export function unreadableText(file: string, why: string): string {
  return `${file} cannot be read: ${why}`;
}

export function notUsableText(where: string, why: string): string {
  return `${where} is left out: ${why}`;
}

export function tooBigText(bytes: number): string {
  return `it is larger than ${bytes} bytes`;
}
