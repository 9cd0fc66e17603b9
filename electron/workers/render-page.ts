// Worker thread that turns web pages into text, so that no page holds the main thread (R2).
import { serveWorker } from "#electron/lib/worker-call.ts";
import { renderPage } from "#electron/tools/builtin/render-page.ts";
import { PAGE_VERBS } from "#electron/tools/page-verbs.ts";

serveWorker(PAGE_VERBS, {
  render: async (input) => {
    const page = await renderPage(input);
    return page === undefined ? {} : { page };
  },
});
