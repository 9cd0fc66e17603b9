// Step 4 for one path (P2): network and device names by text alone, then secrets, Cairn's own data, the system, the workspace's border.
// Pure: where the path really leads was found before.
import { comparable, isAmbiguousName, isDeviceName, isHarmlessDevice, isInside, isNetworkPath, type PathPlatform } from "./path-text.ts";
import type { AskWhy } from "#shared/permissions/explanation.ts";
import type { SecretMatch } from "./secret-paths.ts";
import type { TouchedPath } from "./touched.ts";

export type GuardDeps = {
  readonly platform: PathPlatform;
  readonly secrets: SecretMatch;
  /** Cairn's data: sessions, checkpoints, stored results */
  readonly dataDir: string;
  /** Cairn's settings, hooks, skills and commands outside the workspace */
  readonly ownPaths: readonly string[];
  /** this session's stored results: readable, never writable (T9) */
  readonly ownResultsDir: string;
};
export type PathFinding = { readonly behavior: "deny" | "ask"; readonly reason: string; readonly why: AskWhy; readonly about: string };

const VERB = { reads: "reads", writes: "writes", deletes: "deletes" } as const;

/** undefined: the guard has nothing against this path. */
export function guardPath(path: TouchedPath, workspace: string, deps: GuardDeps): PathFinding | undefined {
  const byText = guardText(path, deps);
  if (byText !== undefined) return byText === "harmless" ? undefined : byText;
  const places = [...new Set([path.real, path.entry])];
  for (const place of places) {
    const found =
      guardOwn(path, place, deps) ?? guardSecret(path, place, deps) ?? guardSystem(path, place, deps) ?? guardBorder(path, place, { workspace, deps });
    if (found !== undefined) return found;
  }
  return undefined;
}

function guardText(path: TouchedPath, deps: GuardDeps): PathFinding | "harmless" | undefined {
  const { named, real } = path;
  if (named.includes("\0")) return { behavior: "deny", reason: "A path cannot hold a NUL character", why: "bad_path", about: named.replaceAll("\0", "\\0") };
  if (isHarmlessDevice(named) && path.kind !== "deletes") return "harmless";
  // With `..` in it, only where it leads tells what it is.
  if ((isDeviceName(named) && !named.includes("/..")) || isDeviceName(real))
    return { behavior: "deny", reason: "Device files are never read or written", why: "bad_path", about: named };
  if (isNetworkPath(named))
    return { behavior: "ask", reason: "The path is on another computer, and touching it may send a password there", why: "other_computer", about: named };
  if (isAmbiguousName(named, deps.platform)) return { behavior: "ask", reason: "The name may stand for another file", why: "ambiguous_name", about: named };
  return undefined;
}

function guardOwn(path: TouchedPath, place: string, deps: GuardDeps): PathFinding | undefined {
  const { platform } = deps;
  if (isInside(place, deps.ownResultsDir, platform)) {
    return path.kind === "reads" ? undefined : { behavior: "deny", reason: "Stored results are never changed by tools", why: "own_data", about: place };
  }
  if (deps.ownPaths.some((own) => isInside(place, own, platform))) {
    return { behavior: "ask", reason: `It ${VERB[path.kind]} the agent's own settings`, why: "own_settings", about: place };
  }
  if (!isInside(place, deps.dataDir, platform)) return undefined;
  return path.kind === "reads"
    ? { behavior: "ask", reason: "It reads the app's own data, which holds other sessions", why: "own_data", about: place }
    : { behavior: "deny", reason: "The app's own data is never changed by tools", why: "own_data", about: place };
}

function guardSecret(path: TouchedPath, place: string, deps: GuardDeps): PathFinding | undefined {
  const what = deps.secrets(comparable(place, deps.platform)) ?? deps.secrets(comparable(path.named, deps.platform));
  if (what === undefined) return undefined;
  const system = /^\/(?:etc|proc|run|var)\//.test(comparable(place, deps.platform));
  if (system && path.kind !== "reads") return { behavior: "deny", reason: `It ${VERB[path.kind]} ${what}`, why: "secret", about: place };
  return { behavior: "ask", reason: `It ${VERB[path.kind]} ${what}`, why: "secret", about: place };
}

const NEVER_WRITTEN = /^\/(?:proc|sys|boot|dev)(?:\/|$)/;
const SYSTEM =
  /^(?:\/(?:etc|usr|bin|sbin|lib|lib32|lib64|opt|var|system|library|private\/etc)(?:\/|$)|[a-z]:\/(?:windows|program files|program files \(x86\)|programdata)(?:\/|$))/;

function guardSystem(path: TouchedPath, place: string, deps: GuardDeps): PathFinding | undefined {
  if (path.kind === "reads") return undefined;
  const text = comparable(place, deps.platform).replaceAll("\\", "/");
  if (NEVER_WRITTEN.test(text) && !text.startsWith("/dev/shm/"))
    return { behavior: "deny", reason: "The system's own interfaces are never written", why: "system_file", about: place };
  return SYSTEM.test(text) && !text.startsWith("/var/tmp/")
    ? { behavior: "ask", reason: `It ${VERB[path.kind]} a file of the system`, why: "system_file", about: place }
    : undefined;
}

function guardBorder(path: TouchedPath, place: string, at: { readonly workspace: string; readonly deps: GuardDeps }): PathFinding | undefined {
  const inside = isInside(place, at.workspace, at.deps.platform) || (path.kind === "reads" && isInside(place, at.deps.ownResultsDir, at.deps.platform));
  return inside ? undefined : { behavior: "ask", reason: `It ${VERB[path.kind]} outside the workspace`, why: "outside_folder", about: place };
}
