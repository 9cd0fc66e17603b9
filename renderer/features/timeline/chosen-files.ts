// Which files of a preview go back: ticked ones of those that can. A conflict waits to be ticked, the rest waits to be unticked. Pure.
import type { PlannedFile } from "#shared/checkpoints/checkpoint.ts";

/** These stay as they are whatever one ticks. */
const UNTOUCHED: ReadonlySet<PlannedFile["action"]> = new Set(["kept", "unavailable"]);

export function canTick(file: PlannedFile): boolean {
  return !UNTOUCHED.has(file.action);
}

export function chosenFiles(files: readonly PlannedFile[], ticks: ReadonlyMap<string, boolean>): readonly string[] {
  return files.filter((file) => canTick(file) && (ticks.get(file.path) ?? file.action !== "conflict")).map((file) => file.path);
}

/** True when the choice is what the preview itself stands for, so that its plan can be applied as it is. */
export function isDefault(files: readonly PlannedFile[], chosen: readonly string[]): boolean {
  return chosenFiles(files, new Map()).join("\n") === chosen.join("\n");
}
