// The environment that programs started by Cairn get: the person's own, without keys of providers and without what
// Electron, an AppImage or npm put there for this app alone (F07, F08). Pure; the process's own environment is never changed.

export type Environment = Readonly<Record<string, string>>;

export type ChildEnvironmentOptions = {
  /** key values Cairn holds (R3): a variable with one of these values is left out whatever its name */
  readonly secrets?: readonly string[];
  /** names that Cairn's own launcher set, e.g. NODE_OPTIONS of a development run */
  readonly ownNames?: readonly string[];
};

const PROVIDER_KEY = /^(?:ANTHROPIC|OPENAI)_(?:.*_)?(?:KEY|TOKEN|SECRET|PASSWORD|HEADERS)$/i;
const APP_ONLY = /^(?:ELECTRON_|CHROME_|CAIRN_|npm_(?:package_|lifecycle_|command$|execpath$|node_execpath$))/;
const APP_ONLY_NAMES: ReadonlySet<string> = new Set([
  "NODE_CHANNEL_FD",
  "NODE_CHANNEL_SERIALIZATION_MODE",
  "NODE_UNIQUE_ID",
  "ORIGINAL_XDG_CURRENT_DESKTOP",
  "APPIMAGE",
  "APPDIR",
  "ARGV0",
  "OWD",
  "INIT_CWD",
  "OLDPWD",
  // These change what a command means, so a judged command would not be the one that runs (P3).
  "CDPATH",
  "BASH_ENV",
  "ENV",
  "GLOBIGNORE",
  "SHELLOPTS",
  "BASHOPTS",
]);
/** Marks every process started for a command, also across nested runs, so that those which leave the tree are found. */
export const MARK_NAME = "CAIRN_PROCESS_MARK";
/** Shorter values could be anything; a real key is longer. */
const MIN_SECRET_CHARS = 8;

/** `base` is usually `process.env`. The result has string values only. */
export function childEnvironment(base: Readonly<Record<string, string | undefined>>, options: ChildEnvironmentOptions = {}): Environment {
  const secrets = new Set((options.secrets ?? []).filter((secret) => secret.length >= MIN_SECRET_CHARS));
  const own = new Set(options.ownNames ?? []);
  const appDir = base["APPDIR"] ?? "";
  const child: Record<string, string> = {};
  for (const [name, value] of Object.entries(base)) {
    if (value === undefined || own.has(name) || isForAppOnly(name) || holdsSecret(value, secrets)) continue;
    const kept = withoutAppDir(value, appDir);
    if (kept !== undefined) child[name] = kept;
  }
  const desktop = base["ORIGINAL_XDG_CURRENT_DESKTOP"];
  if (desktop !== undefined) child["XDG_CURRENT_DESKTOP"] = desktop;
  return child;
}

/** The environment with one more mark; earlier ones stay, so that an outer Cairn finds what an inner one started. */
export function withMark(environment: Environment, mark: string): Environment {
  const outer = environment[MARK_NAME];
  return { ...environment, [MARK_NAME]: outer === undefined ? mark : `${outer}:${mark}` };
}

/** Of this app alone: its own variables, Electron's, and the keys of its providers. */
function isForAppOnly(name: string): boolean {
  return name !== MARK_NAME && (APP_ONLY.test(name) || APP_ONLY_NAMES.has(name) || PROVIDER_KEY.test(name));
}

function holdsSecret(value: string, secrets: ReadonlySet<string>): boolean {
  if (secrets.has(value)) return true;
  for (const secret of secrets) if (value.includes(secret)) return true;
  return false;
}

/** The value without list entries inside the AppImage's mount; undefined when nothing else was in it. */
function withoutAppDir(value: string, appDir: string): string | undefined {
  if (appDir === "" || !value.includes(appDir)) return value;
  const kept = value.split(":").filter((entry) => entry !== appDir && !entry.startsWith(`${appDir}/`) && entry !== "");
  return kept.length === 0 ? undefined : kept.join(":");
}
