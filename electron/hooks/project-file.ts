// Reads the hooks that a folder brings along (H1). The file is anybody's: it may come with a clone, and an agent may have written it.
// Reading runs nothing. What cannot be used is left out and said, piece by piece.
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { stableJson } from "#shared/lib/stable-json.ts";
import { oneLine } from "#shared/lib/text.ts";
import { PROJECT_HOOKS_FILE, type ProjectHook } from "#shared/settings/project-hooks.ts";
import { HookCommand, HookEventName, type HookSettings } from "#shared/settings/settings.ts";
import { filesNamedIn } from "./command-files.ts";
import { notUsableText, tooBigText, unreadableText } from "./hooks.text.ts";

export type ProjectHooks = {
  readonly settings: HookSettings;
  readonly hooks: readonly ProjectHook[];
  /** of events, matchers, commands, time-outs and the named files; "" when there is nothing to run */
  readonly hash: string;
  readonly problems: readonly string[];
};

export const NO_HOOKS: ProjectHooks = { settings: {}, hooks: [], hash: "", problems: [] };
const MAX_FILE_BYTES = 256 * 1024;
const MAX_HOOKS = 100;
const MAX_COMMAND_CHARS = 20_000;
const MAX_PROBLEM_CHARS = 200;

const File = z.looseObject({ hooks: z.record(z.string(), z.unknown()).optional() });
const Groups = z.array(z.unknown());
const Group = z.looseObject({ matcher: z.string().max(1_000).nullish(), hooks: z.array(z.unknown()) });

/** Never rejects. `folder`: absolute, links resolved. */
export async function readProjectHooks(folder: string): Promise<ProjectHooks> {
  const text = await readBounded(path.join(folder, PROJECT_HOOKS_FILE)).catch((error: unknown) => (isMissing(error) ? undefined : new Error(String(error))));
  if (text === undefined) return NO_HOOKS;
  if (text instanceof Error) return { ...NO_HOOKS, problems: [unreadableText(PROJECT_HOOKS_FILE, text.message)] };
  const { found, problems } = hooksIn(text);
  const hooks = await Promise.all(found.map(async (hook) => ({ hook, files: await filesNamedIn(hook.command, folder) })));
  if (hooks.length === 0) return { ...NO_HOOKS, problems };
  return {
    settings: settingsOf(found),
    hooks: hooks.map(({ hook, files }) => ({ ...hook, files: files.map((file) => file.name) })),
    hash: createHash("sha256").update(stableJson(hooks)).digest("hex"),
    problems,
  };
}

type Found = Omit<ProjectHook, "files" | "event"> & { readonly event: HookEventName };

function hooksIn(text: string): { readonly found: readonly Found[]; readonly problems: readonly string[] } {
  const file = File.safeParse(jsonOf(text));
  if (!file.success) return { found: [], problems: [notUsableText("hooks", "the file is no JSON object, or its hooks are none")] };
  const found: Found[] = [];
  const problems: string[] = [];
  const tell = (where: string, why: string) => void problems.push(notUsableText(oneLine(where, MAX_PROBLEM_CHARS), oneLine(why, MAX_PROBLEM_CHARS)));
  for (const [name, value] of Object.entries(file.data.hooks ?? {})) {
    const event = HookEventName.safeParse(name);
    const groups = Groups.safeParse(value);
    if (!event.success || !groups.success) tell(name, event.success ? "it is no list" : "there is no such event");
    else
      groups.data.forEach((each, at) => {
        const group = Group.safeParse(each);
        if (!group.success) return tell(`${name}[${at}]`, firstIssue(group.error));
        for (const raw of group.data.hooks) {
          const command = HookCommand.safeParse(raw);
          if (!command.success) tell(`${name}[${at}]`, firstIssue(command.error));
          else if (command.data.command.length > MAX_COMMAND_CHARS || found.length >= MAX_HOOKS)
            tell(`${name}[${at}]`, "it is too long, or there are too many");
          else found.push({ event: event.data, matcher: group.data.matcher ?? "", ...command.data });
        }
      });
  }
  return { found, problems: problems.slice(0, MAX_HOOKS) };
}

function settingsOf(found: readonly Found[]): HookSettings {
  const settings: { [Event in HookEventName]?: { matcher: string; hooks: { command: string; timeoutMs: number }[] }[] } = {};
  for (const { event, matcher, command, timeoutMs } of found) (settings[event] ??= []).push({ matcher, hooks: [{ command, timeoutMs }] });
  return settings;
}

function firstIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined ? "it does not fit" : `${issue.path.join(".") || "it"}: ${issue.message}`;
}

async function readBounded(file: string): Promise<string> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) throw new Error("it is no file");
    if (facts.size > MAX_FILE_BYTES) throw new Error(tooBigText(MAX_FILE_BYTES));
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}

function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

function isMissing(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
