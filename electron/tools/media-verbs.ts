// What the media worker can be asked; shared by the worker's entry and by its caller.
import { z } from "zod";

const bytes = z.instanceof(Uint8Array);

export const MEDIA_VERBS = {
  /** `picture` is left out when it cannot be made small enough; a picture that cannot be decoded rejects */
  scale: {
    input: z.object({ bytes, mediaType: z.string(), maxSide: z.number(), maxBytes: z.number() }),
    output: z.object({ picture: z.object({ bytes, mediaType: z.string() }).optional() }),
  },
  /** text of the pages from `from` on, at most `count` */
  pages: {
    input: z.object({ bytes, from: z.number(), count: z.number() }),
    output: z.object({ total: z.number(), pages: z.array(z.string()) }),
  },
};
