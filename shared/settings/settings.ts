// All settings with their defaults; the only place a default value is named. Keys of providers are not settings (R3).
import { z } from "zod";
import { KeyBindings } from "#shared/commands/commands.ts";
import { PermissionMode } from "#shared/permissions/mode.ts";
import { Rule } from "#shared/permissions/rule.ts";

export const ProviderId = z.enum(["anthropic", "openai", "openai-chat", "demo"]);
export type ProviderId = z.infer<typeof ProviderId>;

const ms = z.number().int().positive();
const tokens = z.number().int().nonnegative().default(0);
/** The ladder of L19 and the retries of L20, in ms. */
export const Timeouts = z.object({
  headers: ms.default(300_000),
  noBytes: ms.default(240_000),
  noContent: ms.default(480_000),
  noProgress: ms.default(600_000),
  watcher: ms.default(720_000),
  attempt: ms.default(1_500_000),
  step: ms.default(5_400_000),
  backoffFirst: ms.default(5_000),
  backoffMax: ms.default(120_000),
  retryAfterMax: ms.default(300_000),
  /** cap of all back-off of one headless run; ignored in the window */
  headlessBackoffTotal: ms.default(120_000),
});
export type Timeouts = z.infer<typeof Timeouts>;

export const HookEventName = z.enum([
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "Stop",
  "SubagentStop",
  "PreCompact",
  "Notification",
  "SessionEnd",
]);
export type HookEventName = z.infer<typeof HookEventName>;

/** Also as Claude Code writes it: `type` "command" (others are not known here) and `timeout` in seconds. */
export const HookCommand = z.preprocess(hookInOurWords, z.object({ command: z.string().min(1), timeoutMs: ms.default(60_000) }));
export const HookSettings = z.partialRecord(HookEventName, z.array(z.object({ matcher: z.string().default(""), hooks: z.array(HookCommand) })));
export type HookSettings = z.infer<typeof HookSettings>;

export const Settings = z.object({
  version: z.literal(1).default(1),
  language: z.enum(["system", "en", "zh-CN"]).default("system"),
  theme: z.enum(["system", "light", "dark"]).default("system"),
  /** size of the whole window, in per cent */
  zoom: z.number().int().min(50).max(300).default(100),
  onboarded: z.boolean().default(false),
  provider: ProviderId.default("demo"),
  model: z.string().default(""),
  fallbackModel: z.string().default(""),
  baseUrls: z.partialRecord(ProviderId, z.string()).default({}),
  mode: PermissionMode.default("default"),
  /** what the system tells while the window is not looked at (U10) */
  notifications: z
    .object({
      approval: z.boolean().default(true),
      question: z.boolean().default(true),
      finished: z.boolean().default(true),
      error: z.boolean().default(true),
    })
    .prefault({}),
  /** not while the agent works: a sleeping computer stops it (UX 7) */
  stayAwake: z.boolean().default(true),
  /** off until the person wants it: on Windows and Linux the dictionary is fetched from the network */
  spellCheck: z.boolean().default(false),
  /** the person's own keys for commands; what is not named keeps its own (U10) */
  keys: KeyBindings.default({}),
  rules: z.object({ allow: z.array(Rule).default([]), ask: z.array(Rule).default([]), deny: z.array(Rule).default([]) }).prefault({}),
  disabledTools: z.array(z.string()).default([]),
  hooks: HookSettings.default({}),
  timeouts: Timeouts.prefault({}),
  /** soft reminder after so many steps; 0 = off (L11) */
  reminderAfterSteps: z.number().int().nonnegative().default(0),
  /** also go by the shape of calls when looking for a loop; takes much honest work for one (L16) */
  broadLoopDetection: z.boolean().default(false),
  /** money in US dollars; 0 = no limit (L11) */
  spendLimit: z
    .object({ turn: z.number().nonnegative().default(0), session: z.number().nonnegative().default(0), day: z.number().nonnegative().default(0) })
    .prefault({}),
  /** fresh tokens, cache hits not counted; 0 = no limit (L11) */
  tokenLimit: z.object({ turn: tokens, session: tokens, day: tokens }).prefault({}),
  /** what the points of one folder may need before the oldest are forgotten (K9) */
  checkpoints: z
    .object({
      maxBytes: z
        .number()
        .int()
        .min(50 * 1024 * 1024)
        .default(2048 * 1024 * 1024),
      maxAgeDays: z.number().int().min(1).max(3650).default(30),
    })
    .prefault({}),
  bashTimeoutMs: ms.default(120_000),
  maxParallelCalls: z.number().int().min(1).max(32).default(10),
  maxSubagents: z.number().int().min(1).max(16).default(4),
  contextWindows: z.record(z.string(), z.number().int().positive()).default({}),
  recentFolders: z.array(z.string()).default([]),
});
export type Settings = z.infer<typeof Settings>;

/**
 * Some of the settings, as a change. `Settings.partial()` would not do: it fills in the default of everything that is not
 * given, so that changing the theme would forget the rules.
 */
export const SettingsPatch = z.custom<Partial<Settings>>(isSettingsPatch, "not a change of settings");

function isSettingsPatch(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const fields = new Map<string, z.ZodType>(Object.entries(Settings.shape));
  return Object.entries(value).every(([name, given]) => fields.get(name)?.safeParse(given).success === true);
}

function hookInOurWords(raw: unknown, cx: z.RefinementCtx): unknown {
  if (typeof raw !== "object" || raw === null) return raw;
  const { type, timeout, timeoutMs, ...rest }: Readonly<Record<string, unknown>> = { ...raw };
  if (type !== undefined && type !== "command") cx.addIssue({ code: "custom", path: ["type"], message: 'only hooks of type "command" are known' });
  return { ...rest, timeoutMs: timeoutMs ?? (typeof timeout === "number" ? Math.max(1, Math.round(timeout * 1_000)) : undefined) };
}
