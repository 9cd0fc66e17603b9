// Folders one worked in lately, newest first.
const RECENT_KEPT = 12;

export function withRecent(before: readonly string[], cwd: string): string[] {
  return [cwd, ...before.filter((other) => other !== cwd)].slice(0, RECENT_KEPT);
}
