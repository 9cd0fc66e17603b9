// Pictures and PDFs are decoded in a thread of their own that ends with the call: a damaged file that never comes to an end holds
// nobody up, and the memory that decoding takes is given back (T12, R2).
import { join } from "node:path";
import type { Clock } from "#electron/lib/clock.ts";
import { createWorkerCalls, type WorkerCalls } from "#electron/lib/worker-call.ts";
import type { Result } from "#shared/lib/result.ts";
import type { ReadDeps } from "#electron/tools/builtin/read.ts";
import { MEDIA_VERBS } from "#electron/tools/media-verbs.ts";

/** ms; a slow machine needs a few seconds for the biggest picture that is taken. */
const DECODE_MS = 60_000;

export type Media = Pick<ReadDeps, "scaleImage" | "readPdf">;
type Calls = WorkerCalls<typeof MEDIA_VERBS>;

/** `out`: the built files. One file at a time in the whole app: the biggest picture takes about a gigabyte for a moment. */
export function createMedia({ out, clock }: { readonly out: string; readonly clock: Clock }): Media {
  let before: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(signal: AbortSignal, ask: (calls: Calls) => Promise<Result<T, { readonly message: string }>>): Promise<T> => {
    const mine = before.then(() => inThread(signal, ask));
    before = mine.catch(() => {});
    return mine;
  };
  const inThread = async <T>(signal: AbortSignal, ask: (calls: Calls) => Promise<Result<T, { readonly message: string }>>): Promise<T> => {
    signal.throwIfAborted();
    const calls = createWorkerCalls(MEDIA_VERBS, { file: join(out, "workers", "read-media.cjs"), clock });
    const onAbort = () => void calls.close();
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      const answer = await ask(calls);
      if (!answer.ok) throw new Error(reasonOf(answer.error.message));
      return answer.value;
    } finally {
      signal.removeEventListener("abort", onAbort);
      await calls.close();
    }
  };
  const options = { timeoutMs: DECODE_MS };
  return {
    scaleImage: async ({ bytes, mediaType }, limits, signal) =>
      (await inTurn(signal, (calls) => calls.call("scale", { bytes: new Uint8Array(bytes), mediaType, ...limits }, options))).picture,
    readPdf: (bytes, from, count, signal = new AbortController().signal) =>
      inTurn(signal, (calls) => calls.call("pages", { bytes: new Uint8Array(bytes), from, count }, options)),
  };
}

/** The first line of what the thread said, without the name of the error and the stack. */
function reasonOf(message: string): string {
  return (message.split("\n")[0] ?? "").replace(/^\w*(?:Error|Exception): /, "");
}
