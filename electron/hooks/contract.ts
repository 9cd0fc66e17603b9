// People's own commands at fixed points (H1). The layer translates into outcomes; it does not decide (H2).

import type { Result } from "#shared/lib/result.ts";
import type { HookTrust, ProjectHooksState } from "#shared/settings/project-hooks.ts";
import type { HookEventName, HookSettings } from "#shared/settings/settings.ts";

export type HookOutcome =
  | { readonly kind: "nothing" }
  | { readonly kind: "block"; readonly reason: string }
  | { readonly kind: "permission"; readonly says: "allow" | "ask" | "deny"; readonly reason: string }
  | { readonly kind: "changed_input"; readonly input: unknown }
  | { readonly kind: "context"; readonly text: string }
  | { readonly kind: "stop"; readonly reason: string }
  | { readonly kind: "changed_output"; readonly output: unknown }
  /** for the person: the hook's own words, or what went wrong with it */
  | { readonly kind: "message"; readonly text: string }
  | { readonly kind: "problem"; readonly command: string; readonly message: string };

export interface HookRunner {
  /** Runs the hooks that match, in order; never rejects. `subject`: tool name or other thing matchers look at. */
  run(event: HookEventName, subject: string, payload: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<readonly HookOutcome[]>;
}

/** What the person said about the hooks that folders bring along; nobody else can say it (H1). */
export interface ProjectTrust {
  /** hooks of the folder that may run now; none unless exactly these are trusted. Never rejects. */
  allowed(folder: string): Promise<HookSettings>;
  state(folder: string): Promise<ProjectHooksState>;
  /** `hash`: of what was shown; `changed` when it is no longer what the folder holds. Rejects when the decision cannot be kept. */
  decide(decision: {
    readonly folder: string;
    readonly hash: string;
    readonly trusted: boolean;
  }): Promise<Result<ProjectHooksState, { readonly kind: "changed" }>>;
  decisions(): Promise<readonly HookTrust[]>;
  /** Takes a decision back: the hooks do not run and are asked about again. */
  forget(folder: string): Promise<void>;
  /** Tells the state now, and again whenever an event or a decision finds it changed. */
  follow(folder: string, tell: (state: ProjectHooksState) => void): Disposable;
}
