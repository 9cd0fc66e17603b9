// Worker thread that decodes pictures and PDFs, so that neither holds the main thread (T12, R2). The bytes of both come from anywhere,
// so the caller gives each call a time limit and a thread of its own.
import { serveWorker } from "#electron/lib/worker-call.ts";
import { extractPages } from "#electron/tools/builtin/read-pages.ts";
import { scalePicture } from "#electron/tools/builtin/scale-picture.ts";
import { MEDIA_VERBS } from "#electron/tools/media-verbs.ts";

/** The PDF library's errors keep their words out of their stack, and the stack is what a thread answers with. */
async function plainly<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw new Error(error instanceof Error ? error.message : String(error));
  });
}

serveWorker(MEDIA_VERBS, {
  scale: async ({ bytes, mediaType, maxSide, maxBytes }) => {
    const picture = await scalePicture({ bytes, mediaType }, { maxSide, maxBytes });
    return picture === undefined ? {} : { picture: { mediaType: picture.mediaType, bytes: new Uint8Array(picture.bytes) } };
  },
  pages: async ({ bytes, from, count }) => {
    const { total, pages } = await plainly(extractPages(bytes, from, count));
    return { total, pages: [...pages] };
  },
});
