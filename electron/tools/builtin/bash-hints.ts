// Recognises, after the fact, that a command wanted input which does not exist here (F04), or that a lone cd was meant to last. Pure.

/** What programs say when they cannot ask. */
const WANTED_INPUT = [
  /EOFError: EOF when reading a line/,
  /\/dev\/tty: (?:No such device|Device not configured)/i,
  /terminal prompts disabled/i,
  /a terminal is required|no tty present|must be run from a terminal|not a (?:tty|terminal)\b|isn't a terminal/i,
  /Inappropriate ioctl for device/i,
  /Host key verification failed/i,
  /missing packages and no YES option/i,
  /cannot prompt|unable to prompt|non-interactive (?:mode|terminal|shell)|prompts? (?:can ?not|could not) be (?:shown|displayed)/i,
];
/** Commands of the shell that read stdin when nothing is piped or redirected to them. */
const READS_STDIN = /(?:^|[;&\n(]|&&|\|\|)\s*(?:read(?:\s+-[a-z]+)*(?:\s+[A-Za-z_]\w*)*|cat(?:\s+-)?)\s*(?:$|[;&\n)])/;
const LONE_CD = /^\s*cd(?:\s+(?:--\s+)?(?:"[^"\n]*"|'[^'\n]*'|[^\s;&|<>()]+))?\s*;?\s*$/;

export function wantedInput(command: string, output: string, failed: boolean): boolean {
  return READS_STDIN.test(command) || (failed && WANTED_INPUT.some((pattern) => pattern.test(output)));
}

export function isLoneCd(command: string): boolean {
  return LONE_CD.test(command);
}
