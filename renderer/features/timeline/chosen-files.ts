// What of a preview goes back: ticked files of those that can, and conflicts where the person takes the earlier version. Pure.
import type { PlannedFile, RollbackPick } from "#shared/checkpoints/checkpoint.ts";

/** These stay as they are whatever one ticks; a conflict has its own choice. */
const UNTOUCHED: ReadonlySet<PlannedFile["action"]> = new Set(["kept", "unavailable", "conflict"]);

export type Choices = {
  /** unticked or ticked by the person; absent: as the preview has it */
  readonly ticks: ReadonlyMap<string, boolean>;
  /** conflicts whose earlier version is taken */
  readonly earlier: ReadonlySet<string>;
};
export const NO_CHOICES: Choices = { ticks: new Map(), earlier: new Set() };

export function ticking(choices: Choices, path: string, ticked: boolean): Choices {
  return { ...choices, ticks: new Map(choices.ticks).set(path, ticked) };
}

export function takingEarlier(choices: Choices, path: string, earlier: boolean): Choices {
  const others = [...choices.earlier].filter((other) => other !== path);
  return { ...choices, earlier: new Set(earlier ? [...others, path] : others) };
}

export function canTick(file: PlannedFile): boolean {
  return !UNTOUCHED.has(file.action);
}

export function chosenFiles(files: readonly PlannedFile[], { ticks, earlier }: Choices): readonly string[] {
  return files
    .filter((file) => (canTick(file) ? (ticks.get(file.path) ?? true) : file.action === "conflict" && earlier.has(file.path)))
    .map((file) => file.path);
}

/** What to plan anew; undefined when the choice is what the preview itself stands for, so that its plan can be applied as it is. */
export function pickOf(files: readonly PlannedFile[], choices: Choices): Pick<RollbackPick, "files" | "overwrite"> | undefined {
  const overwrite = files.filter((file) => file.action === "conflict" && choices.earlier.has(file.path)).map((file) => file.path);
  const hasUnticked = files.some((file) => canTick(file) && choices.ticks.get(file.path) === false);
  if (!hasUnticked && overwrite.length === 0) return undefined;
  return { ...(hasUnticked ? { files: [...chosenFiles(files, choices)] } : {}), ...(overwrite.length > 0 ? { overwrite } : {}) };
}
