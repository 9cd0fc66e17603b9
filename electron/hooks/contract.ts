// People's own commands at fixed points (H1). The layer translates into outcomes; it does not decide (H2).

export type HookEventName =
  | "SessionStart"
  | "UserPromptSubmit"
  | "PreToolUse"
  | "PostToolUse"
  | "PostToolUseFailure"
  | "Stop"
  | "SubagentStop"
  | "PreCompact"
  | "Notification"
  | "SessionEnd";

export type HookOutcome =
  | { readonly kind: "nothing" }
  | { readonly kind: "block"; readonly reason: string }
  | { readonly kind: "permission"; readonly says: "allow" | "ask" | "deny"; readonly reason: string }
  | { readonly kind: "changed_input"; readonly input: unknown }
  | { readonly kind: "context"; readonly text: string }
  | { readonly kind: "stop"; readonly reason: string }
  | { readonly kind: "changed_output"; readonly output: unknown };

export interface HookRunner {
  /** Runs the hooks that match, in order; never rejects. `subject`: tool name or other thing matchers look at. */
  run(event: HookEventName, subject: string, payload: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<readonly HookOutcome[]>;
}
