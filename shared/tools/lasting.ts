// What of a call no roll-back takes back, as it was declared before it ran (K6). Pure.
import type { Effect } from "./effect.ts";

/** `command`: a program whose effects nobody could know beforehand; it may have done something outside the folder. */
export type LastingEffect = { readonly kind: "network" | "outside_folder"; readonly target: string } | { readonly kind: "command" };

const NOTHING: readonly LastingEffect[] = [];

/** `folder`: the workspace; effects on files inside it are what checkpoints are for. */
export function lastingEffects(effects: readonly Effect[], folder: string, readOnly: boolean): readonly LastingEffect[] {
  const found = effects.flatMap((effect): LastingEffect[] => {
    switch (effect.kind) {
      case "network":
        return [{ kind: "network", target: effect.target }];
      case "writes":
      case "deletes":
        return isInside(effect.target, folder) ? [] : [{ kind: "outside_folder", target: effect.target }];
      case "runs":
        return readOnly ? [] : [{ kind: "command" }];
      case "reads":
      case "git_index":
      case "workspace_global":
      case "asks_person":
        return [];
    }
  });
  return found.length === 0 ? NOTHING : found;
}

function isInside(path: string, folder: string): boolean {
  if (path === folder) return true;
  const rest = path.startsWith(folder) ? path.slice(folder.length) : "";
  return folder.endsWith("/") || folder.endsWith("\\") ? rest !== "" : /^[/\\]/.test(rest);
}
