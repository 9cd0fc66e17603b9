// The permission chain (P2) and the person behind it.
import type { CallId, TurnId } from "#shared/lib/ids.ts";
import type { PermissionMode } from "#shared/permissions/mode.ts";
import type { PermissionAnswer, StepName } from "#shared/permissions/question.ts";
import type { CallTraits, Place, Tool } from "#electron/tools/contract.ts";

export type Behavior = "allow" | "deny" | "ask";
export interface Verdict {
  readonly behavior: Behavior;
  readonly by: StepName;
  /** English, for model and log; names the rule or guard that spoke */
  readonly reason: string;
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
