// Visits everything in the workspace and says what is protected of it; reads no contents. What is protected once stays so while
// it stands, whatever an ignore file says later: otherwise a new line in one would look like a deletion.
import { createIgnoreRules, type IgnoreRules, isBareRepository, isDependencyFolder, isDependencyName, isOwnTemporary, isVersionControl } from "./coverage.ts";
import type { Disk, DiskStat } from "./disk.ts";
import { codeOf } from "./error-code.ts";
import type { WhyUncovered } from "./entry.ts";
import type { CheckpointLimits } from "./limits.ts";
import { join } from "./paths.ts";
import type { TreeIndex } from "./tree-index.ts";

export type Found = {
  readonly path: string;
  /** undefined: it is there but cannot even be looked at */
  readonly stat: DiskStat | undefined;
  readonly uncovered: WhyUncovered | undefined;
  readonly partial: boolean;
};
export type WalkDeps = {
  readonly disk: Disk;
  readonly root: string;
  readonly platform: NodeJS.Platform;
  readonly limits: CheckpointLimits;
  readonly index: TreeIndex;
  /** absolute folders that are never entered: the program's own data */
  readonly excluded: ReadonlySet<string>;
  /** told of each folder before its names are read, and when it is not covered after all */
  readonly watching: { enter(folder: string): void; leave(folder: string): void };
  /** lets messages in now and then; throws when the work was called off */
  readonly breathe: () => Promise<void>;
};
export type Walk = {
  /** Everything below the workspace folder. Throws `FolderGone`. */
  everything(visit: (found: Found) => void): Promise<void>;
  /** Only what stands at these paths, and all below those that are folders. */
  only(paths: readonly string[], visit: (found: Found) => void): Promise<void>;
};

export class FolderGone extends Error {}

type Visit = (found: Found) => void;
type Folder = { readonly path: string; readonly stat: DiskStat; readonly knownOnly: boolean };

/** Good for one scan: ignore files are read at most once. */
export function createWalk(deps: WalkDeps): Walk {
  const rules = createIgnoreRules(deps);
  const below = async (start: readonly Folder[], visit: Visit) => {
    const open = [...start];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      await deps.breathe();
      visitFolder(folder, { deps, rules, visit, enter: (next) => open.push(next) });
    }
  };
  return {
    async everything(visit) {
      await below([{ path: "", stat: rootStat(deps), knownOnly: false }], visit);
    },
    async only(paths, visit) {
      rootStat(deps);
      const open: Folder[] = [];
      for (const path of paths) visitChild(path, isInPartial(deps.index, path), { deps, rules, visit, enter: (next) => open.push(next) });
      await below(open, visit);
    },
  };
}

function rootStat({ disk, root }: WalkDeps): DiskStat {
  const stat = statQuietly(disk, root);
  if (stat?.kind !== "dir") throw new FolderGone(`the folder ${root} is not there or cannot be read`);
  return stat;
}

function isInPartial(index: TreeIndex, path: string): boolean {
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    const entry = index.get(path.slice(0, at))?.entry;
    if (entry?.kind === "dir" && entry.partial) return true;
  }
  return false;
}

type Visiting = { readonly deps: WalkDeps; readonly rules: IgnoreRules; readonly visit: Visit; readonly enter: (folder: Folder) => void };

function visitFolder(folder: Folder, at: Visiting): void {
  const { deps, rules, visit } = at;
  const { path, stat } = folder;
  if (isDependencyName(path) && !deps.index.holdsBelow(path)) return visit({ path, stat, uncovered: "dependency_folder", partial: false });
  const names = namesOf(folder, at);
  if (names === undefined) return;
  const isDependency = path !== "" && isDependencyFolder(path, names, (one) => rules.isIgnored(one, true));
  if (path !== "") {
    const uncovered = whyUncovered(deps, path, names, isDependency);
    if (uncovered !== undefined) {
      deps.watching.leave(path);
      return visit({ path, stat, uncovered, partial: false });
    }
    visit({ path, stat, uncovered: undefined, partial: isDependency });
  }
  for (const name of names) {
    if (isVersionControl(name) || isOwnTemporary(name)) continue;
    visitChild(join(path, name), folder.knownOnly || isDependency, at);
  }
}

/** Why a whole folder is left alone; undefined when it is looked into. */
function whyUncovered({ index }: WalkDeps, path: string, names: readonly string[], isDependency: boolean): "special_file" | "dependency_folder" | undefined {
  if (isBareRepository(names)) return "special_file";
  return isDependency && !index.holdsBelow(path) ? "dependency_folder" : undefined;
}

/** Undefined when it is gone or was reported as unreadable. */
function namesOf(folder: Folder, { deps, visit }: Visiting): readonly string[] | undefined {
  try {
    deps.watching.enter(folder.path);
    return deps.disk.names(folder.path === "" ? deps.root : join(deps.root, folder.path));
  } catch (error) {
    deps.watching.leave(folder.path);
    if (folder.path === "") throw new FolderGone(`the folder ${deps.root} cannot be read (${codeOf(error)})`);
    if (codeOf(error) !== "ENOENT" && codeOf(error) !== "ENOTDIR") visit({ path: folder.path, stat: folder.stat, uncovered: "unreadable", partial: false });
    return undefined;
  }
}

function visitChild(path: string, knownOnly: boolean, at: Visiting): void {
  const { deps, visit } = at;
  const known = deps.index.get(path)?.entry;
  const isHeld = known !== undefined && known.kind !== "opaque";
  if (knownOnly && !isHeld) return;
  if (deps.excluded.has(join(deps.root, path))) return;
  let stat: DiskStat | undefined;
  try {
    stat = deps.disk.stat(join(deps.root, path));
  } catch {
    return visit({ path, stat: undefined, uncovered: "unreadable", partial: false });
  }
  if (stat === undefined) return;
  if (stat.kind === "dir") return at.enter({ path, stat, knownOnly });
  visit({ path, stat, uncovered: whyNot(path, stat, isHeld, at), partial: false });
}

function whyNot(path: string, stat: DiskStat, isHeld: boolean, { deps, rules }: Visiting): WhyUncovered | undefined {
  if (stat.kind === "special") return "special_file";
  if (stat.kind !== "file") return undefined;
  if (stat.size > deps.limits.maxFileBytes) return "too_big";
  if (stat.size > deps.limits.maxIgnoredFileBytes && !isHeld && rules.isIgnored(path, false)) return "ignored";
  return undefined;
}

function statQuietly(disk: Disk, path: string): DiskStat | undefined {
  try {
    return disk.stat(path);
  } catch {
    return undefined;
  }
}
