// The permission chain (P2), the person behind it, and what the shell analysis says about a command (P3).
import type { CallId, TurnId } from "#shared/lib/ids.ts";
import type { AskWhy } from "#shared/permissions/explanation.ts";
import type { PermissionMode } from "#shared/permissions/mode.ts";
import type { PermissionAnswer, StepName } from "#shared/permissions/question.ts";
import type { Effect } from "#shared/tools/effect.ts";
import type { CallTraits, Place, Tool, ToolOpinion } from "#electron/tools/contract.ts";

export type Behavior = "allow" | "deny" | "ask";
export interface Verdict {
  readonly behavior: Behavior;
  readonly by: StepName;
  /** English, for model and log; names the rule or guard that spoke */
  readonly reason: string;
  /** what the reason is about (a path, a part of a command); apart from it, so that refusals can be counted by reason (P6) */
  readonly about?: string;
  /** the reason as one of a closed set, where the step alone does not tell it; for the words a person reads */
  readonly why?: AskWhy;
  /** the person's rules that spoke, as written */
  readonly rules?: readonly string[];
  /** only the person may approve, each time: no rule, hook or remembered answer (protected paths) */
  readonly personOnly?: boolean;
}
export interface PermissionQuery {
  readonly call: CallId;
  readonly turn: TurnId;
  readonly tool: Tool;
  readonly input: unknown;
  /** false: the input does not parse; deny rules and guards only (T3) */
  readonly parsed: boolean;
  readonly facts: unknown;
  readonly traits: CallTraits;
  readonly place: Place;
  readonly mode: PermissionMode;
  readonly hookSays: Behavior | undefined;
}
export interface PermissionStep {
  readonly name: StepName;
  /** undefined = no opinion; a throw counts as ask, headless as deny */
  check(query: PermissionQuery): Promise<Verdict | undefined>;
}
/** Pure of UI. */
export interface PermissionEngine {
  decide(query: PermissionQuery): Promise<Verdict>;
}
/** The person; the wait is counted and closed in `finally` (L21). `undefined`: the signal aborted first. */
export interface PermissionBroker {
  ask(query: PermissionQuery, verdict: Verdict, refusals: number, signal: AbortSignal): Promise<PermissionAnswer | undefined>;
}
export type ActiveRules = { readonly allow: readonly string[]; readonly ask: readonly string[]; readonly deny: readonly string[] };

/**
 * What a part does, as far as it was proven: `nothing` of its own (`cd src`, `timeout 5`), `reads`, changes `files` that it
 * names and nothing else, or `unknown`.
 */
export type PartPower = "nothing" | "reads" | "files" | "unknown";
/** One simple command inside a command line; what wrappers (`env`, `timeout`, `bash -c`) start is a part of its own. */
export type ShellPart = {
  /** as written, without its assignments and redirects */
  readonly text: string;
  /** words after quoting, up to the first one that is only known at run time */
  readonly known: readonly string[];
  /** `known` is the whole command */
  readonly complete: boolean;
  readonly does: PartPower;
  /** what could not be proven, when `does` is `unknown` */
  readonly why?: string;
  /** assignments before it, as written; allow rules skip the harmless ones (B08) */
  readonly env: readonly { readonly text: string; readonly harmless: boolean }[];
  readonly writes: readonly string[];
  readonly deletes: readonly string[];
  /** publishes, rewrites or discards with git: the words that a rule of the person's must name (P12) */
  readonly git?: string;
  /** runs programs that its text does not show (settings of the repository); no rule with content covers it (B06) */
  readonly hidden?: string;
  readonly network: boolean;
  /** started by another part, which a rule about commands must cover (`sudo`, `npx`); deny and ask rules see it on its own */
  readonly inside?: boolean;
  /** an interpreter that is fed what another part fetches (`curl … | sh`) */
  readonly runsDownload?: boolean;
  /** deletes more than it names: folders, patterns */
  readonly sweeping: boolean;
};
/** Plain, cloneable, made by `ShellAnalyser.analyse`. Paths are absolute; `..` and links are still in them. */
export type ShellFacts = {
  readonly kind: "shell_facts";
  readonly command: string;
  /** complete unless `unreadable` */
  readonly parts: readonly ShellPart[];
  readonly reads: readonly string[];
  /** files that redirects write; no rule about a command covers them */
  readonly redirects: readonly string[];
  /** every part reads at most and nothing is written */
  readonly readOnly: boolean;
  /** why not every effect is known */
  readonly unproven?: string;
  /** something outside the parts that could not be judged; no rule about commands covers the line */
  readonly unseen?: string;
  /** the text could not be read at all: syntax, length, time, a crash */
  readonly unreadable: boolean;
  /** unreadable because another shell will run it (PowerShell), not because of what it says */
  readonly foreign?: true;
  readonly background: boolean;
};
export interface ShellAnalyser {
  /** Never rejects: whatever fails comes back as `unreadable` facts, which ask. */
  analyse(command: string, place: Place): Promise<ShellFacts>;
  close(): Promise<void>;
}
/** What the shell tool declares about a call, worked out from the facts; anything but shell facts gets the safe answer. */
export interface ShellJudge {
  readOnly(facts: unknown): boolean;
  concurrencySafe(facts: unknown): boolean;
  destructive(facts: unknown): boolean;
  effects(facts: unknown, place: Place): readonly Effect[];
  opinion(facts: unknown): ToolOpinion;
  suggestRules(facts: unknown, toolName: string): readonly string[];
}
