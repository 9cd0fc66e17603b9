// What a hook's exit code and output mean (H1), as outcomes for others to act on (H2). Pure; anything may have been printed.
import { z } from "zod";
import { headOf, oneLine, wellFormed } from "#shared/lib/text.ts";
import type { HookEventName } from "#shared/settings/settings.ts";
import type { HookOutcome } from "./contract.ts";
import { exitText, NO_REASON, notJsonText, ONLY_BEFORE, ONLY_MCP_OUTPUT, tooLongText, unclearAnswerText, wrongShapeText } from "./hooks.text.ts";

export type HookEnd = {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly cut: boolean;
};
export type HookContext = { readonly event: HookEventName; readonly subject: string; readonly command: string; readonly maxOutputBytes: number };
/** `problems`: for the log and the person */
export type HookReading = { readonly outcomes: readonly HookOutcome[]; readonly problems: readonly string[] };

const BLOCK_EXIT_CODE = 2;
const MAX_TEXT_CHARS = 20_000;
const MAX_PROBLEM_CHARS = 300;
const MAX_MESSAGE_CHARS = 1_000;
const MCP_PREFIX = "mcp__";
/** Plain output of these is context for the model. */
const TALKS_TO_MODEL: ReadonlySet<HookEventName> = new Set(["UserPromptSubmit", "SessionStart"]);

const Text = z.string().nullish();
const Answer = z.looseObject({
  continue: z.boolean().nullish(),
  stopReason: Text,
  systemMessage: Text,
  decision: z.enum(["block", "approve", "allow", "deny", "ask"]).nullish(),
  reason: Text,
  additionalContext: Text,
  hookSpecificOutput: z
    .looseObject({
      permissionDecision: z.enum(["allow", "deny", "ask"]).nullish(),
      permissionDecisionReason: Text,
      updatedInput: z.record(z.string(), z.unknown()).nullish(),
      additionalContext: Text,
      updatedMCPToolOutput: z.unknown().optional(),
      updatedToolOutput: z.unknown().optional(),
    })
    .nullish(),
});
type Answer = z.infer<typeof Answer>;

/** Never throws. */
export function readAnswer(end: HookEnd, context: HookContext): HookReading {
  if (end.exitCode === BLOCK_EXIT_CODE) return { outcomes: [{ kind: "block", reason: bounded(end.stderr) || NO_REASON }], problems: [] };
  if (end.exitCode !== 0) return { outcomes: [], problems: [exitText(end.exitCode, end.signal, oneLine(end.stderr, MAX_PROBLEM_CHARS))] };
  const output = end.stdout.trim();
  if (!output.startsWith("{")) return plainText(output, end.cut, context);
  if (end.cut) return unclear(tooLongText(context.maxOutputBytes), context);
  const answer = parseAnswer(output);
  return typeof answer === "string" ? unclear(answer, context) : translate(answer, context);
}

function plainText(output: string, cut: boolean, { event, maxOutputBytes }: HookContext): HookReading {
  const problems = cut ? [tooLongText(maxOutputBytes)] : [];
  return { outcomes: output !== "" && TALKS_TO_MODEL.has(event) ? [{ kind: "context", text: bounded(output) }] : [], problems };
}

/** A guard whose answer is unreadable may have meant "no": the person decides. After the call there is nothing left to hold back. */
function unclear(problem: string, { event, command }: HookContext): HookReading {
  const reason = unclearAnswerText(oneLine(command, MAX_PROBLEM_CHARS), problem);
  return { outcomes: event === "PreToolUse" ? [{ kind: "permission", says: "ask", reason }] : [], problems: [problem] };
}

function parseAnswer(output: string): Answer | string {
  let json: unknown;
  try {
    json = JSON.parse(output);
  } catch (error) {
    return notJsonText(oneLine(error instanceof Error ? error.message : String(error), MAX_PROBLEM_CHARS));
  }
  const parsed = Answer.safeParse(json);
  if (parsed.success) return parsed.data;
  return wrongShapeText(oneLine(parsed.error.issues.map((issue) => `${issue.path.join(".") || "the answer"}: ${issue.message}`).join("; "), MAX_PROBLEM_CHARS));
}

function translate(answer: Answer, context: HookContext): HookReading {
  const output = changedOutput(answer, context);
  const decided = context.event === "PreToolUse" ? beforeCall(answer) : [];
  const message = hasText(answer.systemMessage) ? [{ kind: "message", text: oneLine(answer.systemMessage, MAX_MESSAGE_CHARS) } as const] : [];
  const late = context.event !== "PreToolUse" && decidesAboutCall(answer) ? [ONLY_BEFORE] : [];
  return {
    outcomes: [...endings(answer), ...decided, ...contexts(answer), ...output.outcomes, ...message],
    problems: [...late, ...output.problems],
  };
}

function endings(answer: Answer): readonly HookOutcome[] {
  return [
    ...(answer.continue === false ? [{ kind: "stop", reason: firstText(answer.stopReason, answer.reason) } as const] : []),
    ...(answer.decision === "block" ? [{ kind: "block", reason: firstText(answer.reason) } as const] : []),
  ];
}

function contexts({ additionalContext, hookSpecificOutput }: Answer): readonly HookOutcome[] {
  return [additionalContext, hookSpecificOutput?.additionalContext].flatMap((text) =>
    hasText(text) ? [{ kind: "context", text: bounded(text) } as const] : [],
  );
}

/** Only the output of an MCP tool may be changed, and only after the call (H1). */
function changedOutput({ hookSpecificOutput: specific }: Answer, { event, subject }: HookContext): HookReading {
  const output: unknown = specific?.updatedMCPToolOutput ?? specific?.updatedToolOutput;
  if (output === undefined || output === null) return { outcomes: [], problems: [] };
  const may = event === "PostToolUse" && subject.startsWith(MCP_PREFIX);
  return may ? { outcomes: [{ kind: "changed_output", output }], problems: [] } : { outcomes: [], problems: [ONLY_MCP_OUTPUT] };
}

function decidesAboutCall({ hookSpecificOutput: specific }: Answer): boolean {
  return hasText(specific?.permissionDecision) || (specific?.updatedInput ?? undefined) !== undefined;
}

function beforeCall({ decision, reason, hookSpecificOutput: specific }: Answer): readonly HookOutcome[] {
  const says = specific?.permissionDecision ?? OLD_DECISIONS[decision ?? "block"];
  const input = specific?.updatedInput;
  return [
    ...(says === undefined ? [] : [{ kind: "permission", says, reason: firstText(specific?.permissionDecisionReason, reason) } as const]),
    ...(input === undefined || input === null ? [] : [{ kind: "changed_input", input } as const]),
  ];
}

/** `block` is an outcome of its own. */
const OLD_DECISIONS = { approve: "allow", allow: "allow", deny: "deny", ask: "ask", block: undefined } as const;

function firstText(...texts: readonly (string | null | undefined)[]): string {
  return bounded(texts.find(hasText) ?? "") || NO_REASON;
}

function hasText(text: string | null | undefined): text is string {
  return typeof text === "string" && text.trim() !== "";
}

function bounded(text: string): string {
  return wellFormed(headOf(text.trim(), MAX_TEXT_CHARS));
}
