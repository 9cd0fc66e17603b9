// The headless command's flags (DESIGN 7). Pure. What is not known, or not built, is refused and never ignored.
import { parseArgs } from "node:util";
import { z } from "zod";
import { err, ok, type Result } from "#shared/lib/result.ts";
import { EXPORT_FORMATS, type ExportFormat } from "#electron/sessions/export.ts";
import { PermissionMode } from "#shared/permissions/mode.ts";
import { ProviderId } from "#shared/settings/settings.ts";

export const OutputFormat = z.enum(["text", "json", "stream-json"]);
export type OutputFormat = z.infer<typeof OutputFormat>;

export type RunArgs = {
  readonly command: "run";
  /** undefined: read it from standard input */
  readonly prompt: string | undefined;
  readonly format: OutputFormat;
  readonly partial: boolean;
  readonly cwd: string | undefined;
  readonly provider: ProviderId | undefined;
  readonly baseUrl: string | undefined;
  readonly model: string | undefined;
  readonly fallbackModel: string | undefined;
  readonly mode: PermissionMode | undefined;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly maxSteps: number | undefined;
  readonly maxSpend: { readonly usd: number } | { readonly tokens: number } | undefined;
  readonly continueLast: boolean;
  readonly resume: string | undefined;
  readonly appendSystem: string | undefined;
  readonly settingsFile: string | undefined;
  readonly trustProjectHooks: boolean;
  /** in a copy of the folder (K8) */
  readonly isolated: boolean;
  readonly dataDir: string | undefined;
};
export type CheckpointsArgs = {
  readonly command: "checkpoints";
  readonly verb: "list" | "show" | "diff" | "restore" | "undo";
  readonly id: string | undefined;
  readonly format: OutputFormat;
  readonly cwd: string | undefined;
  readonly dataDir: string | undefined;
  readonly exact: boolean;
  readonly dryRun: boolean;
  readonly files: readonly string[] | undefined;
};
export type SessionsArgs = {
  readonly command: "sessions";
  readonly verb: "list" | "search" | "export" | "fork" | "merge";
  /** of a search: its words */
  readonly id: string | undefined;
  readonly format: OutputFormat;
  readonly cwd: string | undefined;
  readonly dataDir: string | undefined;
  /** checkpoint at which to fork; undefined: at the end */
  readonly at: string | undefined;
  /** of an export; undefined: as the output format says */
  readonly exportAs: ExportFormat | undefined;
  readonly dryRun: boolean;
  readonly files: readonly string[] | undefined;
};
export type CliArgs = RunArgs | CheckpointsArgs | SessionsArgs | { readonly command: "help" } | { readonly command: "version" };

const OPTIONS = {
  print: { type: "boolean", short: "p" },
  "output-format": { type: "string" },
  "include-partial-messages": { type: "boolean" },
  cwd: { type: "string" },
  provider: { type: "string" },
  "base-url": { type: "string" },
  model: { type: "string" },
  "fallback-model": { type: "string" },
  "permission-mode": { type: "string" },
  allowedTools: { type: "string", multiple: true },
  "allowed-tools": { type: "string", multiple: true },
  disallowedTools: { type: "string", multiple: true },
  "disallowed-tools": { type: "string", multiple: true },
  "max-turns": { type: "string" },
  "max-spend": { type: "string" },
  continue: { type: "boolean", short: "c" },
  resume: { type: "string", short: "r" },
  "append-system-prompt": { type: "string" },
  "mcp-config": { type: "string" },
  settings: { type: "string" },
  "trust-project-hooks": { type: "boolean" },
  isolated: { type: "boolean" },
  at: { type: "string" },
  format: { type: "string" },
  "data-dir": { type: "string" },
  exact: { type: "boolean" },
  "dry-run": { type: "boolean" },
  files: { type: "string", multiple: true },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

const CHECKPOINT_VERBS = z.enum(["list", "show", "diff", "restore", "undo"]);
const SESSION_VERBS = z.enum(["list", "search", "export", "fork", "merge"]);

/** Parses the arguments after the program's name; the error is one line for the person. */
export function parseCliArgs(argv: readonly string[]): Result<CliArgs, string> {
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true, strict: true });
    if (values.help) return ok({ command: "help" });
    if (values.version) return ok({ command: "version" });
    if (values["mcp-config"] !== undefined) throw new Error("--mcp-config is not available yet: MCP servers are not built into this version.");
    const [first, second, third, ...rest] = positionals;
    if (first === "checkpoints" && !values.print) return ok(checkpointsArgs(values, second, third, rest));
    if (first === "sessions" && !values.print) return ok(sessionsArgs(values, second, third, rest));
    return ok(runArgs(values, positionals));
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error));
  }
}

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>>["values"];

