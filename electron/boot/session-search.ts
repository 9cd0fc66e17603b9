// Search over all sessions, in a thread that lives while something is looked for (S3, R2).
import { join } from "node:path";
import { err, ok } from "#shared/lib/result.ts";
import { SearchGroup, searchWords } from "#shared/session/search.ts";
import type { SessionSearch } from "#electron/bridge/contract.ts";
import type { Clock } from "#electron/lib/clock.ts";
import { ripgrepPath } from "#electron/lib/ripgrep.ts";
import { createWorkerCalls } from "#electron/lib/worker-call.ts";
import { SEARCH_VERBS } from "#electron/sessions/search-verbs.ts";

const SEARCH_MS = 60_000;

export function createSessionSearch({ root, out, clock }: { readonly root: string; readonly out: string; readonly clock: Clock }): SessionSearch {
  return async (query, found, signal) => {
    const words = [...searchWords(query)];
    if (words.length === 0) return ok({ more: false });
    const calls = createWorkerCalls(SEARCH_VERBS, { file: join(out, "workers", "search-sessions.cjs"), clock });
    const onProgress = (value: unknown) => {
      const group = SearchGroup.safeParse(value);
      if (group.success && !signal.aborted) found(group.data);
    };
    try {
      const done = await calls.call("search", { root, words, ripgrep: ripgrepPath() }, { signal, onProgress, timeoutMs: SEARCH_MS });
      return done.ok ? done : err({ kind: "failed", message: done.error.message });
    } finally {
      await calls.close();
    }
  };
}
