// What the shell tool declares about a call, read off the facts (T1). Pure; facts that are none get the safe answer.
import { commandWithAnyArguments, exactCommand } from "#shared/permissions/rule-command.ts";
import { formatRule, RULE_MAX_CHARS } from "#shared/permissions/rule.ts";
import type { Effect } from "#shared/tools/effect.ts";
import { quoted } from "./command-rules.ts";
import type { ShellFacts, ShellJudge, ShellPart } from "./contract.ts";
import { findRoughDangers } from "./dangerous.ts";
import { INTERPRETERS } from "./interpreters.ts";
import { isShellFacts } from "./shell-facts.ts";

const ANYTHING: readonly Effect[] = [{ kind: "runs" }, { kind: "workspace_global" }];

export const shellJudge: ShellJudge = {
  readOnly: (facts) => isShellFacts(facts) && facts.readOnly,
  concurrencySafe: (facts) => isShellFacts(facts) && facts.readOnly && !facts.background,
  destructive: (facts) => !isShellFacts(facts) || facts.unreadable || facts.parts.some((part) => part.sweeping || part.git !== undefined),
  effects: (facts) => (isShellFacts(facts) && !facts.unreadable ? effectsOf(facts) : ANYTHING),
  opinion: () => ({ behavior: "pass" }),
  suggestRules: (facts, toolName) => (isShellFacts(facts) ? suggestions(facts).map((content) => formatRule(toolName, content)) : []),
};

function effectsOf(facts: ShellFacts): readonly Effect[] {
  const { parts } = facts;
  const unknown = facts.unproven !== undefined;
  const effects: Effect[] = [
    ...unique(facts.reads).map((target): Effect => ({ kind: "reads", target })),
    ...unique([...parts.flatMap((part) => part.writes), ...facts.redirects]).map((target): Effect => ({ kind: "writes", target })),
    ...unique(parts.flatMap((part) => part.deletes)).map((target): Effect => ({ kind: "deletes", target })),
    ...unique(parts.filter((part) => part.network).map(hostOf)).map((target): Effect => ({ kind: "network", target })),
  ];
  if (parts.some((part) => part.known[0] === "git" && part.does === "unknown")) effects.push({ kind: "git_index" });
  return unknown ? [...effects, { kind: "runs" }] : effects;
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

// The host a command names, or its own name where it names none.
function hostOf(part: ShellPart): string {
  const url = part.known.map((word) => /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@\s]*@)?([^/:\s]+)/i.exec(word)?.[1]).find((host) => host !== undefined);
  return url ?? part.known[0] ?? "unknown";
}

/** Programs that do whatever their arguments say: a rule with any arguments would allow everything. */
const ONLY_EXACT = new Set<string>([
  ...INTERPRETERS,
  "bash",
  "sh",
  "dash",
  "zsh",
  "ksh",
  "fish",
  "eval",
  "exec",
  "source",
  ".",
  "sudo",
  "doas",
  "su",
  "env",
  "xargs",
  "find",
  "ssh",
  "nohup",
  "watch",
  "setsid",
  "trap",
  "busybox",
  "parallel",
  "rm",
  "dd",
  "chmod",
  "chown",
  "kill",
  "killall",
  "pkill",
  "curl",
  "wget",
  "docker",
  "podman",
  "kubectl",
  "aws",
  "gcloud",
  "az",
  "gh",
  "git",
  "npx",
  "tar",
  "rsync",
  "scp",
  "sed",
  "awk",
  "gawk",
  "ln",
  "mv",
  "tee",
  "crontab",
  "systemctl",
  "launchctl",
  "psql",
  "mysql",
  "sqlite3",
  "time",
  "timeout",
  "nice",
  "command",
  "builtin",
]);
/** Programs whose second word says what they do. */
const TWO_WORDS = new Set([
  "npm",
  "pnpm",
  "yarn",
  "cargo",
  "go",
  "make",
  "just",
  "task",
  "gradle",
  "./gradlew",
  "mvn",
  "dotnet",
  "bundle",
  "rake",
  "rails",
  "mix",
  "poetry",
  "uv",
  "pip",
  "pip3",
  "brew",
  "apt",
  "apt-get",
  "terraform",
  "helm",
  "composer",
  "swift",
  "flutter",
  "dart",
  "deno",
  "nx",
  "turbo",
]);
const THREE_WORDS = new Set([
  "npm run",
  "pnpm run",
  "yarn run",
  "bun run",
  "uv run",
  "poetry run",
  "bundle exec",
  "pnpm exec",
  "npm exec",
  "dotnet tool",
  "go tool",
  "nx run",
]);
const MAX_PARTS_OFFERED = 5;
/** Longer text is not seen whole before it is allowed for good. */
const MAX_EXACT_CHARS = 300;

// Never junk (B16): only real commands become rules, and nothing is offered that would not cover the call.
function suggestions(facts: ShellFacts): readonly string[] {
  if (facts.foreign === true) return exactOnly(facts);
  if (hidesWhatItDoes(facts) || facts.redirects.length > 0) return [];
  const open = facts.parts.filter((part) => (part.does === "files" || part.does === "unknown") && part.inside !== true);
  if (open.length === 0 || open.length > MAX_PARTS_OFFERED || facts.command.includes("<<")) return [];
  const perPart = open.map(contentsFor);
  const covered = perPart.every((contents) => contents.length > 0);
  const whole = facts.parts.length > 1 && open.every((part) => part.complete) ? [exactCommand(facts.command)] : [];
  return unique([...whole, ...(covered ? perPart.flat() : [])]).filter((content) => content.length < RULE_MAX_CHARS - 100);
}

// What nobody could take apart may only be allowed to the letter (another shell's commands).
function exactOnly({ command }: ShellFacts): readonly string[] {
  return command.length <= MAX_EXACT_CHARS && findRoughDangers(command).length === 0 ? [exactCommand(command)] : [];
}

function hidesWhatItDoes(facts: ShellFacts): boolean {
  return facts.unreadable || facts.unseen !== undefined || facts.parts.some((part) => part.hidden !== undefined || part.runsDownload === true);
}

function contentsFor(part: ShellPart): readonly string[] {
  const exact = part.complete
    ? [exactCommand(part.env.every((one) => one.harmless) ? part.text : [...part.env.map((one) => one.text), part.text].join(" "))]
    : [];
  const stem = stemOf(part);
  return stem === undefined || !part.env.every((one) => one.harmless) ? exact : unique([...exact, commandWithAnyArguments(stem)]);
}

// The words that say what is done, without its arguments.
function stemOf(part: ShellPart): string | undefined {
  const [name, second, third] = part.known;
  if (name === undefined || ONLY_EXACT.has(name)) return undefined;
  if (!TWO_WORDS.has(name)) return quoted([name]);
  if (second === undefined || second.startsWith("-")) return undefined;
  if (!THREE_WORDS.has(`${name} ${second}`)) return quoted([name, second]);
  return third === undefined || third.startsWith("-") ? undefined : quoted([name, second, third]);
}