function refuseMixes(values: Values, positionals: readonly string[]): void {
  if (positionals.length > 1) throw new Error(`Only one prompt is taken, but ${positionals.length} were given. Put quotes around it.`);
  for (const flag of ["exact", "dry-run", "files"] as const)
    if (values[flag] !== undefined) throw new Error(`--${flag} belongs to "cairn checkpoints restore".`);
  if (values.at !== undefined) throw new Error('--at belongs to "cairn sessions fork".');
  if (values.format !== undefined) throw new Error('--format belongs to "cairn sessions export"; an answer has --output-format.');
  if (values.isolated && (values.continue || values.resume !== undefined))
    throw new Error("--isolated begins a session; it does not go with --continue and --resume.");
  if (values.continue && values.resume !== undefined) throw new Error("--continue and --resume exclude each other.");
}

function runArgs(values: Values, positionals: readonly string[]): RunArgs {
  refuseMixes(values, positionals);
  return {
    command: "run",
    prompt: positionals[0] === "-" ? undefined : positionals[0],
    format: oneOf(OutputFormat, "output-format", values["output-format"]) ?? "text",
    partial: values["include-partial-messages"] ?? false,
    cwd: values.cwd,
    provider: oneOf(ProviderId, "provider", values.provider),
    baseUrl: webAddress(values["base-url"]),
    model: values.model,
    fallbackModel: values["fallback-model"],
    mode: oneOf(PermissionMode, "permission-mode", values["permission-mode"]),
    allow: ruleList([values.allowedTools, values["allowed-tools"]].flatMap((lists) => lists ?? [])),
    deny: ruleList([values.disallowedTools, values["disallowed-tools"]].flatMap((lists) => lists ?? [])),
    maxSteps: positive("max-turns", values["max-turns"]),
    maxSpend: spendLimit(values["max-spend"]),
    continueLast: values.continue ?? false,
    resume: values.resume,
    appendSystem: values["append-system-prompt"],
    settingsFile: values.settings,
    trustProjectHooks: values["trust-project-hooks"] ?? false,
    isolated: values.isolated ?? false,
    dataDir: values["data-dir"],
  };
}

function checkpointsArgs(values: Values, verb: string | undefined, id: string | undefined, rest: readonly string[]): CheckpointsArgs {
  const known = oneOf(CHECKPOINT_VERBS, "checkpoints", verb ?? "list");
  if (known === undefined || rest.length > 0) throw new Error("Too many words after the checkpoint's id.");
  refuseOthers(values, `checkpoints ${known}`, CHECKPOINT_FLAGS[known]);
  checkId(known, id);
  return {
    command: "checkpoints",
    verb: known,
    id,
    ...place(values),
    exact: values.exact ?? false,
    dryRun: values["dry-run"] ?? false,
    files: values.files?.flatMap(splitFiles),
  };
}

function checkId(verb: CheckpointsArgs["verb"], id: string | undefined): void {
  const takesOne = verb === "show" || verb === "diff" || verb === "restore";
  if (!takesOne && id !== undefined) throw new Error(`"checkpoints ${verb}" takes no id, but ${id} was given.`);
  if (takesOne && id === undefined) throw new Error(`"checkpoints ${verb}" needs the id of a checkpoint; "checkpoints list" shows them.`);
}

const CHANGING = ["files", "exact", "dry-run"] as const;
const CHECKPOINT_FLAGS = { list: [], show: [], diff: ["files"], restore: CHANGING, undo: CHANGING } as const;
const SESSION_FLAGS = { list: [], search: [], export: ["format"], fork: ["at"], merge: ["files", "dry-run"] } as const;
const EVERYWHERE = ["output-format", "cwd", "data-dir"];

