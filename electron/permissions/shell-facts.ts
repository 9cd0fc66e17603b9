// Recognises shell facts among the facts of any call: what a tool declared about itself, never its name, tells (T1).
import type { ShellFacts } from "./contract.ts";

/** Facts are made by our own analyser and never cross a trust border, so the tag is enough. */
export function isShellFacts(facts: unknown): facts is ShellFacts {
  return typeof facts === "object" && facts !== null && "kind" in facts && facts.kind === "shell_facts";
}

/** Facts for a command that could not be read; everything about it is asked. */
export function unreadableFacts(command: string, unproven: string): ShellFacts {
  return { kind: "shell_facts", command, parts: [], reads: [], redirects: [], readOnly: false, unproven, unreadable: true, background: false };
}
