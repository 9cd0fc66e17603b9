// At the opening of a store: what an earlier run left half done is taken back or cleaned up, and told (K7, D15).
import { dropOld } from "./apply.ts";
import { createJournal } from "./journal.ts";
import type { StoreParts } from "./parts.ts";
import { revert } from "./revert.ts";
import type { Recovered } from "./verbs.ts";

/** Holding the lock: a journal that stands then has no living owner. */
export function recover(parts: StoreParts): Recovered | undefined {
  const journal = createJournal(parts.db);
  let worst: Recovered | undefined;
  for (const { id, state, steps } of journal.unfinished()) {
    if (state === "damaged") {
      journal.setApart(id);
      worst = { kind: "stuck", paths: [`.cairn-${id}-*`] };
      continue;
    }
    if (state === "done") {
      if (dropOld(parts, steps)) journal.end(id);
      worst ??= { kind: "finished", paths: steps.map((step) => step.path) };
      continue;
    }
    if (parts.disk.stat(parts.root) === undefined) continue;
    const { paths, stuck } = revert(parts, steps);
    if (stuck.length === 0) journal.end(id);
    worst = stuck.length > 0 ? { kind: "stuck", paths: [...stuck] } : { kind: "reverted", paths: [...paths] };
  }
  return worst;
}

/** Copies that were being made when an earlier run ended. */
export function dropTemporaries({ disk, folder }: Pick<StoreParts, "disk" | "folder">): void {
  for (const name of disk.names(`${folder}/tmp`)) disk.remove(`${folder}/tmp/${name}`);
}
