// What stands at a path of the folder itself. The system follows links on the way to a name, so `link/a` would show, and let us change,
// a file that lies elsewhere: below anything that is no folder nothing of ours stands (B11).
import type { DiskStat } from "./disk.ts";
import type { StoreParts } from "./parts.ts";
import { ancestorsOf, join } from "./paths.ts";

/** Undefined: nothing, whatever a link above it leads to. */
export function standing({ disk, root }: Pick<StoreParts, "disk" | "root">, path: string): DiskStat | undefined {
  for (const folder of ancestorsOf(path)) if (disk.stat(join(root, folder))?.kind !== "dir") return undefined;
  return disk.stat(join(root, path));
}
