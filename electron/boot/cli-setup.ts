// Folder, settings, keys and services of a headless run; everything that can be wrong before the first request is said here.
import { realpath, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { err, ok, type Result } from "#shared/lib/result.ts";
import type { SettingsStore } from "#electron/settings/contract.ts";
import { dropBadValues, openSettings, readSettingsFile } from "#electron/settings/store.ts";
import { openKeys } from "#electron/secrets/keys.ts";
import { chooseProvider } from "./choose-provider.ts";
import type { RunArgs } from "./cli-args.ts";
import type { CliIo } from "./cli-io.ts";
import type { HeadlessRun } from "./contract.ts";
import { dataFolder } from "./data-folder.ts";

/** Steps of a headless run when no limit was given (L11). */
export const DEFAULT_MAX_STEPS = 1_000;

export type RunPlan = { readonly cwd: string; readonly dataDir: string; readonly run: HeadlessRun };

/** The error is for standard error, with exit code 2. */
export async function planRun(args: RunArgs, io: CliIo): Promise<Result<RunPlan, string>> {
  const cwd = await workFolder(args.cwd, io);
  if (!cwd.ok) return cwd;
  const dataDir = dataFolderFor(args.dataDir, io);
  const given = args.settingsFile === undefined ? { ok: true as const, raw: {} } : await readSettingsFile(resolve(io.cwd, args.settingsFile));
  if (!given.ok) return err(`The settings file ${args.settingsFile ?? ""} cannot be used: ${given.message}.`);
  const bad = dropBadValues(given.raw).ignored;
  if (bad.length > 0) return err(`The settings file ${args.settingsFile ?? ""} has values that do not fit: ${bad.join(", ")}.`);
  const stored = await openSettings(join(dataDir, "settings.json"));
  const locked = stored.problems.find((problem) => problem.key === "settings_unreadable");
  // Rules that forbid something may stand in it: going on without them would do what the person ruled out.
  if (locked !== undefined) return err(`The settings file cannot be read: ${locked.path}. Mend it, or give another place with --data-dir.`);
  const settings = dropBadValues({ ...stored.current(), ...given.raw }).settings;
  const keys = await openKeys({ file: join(dataDir, "keys.json"), vault: undefined, environment: io.environment });
  const choice = chooseProvider({
    flag: args.provider,
    baseUrlFlag: args.baseUrl,
    settings,
    environment: io.environment,
    hasKey: (provider) => keys.get(provider) !== undefined,
  });
  if (!choice.ok) return choice;
  warnOfProblems(stored, io);
  return ok({
    cwd: cwd.value,
    dataDir,
    run: {
      maxSteps: args.maxSteps ?? DEFAULT_MAX_STEPS,
      maxSpend: args.maxSpend,
      allow: args.allow,
      deny: args.deny,
      baseUrl: choice.value.baseUrl,
      fallbackModel: args.fallbackModel,
      appendSystem: args.appendSystem,
      provider: choice.value.provider,
      trustProjectHooks: args.trustProjectHooks,
      settings: given.raw,
    },
  });
}

export function dataFolderFor(override: string | undefined, io: CliIo): string {
  return dataFolder({ platform: io.platform, home: io.home, environment: io.environment, override: override ?? io.environment["CAIRN_DATA_DIR"], cwd: io.cwd });
}

/** The folder to work in, links resolved. */
export async function workFolder(flag: string | undefined, io: CliIo): Promise<Result<string, string>> {
  const path = resolve(io.cwd, flag ?? ".");
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return err(`The folder ${path} is not there. Give an existing folder with --cwd.`);
  if (!found.isDirectory()) return err(`${path} is not a folder. Give a folder with --cwd.`);
  return ok(await realpath(path));
}

function warnOfProblems(stored: SettingsStore, io: CliIo): void {
  for (const problem of stored.problems) {
    const words =
      problem.key === "settings_damaged"
        ? `The settings file was damaged and set aside as ${problem.path}; the defaults are used.`
        : `A value of the settings was ignored: ${problem.path}.`;
    io.err.write(`cairn: ${words}\n`);
  }
}
