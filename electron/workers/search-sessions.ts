// Worker thread that searches the logs of all sessions: parsing what was found may take longer than the main thread may wait (R2, S3).
import { createRipgrep } from "#electron/lib/ripgrep.ts";
import { serveWorker } from "#electron/lib/worker-call.ts";
import { searchLogs } from "#electron/sessions/search-logs.ts";
import { SEARCH_VERBS } from "#electron/sessions/search-verbs.ts";

serveWorker(SEARCH_VERBS, {
  search: async ({ root, words, ripgrep }, { signal, progress }) => ({ ...(await searchLogs(createRipgrep(ripgrep), { root, words, signal }, progress)) }),
});
