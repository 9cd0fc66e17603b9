// Files of a folder by a few letters of their name (U8): listed by ripgrep, so ignore files are heeded; a list is used again for a moment.
// Scored in slices, so that a hundred thousand names hold nobody up (R2).
import { setImmediate } from "node:timers/promises";
import type { FileFinder } from "#electron/bridge/contract.ts";
import type { Clock } from "#electron/lib/clock.ts";
import { createRipgrep, ripgrepPath } from "#electron/lib/ripgrep.ts";
import { fuzzyScore } from "#shared/lib/fuzzy.ts";

const MOST_FILES = 200_000;
const MOST_FOUND = 40;
const FRESH_MS = 5_000;
const SLICE = 4_000;

type Listed = { readonly at: number; readonly paths: Promise<readonly string[]> };

export function createFileFinder({ clock }: { readonly clock: Clock }): Pick<FileFinder, "find"> {
  const lists = new Map<string, Listed>();
  const rg = createRipgrep(ripgrepPath());
  const list = async (cwd: string): Promise<readonly string[]> => {
    const paths: string[] = [];
    await rg.run({
      args: ["--files", "--hidden", "--glob", "!.git", "--null"],
      cwd,
      separator: 0,
      signal: new AbortController().signal,
      onRecord: (path) => paths.push(path.replaceAll("\\", "/")) < MOST_FILES,
    });
    return paths;
  };
  const listed = (cwd: string): Promise<readonly string[]> => {
    const known = lists.get(cwd);
    if (known !== undefined && clock.now() - known.at < FRESH_MS) return known.paths;
    const fresh: Listed = { at: clock.now(), paths: list(cwd) };
    lists.clear();
    lists.set(cwd, fresh);
    return fresh.paths;
  };
  return {
    async find(cwd, query, signal) {
      const paths = await listed(cwd);
      const best: { readonly path: string; readonly score: number }[] = [];
      for (let at = 0; at < paths.length && !signal.aborted; at += SLICE) {
        for (const path of paths.slice(at, at + SLICE)) {
          const score = fuzzyScore(path, query);
          if (score !== undefined) best.push({ path, score });
        }
        if (best.length > MOST_FOUND * 50) cut(best);
        await setImmediate();
      }
      cut(best);
      return { paths: best.map((one) => one.path), total: paths.length };
    },
  };
}

function cut(best: { readonly path: string; readonly score: number }[]): void {
  best.sort((a, b) => b.score - a.score || a.path.length - b.path.length || (a.path < b.path ? -1 : 1));
  best.splice(MOST_FOUND);
}