/** A flag that does nothing here would look as if it had been heeded. */
function refuseOthers(values: Values, command: string, own: readonly string[]): void {
  const other = Object.keys(values).find((flag) => !EVERYWHERE.includes(flag) && !own.includes(flag));
  if (other !== undefined) throw new Error(`--${other} does not belong to "${command}".`);
}

/** At commas; `\\,` is a comma in a name. */
function splitFiles(list: string): readonly string[] {
  const files = list.split(/(?<!\\),/).map((file) => file.replaceAll("\\,", ","));
  if (files.includes("")) throw new Error('--files has an empty name. Give names with commas between them, or "." for all.');
  return files;
}

function sessionsArgs(values: Values, verb: string | undefined, id: string | undefined, rest: readonly string[]): SessionsArgs {
  const known = oneOf(SESSION_VERBS, "sessions", verb ?? "list");
  if (known === undefined || rest.length > 0) throw new Error("Too many words after the session's id.");
  if (known === "search" && id === undefined) throw new Error('"sessions search" needs the words to look for; put quotes around more than one.');
  if (known !== "list" && id === undefined) throw new Error(`"sessions ${known}" needs the id of a session; "sessions list" shows them.`);
  refuseOthers(values, `sessions ${known}`, SESSION_FLAGS[known]);
  const own = {
    at: values.at,
    dryRun: values["dry-run"] ?? false,
    files: values.files?.flatMap(splitFiles),
    exportAs: oneOf(z.enum(EXPORT_FORMATS), "format", values.format),
  };
  return { command: "sessions", verb: known, id, ...place(values), ...own };
}

function place(values: Values) {
  return { format: oneOf(OutputFormat, "output-format", values["output-format"]) ?? "text", cwd: values.cwd, dataDir: values["data-dir"] } as const;
}

function oneOf<T extends string>(schema: z.ZodType<T> & { readonly options: readonly T[] }, name: string, value: string | undefined): T | undefined {
  if (value === undefined) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Error(`"${value}" is not known for ${name}. Use one of: ${schema.options.join(", ")}.`);
}

function positive(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!Number.isInteger(number) || number <= 0) throw new Error(`--${name} takes a whole number above 0, not "${value}".`);
  return number;
}

const SPEND = /^(?:\$?(?<usd>\d+(?:\.\d+)?|\.\d+)|(?<tokens>\d+(?:\.\d+)?)(?<scale>[km]))$/i;

/** `2.50` is US dollars, `500k` and `2m` are tokens: the unit tells them apart, as in a prompt (L15). */
function spendLimit(value: string | undefined): RunArgs["maxSpend"] {
  if (value === undefined) return undefined;
  const { usd, tokens, scale } = SPEND.exec(value)?.groups ?? {};
  const limit = usd === undefined ? { tokens: Math.round(Number(tokens) * (scale?.toLowerCase() === "m" ? 1_000_000 : 1_000)) } : { usd: Number(usd) };
  if (Object.values(limit).every((number) => number > 0)) return limit;
  throw new Error(`--max-spend takes US dollars above 0, as in 2.50, or tokens, as in 500k or 2m, not "${value}".`);
}

function webAddress(value: string | undefined): string | undefined {
  if (value !== undefined && !/^https?:\/\//.test(value)) throw new Error(`--base-url takes an address that begins with http:// or https://, not "${value}".`);
  return value;
}

/** Splits lists like `bash(npm test:*), edit(src/**) read` at commas and spaces outside of brackets. Pure. */
export function ruleList(lists: readonly string[]): readonly string[] {
  return lists.flatMap(splitRules);
}

function splitRules(list: string): readonly string[] {
  const rules: string[] = [];
  let depth = 0;
  let rule = "";
  for (const char of `${list},`) {
    depth += char === "(" ? 1 : char === ")" ? -1 : 0;
    const ends = depth <= 0 && (char === "," || char === " ");
    if (ends && rule !== "") rules.push(rule);
    rule = ends ? "" : rule + char;
  }
  if (rule !== "") throw new Error(`A bracket is missing in the rule list "${list}".`);
  return rules;
}
