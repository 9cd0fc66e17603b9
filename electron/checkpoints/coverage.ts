// What of a folder is protected (K4): everything but version control's own data, dependency and build folders, ignored files
// that are large, and files that are very large. Ignore files are read only where the answer depends on them.
import ignore, { type Ignore } from "ignore";
import type { Disk } from "./disk.ts";
import { ancestorsOf, isBelow, join, nameOf, parentOf } from "./paths.ts";

/** Never entered, whoever made them. */
const DEPENDENCY_FOLDERS = new Set([
  "node_modules",
  "bower_components",
  "jspm_packages",
  "__pycache__",
  ".venv",
  ".tox",
  ".nox",
  ".mypy_cache",
  ".pytest_cache",
  ".ruff_cache",
  ".gradle",
  ".next",
  ".nuxt",
  ".svelte-kit",
  ".angular",
  ".turbo",
  ".parcel-cache",
  ".pnpm-store",
  ".terraform",
  ".dart_tool",
  "DerivedData",
  ".eggs",
]);
/** These are often a person's own, so only when an ignore file names them too. */
const BUILD_FOLDERS = new Set([
  "target",
  "dist",
  "build",
  "out",
  "output",
  "bin",
  "obj",
  "vendor",
  "venv",
  "env",
  "coverage",
  "Pods",
  "release",
  "debug",
  "Release",
  "Debug",
  ".cache",
  "cache",
  ".yarn",
  "tmp",
  "temp",
  ".tmp",
  "logs",
  "_build",
  "deps",
  "public",
  "generated",
  ".output",
  "packages",
  "site-packages",
  "storybook-static",
  "htmlcov",
]);
/** https://bford.info/cachedir: "this folder can be made again" */
const CACHE_TAG = "CACHEDIR.TAG";
/** Written by version control alone; going back in the work tree must never change them (K1). */
const VERSION_CONTROL = new Set([".git", ".hg", ".svn", ".jj", ".bzr", "_darcs", ".fossil"]);
/** What a roll-back lays beside files until it is done. */
const OWN_TEMPORARY = /^\.cairn-[0-9a-f]{8,32}-\d+\.(new|old)$/;

export function isVersionControl(name: string): boolean {
  return VERSION_CONTROL.has(name.toLowerCase());
}

export function isOwnTemporary(name: string): boolean {
  return OWN_TEMPORARY.test(name);
}

/** A repository without a work tree: the folder itself is version control's data. */
export function isBareRepository(names: readonly string[]): boolean {
  return names.includes("HEAD") && names.includes("objects") && names.includes("refs");
}

/** Known by its name alone, before it is listed: these can be very large. */
export function isDependencyName(folder: string): boolean {
  return DEPENDENCY_FOLDERS.has(nameOf(folder));
}

export function isDependencyFolder(folder: string, names: readonly string[], isIgnored: (path: string) => boolean): boolean {
  if (isDependencyName(folder) || names.includes(CACHE_TAG) || names.includes("pyvenv.cfg")) return true;
  return BUILD_FOLDERS.has(nameOf(folder)) && isIgnored(folder);
}

export interface IgnoreRules {
  /** As git sees it, from the `.gitignore` files of the work tree it lies in; global excludes are not asked (D10). */
  isIgnored(path: string, isFolder: boolean): boolean;
}

/** Holds for one scan: ignore files are read once, when first needed. */
export function createIgnoreRules(deps: { readonly disk: Disk; readonly root: string; readonly platform: NodeJS.Platform }): IgnoreRules {
  const { disk, root } = deps;
  const files = new Map<string, Ignore | undefined>();
  const repositories = new Map<string, boolean>();

  const fileOf = (folder: string): Ignore | undefined => {
    if (files.has(folder)) return files.get(folder);
    const rules = readRules(disk, join(root, join(folder, ".gitignore")), deps.platform);
    files.set(folder, rules);
    return rules;
  };
  const isRepository = (folder: string): boolean => {
    const known = repositories.get(folder);
    if (known !== undefined) return known;
    const found = disk.stat(join(root, join(folder, ".git"))) !== undefined;
    repositories.set(folder, found);
    return found;
  };
  /** Folders whose ignore file speaks about `path`, nearest first; an outer repository has no say in an inner one. */
  const speakers = (path: string): readonly string[] => {
    const all: string[] = [];
    for (const folder of [...ancestorsOf(path), ""]) {
      all.push(folder);
      if (isRepository(folder)) break;
    }
    return all;
  };
  const verdict = (path: string, isFolder: boolean): boolean => {
    for (const folder of speakers(path)) {
      const rules = fileOf(folder);
      if (rules === undefined) continue;
      const result = rules.test(`${folder === "" ? path : path.slice(folder.length + 1)}${isFolder ? "/" : ""}`);
      if (result.ignored || result.unignored) return result.ignored;
    }
    return false;
  };
  return {
    isIgnored(path, isFolder) {
      const outermost = speakers(path).at(-1) ?? "";
      const above = ancestorsOf(path).filter((folder) => isBelow(folder, outermost));
      return above.reverse().some((folder) => verdict(folder, true)) || verdict(path, isFolder);
    },
  };
}

function readRules(disk: Disk, file: string, platform: NodeJS.Platform): Ignore | undefined {
  try {
    if (disk.stat(file)?.kind !== "file") return undefined;
    return ignore({ ignorecase: platform !== "linux", allowRelativePaths: true }).add(disk.read(file).bytes.toString("utf8"));
  } catch {
    // one that cannot be read ignores nothing: more is protected then, not less
    return undefined;
  }
}

/** The nearest folder above that `has` something, for questions about what a new path was part of before. */
export function nearestAbove<T>(path: string, get: (folder: string) => T | undefined): T | undefined {
  for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) {
    const found = get(folder);
    if (found !== undefined) return found;
  }
  return undefined;
}
