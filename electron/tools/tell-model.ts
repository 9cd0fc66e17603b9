// Errors as the model reads them: what is wrong and the next step to take (T4).
import type { z } from "zod";
import { oneLine } from "#shared/lib/text.ts";
import type { ToolFailure } from "#shared/tools/failure.ts";

type Issue = z.core.$ZodIssue;
const MAX_ISSUES = 8;
const MAX_GOT_CHARS = 80;

/** A call of a tool that does not exist; `near` are names like it. */
export function unknownTool(name: string, near: readonly string[]): ToolFailure {
  const hint = near.length > 0 ? `Did you mean ${near.map((one) => `"${one}"`).join(" or ")}? Call it by that name.` : "Call one of the tools you were given.";
  return { kind: "not_found", retryable: false, message: `There is no tool named "${oneLine(name, MAX_GOT_CHARS)}". ${hint}` };
}

/** A refused call. `why`: the person's own words, if they gave any; `because`: the reason of the step that refused. */
export function deniedCall(tool: string, denial: { readonly because: string; readonly byPerson: boolean; readonly why?: string | undefined }): string {
  if (!denial.byPerson)
    return `This call of "${tool}" is not allowed: ${denial.because}. Do not try to get around it; take another way, or tell the person what you need and why.`;
  const said = denial.why === undefined || denial.why.trim() === "" ? "They gave no reason." : `They said: ${denial.why.trim()}`;
  return `The person refused this call of "${tool}". ${said} Do not repeat it; follow what they said, or ask them what they want instead.`;
}

/** `problems` as `describeIssues` words them. `olderForm`: this conversation holds calls that were made in an older form of the tool. */
export function invalidInput(tool: string, problems: string, { olderForm }: { readonly olderForm: boolean }): ToolFailure {
  const older = olderForm ? `\n"${tool}" has changed since earlier calls in this conversation: go by its definition, not by them.` : "";
  return {
    kind: "invalid_input",
    retryable: true,
    message: `The input of "${tool}" is not valid. Nothing was done.\n${problems}${older}\nMend these fields and call "${tool}" again.`,
  };
}

/** One line per problem: field, expected, got. */
export function describeIssues(issues: readonly Issue[], input: unknown): string {
  const lines = issues.slice(0, MAX_ISSUES).map((issue) => `- ${describeIssue(issue, input)}`);
  if (issues.length > MAX_ISSUES) lines.push(`- and ${issues.length - MAX_ISSUES} more problems`);
  return lines.join("\n");
}

function describeIssue(issue: Issue, input: unknown): string {
  if (issue.code === "unrecognized_keys") {
    const at = issue.path.length > 0 ? ` in ${fieldName(issue.path)}` : "";
    const named = issue.keys.slice(0, MAX_ISSUES).map((key) => `"${oneLine(key, MAX_GOT_CHARS)}"`);
    const more = issue.keys.length > MAX_ISSUES ? ` and ${issue.keys.length - MAX_ISSUES} more` : "";
    return `unknown field${issue.keys.length > 1 ? "s" : ""}${at}: ${named.join(", ")}${more}; leave out what the tool does not list`;
  }
  const got = describeValue(valueAt(input, issue.path));
  if (issue.code === "custom") return `${fieldName(issue.path)}: ${issue.message}`;
  return `${fieldName(issue.path)}: expected ${expectedOf(issue)}, got ${got}`;
}

function expectedOf(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return withArticle(issue.expected);
    case "invalid_value":
      return `one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    case "too_small":
      return `at least ${String(issue.minimum)}${unitOf(issue.origin)}`;
    case "too_big":
      return `at most ${String(issue.maximum)}${unitOf(issue.origin)}`;
    case "invalid_union":
      return [...new Set(issue.errors.flat().map(expectedOf))].join(" or ") || "another kind of value";
    default:
      return `another value (${issue.message})`;
  }
}

function withArticle(type: string): string {
  if (type === "int") return "a whole number";
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function unitOf(origin: string): string {
  if (origin === "string") return " characters";
  return origin === "array" ? " items" : "";
}

/** As the model wrote it: "edits[0].new_string". */
export function fieldName(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "the input";
  const steps = path.map((step, index) => (typeof step === "number" ? `[${step}]` : `${index > 0 ? "." : ""}${String(step)}`));
  return `"${steps.join("")}"`;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let at = input;
  for (const step of path) {
    if (typeof at !== "object" || at === null) return undefined;
    at = Object.getOwnPropertyDescriptor(at, step)?.value;
  }
  return at;
}

function describeValue(value: unknown): string {
  if (value === undefined) return "nothing (the field is missing)";
  if (value === null) return "null";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object") return `an object with ${Object.keys(value).length} fields`;
  if (typeof value === "string") return value === "" ? "an empty string" : `the string ${JSON.stringify(oneLine(value, MAX_GOT_CHARS))}`;
  return typeof value === "number" || typeof value === "boolean" ? `${typeof value} ${value}` : `a ${typeof value}`;
}
