// Rules about commands (P4, B01, B08): for deny and ask one matching part is enough, for allow every part must be covered. Pure.
import { exactCommand, isExactCommand, literalStart, matchesCommand } from "#shared/permissions/rule-command.ts";
import type { ParsedRule } from "#shared/permissions/rule.ts";
import type { ShellFacts, ShellPart } from "./contract.ts";

/** The first rule with content that any part of the command meets, however it is spelled. */
export function ruleMeeting(facts: ShellFacts, rules: readonly ParsedRule[]): { readonly rule: ParsedRule; readonly part: string } | undefined {
  const spellings = [facts.command, ...facts.parts.flatMap(spellingsOf), ...(facts.unreadable ? roughParts(facts.command) : [])];
  for (const rule of rules) {
    const part = spellings.find((text) => rule.content !== undefined && matchesCommand(rule.content, text));
    if (part !== undefined) return { rule, part };
  }
  return undefined;
}

/** True when the command holds a program whose name is only known at run time: no deny or ask rule can be ruled out. */
export function hidesItsName(facts: ShellFacts): boolean {
  return facts.unreadable || facts.parts.some((part) => part.known.length === 0 && part.does === "unknown");
}

/** The rule that means exactly this text, if one does: a remembered answer about the same call (P5). */
export function sameCallRule(facts: ShellFacts, rules: readonly ParsedRule[]): ParsedRule | undefined {
  if (facts.parts.some((part) => part.hidden !== undefined)) return undefined;
  return rules.find((rule) => rule.content !== undefined && isExactCommand(rule.content) && rule.content === exactCommand(facts.command));
}

/** The rule that covers this part; undefined when none does. A part that hides what it runs is never covered (B06). */
export function ruleCovering(part: ShellPart, rules: readonly ParsedRule[]): ParsedRule | undefined {
  if (part.hidden !== undefined || part.known.length === 0) return undefined;
  const texts = coveredSpellings(part);
  return rules.find((rule) => {
    const { content } = rule;
    if (content === undefined || !texts.some((text) => matchesCommand(content, text))) return false;
    return part.git === undefined || names(content, part.git);
  });
}

// P12: `git push *` names a push; `git *` and `*` do not.
function names(content: string, git: string): boolean {
  const start = literalStart(content);
  return start === git || start.startsWith(`${git} `) || start.trimEnd() === git;
}

// With an assignment that changes what runs, only a rule that shows the assignment covers the part.
function coveredSpellings(part: ShellPart): readonly string[] {
  const plain = part.complete ? [part.text, quoted(part.known)] : [part.text];
  const withEnv = part.env.length === 0 ? [] : plain.map((text) => `${part.env.map((one) => one.text).join(" ")} ${text}`);
  return part.env.every((one) => one.harmless) ? [...plain, ...withEnv] : withEnv;
}

function spellingsOf(part: ShellPart): readonly string[] {
  const [name = "", ...rest] = part.known;
  const base = name.replace(/^.*[\\/]/, "");
  const plain = [part.text, quoted(part.known), part.known.join(" "), [base, ...rest].join(" "), [base.toLowerCase(), ...rest].join(" ")];
  const env = part.env.map((one) => one.text).join(" ");
  return env === "" ? plain : [...plain, ...plain.map((text) => `${env} ${text}`)];
}

// For text that no grammar read: anything that may begin a command.
function roughParts(command: string): readonly string[] {
  return command
    .split(/[;&|\n\r(){}`]+|\$\(|\b(?:then|do|else)\b/)
    .map((piece) =>
      piece
        .trim()
        .replace(/^(?:[A-Za-z_]\w*=\S*\s+)+/, "")
        .replace(/^(?:!|sudo|env|command|exec|nohup|time)\s+/, ""),
    )
    .filter((piece) => piece !== "");
}

/** Words as one line of shell: quoted where a word would not stay one word. */
export function quoted(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./~^*?[\]{}!#-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}
