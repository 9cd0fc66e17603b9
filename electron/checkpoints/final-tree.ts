// Makes a set of wanted changes fit together as a tree: nothing is put under what is no folder, and no folder that still holds
// something kept is taken away. What cannot be is turned into a conflict, never into a loss. Pure but for the look-ups.
import type { State } from "./entry.ts";
import { ancestorsOf } from "./paths.ts";

export type Wish = { readonly path: string; readonly now: State; readonly want: State };
export type FinalTree = {
  readonly wishes: readonly Wish[];
  /** wishes that had to be given up because of what stays */
  readonly conflicts: readonly Wish[];
};
export type TreeLooks = {
  readonly stateNow: (path: string) => State;
  /** all paths that are known to stand now */
  readonly paths: () => Iterable<string>;
  /** holds something that is not known to us, such as version control's own folder */
  readonly holdsUnknown: (folder: string) => boolean;
  /** mode of a folder that must be made again */
  readonly folderMode: (path: string) => number;
};

export function fitTree(wanted: readonly Wish[], looks: TreeLooks): FinalTree {
  let wishes = new Map(wanted.map((wish) => [wish.path, wish]));
  const conflicts: Wish[] = [];
  for (;;) {
    const given = giveUp(wishes, looks);
    if (given.length === 0) return { wishes: [...wishes.values()].sort(byPath), conflicts: conflicts.sort(byPath) };
    wishes = new Map(wishes);
    for (const wish of given) {
      wishes.delete(wish.path);
      // a folder that stays because something kept is in it is no news
      if (!isFolderRemoval(wish)) conflicts.push(wish);
    }
  }
}

const byPath = (a: Wish, b: Wish) => (a.path < b.path ? -1 : 1);
const isFolderRemoval = (wish: Wish) => wish.now?.kind === "dir" && wish.want === undefined;

/** Adds the folders that are missing above, and answers what cannot be. */
function giveUp(wishes: Map<string, Wish>, looks: TreeLooks): readonly Wish[] {
  const finalOf = (path: string): State => {
    const wish = wishes.get(path);
    return wish === undefined ? looks.stateNow(path) : wish.want;
  };
  const given: Wish[] = [];
  const asked = [...wishes.values()];
  for (const wish of asked) {
    if (wish.want === undefined) continue;
    for (const folder of ancestorsOf(wish.path)) {
      const above = finalOf(folder);
      if (above === undefined) keepFolder(folder, wishes, looks);
      else if (above.kind !== "dir") {
        given.push(wish);
        break;
      }
    }
  }
  return [...given, ...occupiedFolders(wishes, finalOf, looks)];
}

/** Something has to go into it, so it is made, or simply not removed. */
function keepFolder(folder: string, wishes: Map<string, Wish>, looks: TreeLooks): void {
  const now = looks.stateNow(folder);
  if (now?.kind === "dir") wishes.delete(folder);
  else wishes.set(folder, { path: folder, now, want: { kind: "dir", mode: looks.folderMode(folder), partial: false } });
}

/** Folders that should stop being folders although something in them stays. */
function occupiedFolders(wishes: ReadonlyMap<string, Wish>, finalOf: (path: string) => State, looks: TreeLooks): readonly Wish[] {
  const leaving = new Map([...wishes.values()].filter((wish) => wish.now?.kind === "dir" && wish.want?.kind !== "dir").map((wish) => [wish.path, wish]));
  if (leaving.size === 0) return [];
  const occupied = new Set<Wish>();
  const markAbove = (path: string) => {
    for (const folder of ancestorsOf(path)) {
      const wish = leaving.get(folder);
      if (wish !== undefined) occupied.add(wish);
    }
  };
  for (const path of looks.paths()) if (finalOf(path) !== undefined) markAbove(path);
  for (const wish of leaving.values()) {
    if (!looks.holdsUnknown(wish.path)) continue;
    occupied.add(wish);
    markAbove(wish.path);
  }
  return [...occupied];
}

/** Only the mode differs: the file or folder itself stays where it is. */
export function isSameKindOfPlace(now: State, want: State): boolean {
  if (now?.kind === "file" && want?.kind === "file") return now.hash === want.hash;
  return now?.kind === "dir" && want?.kind === "dir";
}
