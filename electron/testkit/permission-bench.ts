// A bench for permission tests: a real scratch folder, the real chain and analysis, and tools that only declare.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { CallId, TurnId } from "#shared/lib/ids.ts";
import type { PermissionMode } from "#shared/permissions/mode.ts";
import type { Effect } from "#shared/tools/effect.ts";
import { createSystemClock } from "#electron/lib/clock.ts";
import { createInlineCalls } from "./inline-calls.ts";
import { createPermissionEngine } from "#electron/permissions/chain.ts";
import type { ActiveRules, Behavior, PermissionQuery, ShellAnalyser, Verdict } from "#electron/permissions/contract.ts";
import { createShellAnalyser } from "#electron/permissions/shell-analyser.ts";
import { shellJudge } from "#electron/permissions/shell-judge.ts";
import { SHELL_VERBS } from "#electron/permissions/shell-verbs.ts";
import { analyseCommand } from "#electron/permissions/shell/analyse.ts";
import { classify } from "#electron/tools/classify.ts";
import type { Tool } from "#electron/tools/contract.ts";
import { defineTool } from "#electron/tools/define.ts";
import { loadShellParser } from "./shell-parser.ts";

const run = promisify(execFile);

export type ScratchFolder = {
  readonly root: string;
  readonly workspace: string;
  readonly outside: string;
  readonly home: string;
  readonly dataDir: string;
  remove(): Promise<void>;
};

const FILES: Readonly<Record<string, string>> = {
  "README.md": "# hello\none two\nexport nothing\nthree TODO\n",
  "a.json": '{"name":"x","version":"1","scripts":{"a":"b"},"a":[{"b":2}]}\n',
  "package.json": '{"name":"x","version":"1.0.0"}\n',
  "src/app.ts": 'import { x } from "./util.ts";\nexport const foo = () => x;\n',
  "src/util.ts": "export const x = 1; // TODO\n",
  "src/old.ts": "export {};\n",
  "dir1/one.txt": "1\n",
  "dir2/two.txt": "2\n",
  "sub/x.txt": "x\n",
  "out/keep.txt": "x\n",
  "secrets/a": "s\n",
  "private/x": "p\n",
};

/** A link that leads out of the workspace, as an untrusted repository may bring along. */
export async function plantLink(folder: ScratchFolder): Promise<void> {
  await symlink(folder.outside, join(folder.workspace, "outbox"));
}

/** A workspace with a few files and a real repository; beside it a home, a data folder and a folder that a link leads to. */
export async function makeScratchFolder(): Promise<ScratchFolder> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "cairn-permissions-")));
  const [workspace, outside, home, dataDir] = [join(root, "ws"), join(root, "outside"), join(root, "home"), join(root, "data")];
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(workspace, name)), { recursive: true });
    await writeFile(join(workspace, name), text);
  }
  for (const folder of [outside, home, join(dataDir, "results"), join(workspace, "real")]) await mkdir(folder, { recursive: true });
  await writeFile(join(outside, "secret.txt"), "secret\n");
  await symlink("real", join(workspace, "inlink"));
  const git = (...args: readonly string[]) =>
    run("git", ["-c", "user.name=x", "-c", "user.email=x@example.invalid", ...args], { cwd: workspace, env: { PATH: process.env["PATH"] ?? "", HOME: home } });
  await git("init", "-q", "-b", "main");
  await git("add", "README.md", "a.json", "src");
  await git("commit", "-q", "-m", "first");
  return { root, workspace, outside, home, dataDir, remove: () => rm(root, { recursive: true, force: true }) };
}

/** The analyser in this thread, with the grammar from node_modules. */
export async function createTestAnalyser(): Promise<ShellAnalyser> {
  const parse = await loadShellParser();
  const handlers = { analyse: async ({ command, cwd, home }: { command: string; cwd: string; home: string }) => analyseCommand(command, { cwd, home }, parse) };
  return createShellAnalyser({ calls: createInlineCalls(SHELL_VERBS, handlers, createSystemClock()) });
}

/** A tool that declares what the real shell tool declares, and never runs. */
export function shellLikeTool(analyser: ShellAnalyser, name = "bash"): Tool {
  return defineTool({
    name,
    schemaVersion: 1,
    input: z.strictObject({ command: z.string() }),
    text: { summary: "Runs a command." },
    analyse: ({ command }, place) => analyser.analyse(command, place),
    isReadOnly: (_input, facts) => shellJudge.readOnly(facts),
    isConcurrencySafe: (_input, facts) => shellJudge.concurrencySafe(facts),
    isDestructive: (_input, facts) => shellJudge.destructive(facts),
    effects: (_input, place, facts) => shellJudge.effects(facts, place),
    permissionTarget: ({ command }) => command,
    suggestRules: (_input, _place, facts) => shellJudge.suggestRules(facts, name),
    call: async () => ({ ok: true, forModel: [] }),
  });
}

export type Declared = Partial<Pick<Tool, "aliases" | "permissionTarget" | "askCard" | "suggestRules" | "checkPermission">> & {
  readonly effects: readonly Effect[];
  readonly readOnly?: boolean;
  readonly destructive?: boolean;
};

/** A tool whose calls have the given effects whatever their input. */
export function toolWith(name: string, { effects, readOnly = false, destructive = false, ...more }: Declared): Tool {
  return defineTool({
    name,
    schemaVersion: 1,
    input: z.unknown(),
    text: { summary: "A tool." },
    isReadOnly: () => readOnly,
    isDestructive: () => destructive,
    isConcurrencySafe: () => readOnly,
    effects: () => effects,
    conflictKeys: () => [],
    ...more,
    call: async () => ({ ok: true, forModel: [] }),
  });
}

export type BenchOptions = {
  readonly folder: ScratchFolder;
  readonly rules?: Partial<ActiveRules>;
  readonly mode?: PermissionMode;
  readonly headless?: boolean;
  readonly disabledTools?: readonly string[];
  readonly planFile?: string;
  readonly hookSays?: Behavior;
  readonly platform?: string;
};

/** The query of a call in the scratch folder. */
export async function queryOf(tool: Tool, input: unknown, options: BenchOptions): Promise<PermissionQuery> {
  const place = { cwd: options.folder.workspace, home: options.folder.home };
  const facts = await tool.analyse?.(input, place);
  return {
    call: CallId.parse("call_1"),
    turn: TurnId.parse("turn_1"),
    tool,
    input,
    parsed: true,
    facts,
    traits: classify(tool, input, place, facts),
    place,
    mode: options.mode ?? "default",
    hookSays: options.hookSays,
  };
}

export function engineOf(options: BenchOptions) {
  const { folder } = options;
  return createPermissionEngine({
    rules: () => ({ allow: [], ask: [], deny: [], ...options.rules }),
    disabledTools: () => options.disabledTools ?? [],
    planFile: () => options.planFile,
    home: folder.home,
    dataDir: folder.dataDir,
    ownPaths: [join(folder.dataDir, "settings.json")],
    ownResultsDir: join(folder.dataDir, "results"),
    headless: options.headless ?? false,
    platform: options.platform ?? "linux",
  });
}

export async function decide(tool: Tool, input: unknown, options: BenchOptions): Promise<Verdict> {
  return engineOf(options).decide(await queryOf(tool, input, options));
}
