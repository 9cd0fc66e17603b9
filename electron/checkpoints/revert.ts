// Takes an unfinished roll-back back, after a failure in it or after a crash (K7): old files are moved back from beside their
// places, so it needs no space and changes neither their content nor their time. What someone changed since is left as it is.
import { codeOf } from "./error-code.ts";
import type { State } from "./entry.ts";
import { isSameKindOfPlace } from "./final-tree.ts";
import { deepestFirst, highestFirst, type Step } from "./journal.ts";
import type { StoreParts } from "./parts.ts";
import { join } from "./paths.ts";
import { standing } from "./standing.ts";

export type Reverted = {
  /** back as they were */
  readonly paths: readonly string[];
  /** could not be put back; the journal must stay */
  readonly stuck: readonly string[];
};

const OWNER = 0o700;
type Place = Pick<StoreParts, "disk" | "root">;

/** Safe to run again after it was interrupted itself. Never throws for a single file. */
export function revert(place: Place, steps: readonly Step[]): Reverted {
  const paths: string[] = [];
  const stuck: string[] = [];
  const attempt = (step: Step, work: () => boolean) => {
    try {
      if (work()) paths.push(step.path);
    } catch (error) {
      if (codeOf(error) === "") throw error;
      stuck.push(step.path);
    }
  };
  for (const step of [...steps].sort(highestFirst)) attempt(step, () => openFolder(place, step));
  for (const step of steps) attempt(step, () => dropFresh(place, step));
  for (const step of [...steps].sort(deepestFirst)) attempt(step, () => takeOut(place, step));
  for (const step of [...steps].sort(highestFirst)) attempt(step, () => remakeFolder(place, step));
  for (const step of steps) attempt(step, () => putBack(place, step));
  for (const step of [...steps].sort(deepestFirst)) attempt(step, () => resetMode(place, step));
  return { paths: [...new Set(paths)], stuck: [...new Set(stuck)] };
}

/** So that what is in it can be moved; its own mode comes back last. */
function openFolder(place: Place, step: Step): boolean {
  const { disk, root } = place;
  if (step.want?.kind !== "dir") return false;
  const there = standing(place, step.path);
  if (there?.kind === "dir" && (there.mode & OWNER) !== OWNER) disk.setMode(join(root, step.path), there.mode | OWNER);
  return false;
}

function dropFresh({ disk, root }: Place, step: Step): boolean {
  if (step.fresh !== undefined && disk.stat(join(root, step.fresh)) !== undefined) disk.remove(join(root, step.fresh));
  return false;
}

/** What was put where nothing of the old kind stood: files first, then folders, deepest first. */
function takeOut(place: Place, step: Step): boolean {
  const { disk, root } = place;
  const at = join(root, step.path);
  if (step.fresh !== undefined && !isFileOrLink(step.now)) {
    if (!stands(place, step.path, step.want)) return false;
    disk.remove(at);
    return true;
  }
  const wasMadeAsFolder = step.want?.kind === "dir" && step.now?.kind !== "dir";
  if (!wasMadeAsFolder || standing(place, step.path)?.kind !== "dir") return false;
  // someone put something into it since: then it stays
  if (disk.names(at).length > 0) return false;
  disk.removeFolder(at);
  return true;
}

function isFileOrLink(state: Step["now"]): boolean {
  return state?.kind === "file" || state?.kind === "link";
}

function remakeFolder(place: Place, step: Step): boolean {
  const { disk, root } = place;
  if (step.now?.kind !== "dir" || step.want?.kind === "dir" || disk.stat(join(root, step.path)) !== undefined) return false;
  disk.makeFolder(join(root, step.path), step.now.mode);
  return true;
}

function putBack(place: Place, step: Step): boolean {
  const { disk, root } = place;
  if (step.aside === undefined) return false;
  const aside = join(root, step.aside);
  const old = disk.stat(aside);
  if (old === undefined) return false;
  const at = join(root, step.path);
  const there = standing(place, step.path);
  if (there?.kind === "dir") {
    // not empty, or it would be gone: someone's now, and the old content is in the store
    disk.remove(aside);
    return false;
  }
  const isStillOld = there?.ino === old.ino && there.kind === old.kind && there.mtime === old.mtime;
  if (isStillOld || (there !== undefined && !stands(place, step.path, step.want))) {
    // either it was not replaced yet, or someone wrote it since: theirs stays, the old content is in the store
    disk.remove(aside);
    return false;
  }
  disk.rename(aside, at);
  return true;
}

function resetMode(place: Place, step: Step): boolean {
  const { disk, root } = place;
  const { now, want, path } = step;
  if (!isSameKindOfPlace(now, want) || now === undefined || !("mode" in now) || want === undefined || !("mode" in want)) return false;
  const there = standing(place, path);
  if (there?.kind !== now.kind || there.mode === now.mode) return false;
  // any other mode is someone's choice since
  const isOurs = there.mode === want.mode || (now.kind === "dir" && [want.mode | OWNER, now.mode | OWNER].includes(there.mode));
  if (isOurs) disk.setMode(join(root, path), now.mode);
  return isOurs;
}

/** Exactly this stands there, by content. */
export function stands(place: Place, path: string, state: State): boolean {
  const { disk, root } = place;
  const at = join(root, path);
  const there = standing(place, path);
  if (there === undefined || state === undefined) return there === undefined && state === undefined;
  if (there.kind !== state.kind) return false;
  if (state.kind === "file") return there.size === state.size && disk.hash(at) === state.hash;
  return state.kind !== "link" || disk.readLink(at) === state.target;
}
