// What the page worker can be asked; shared by the worker's entry and by its caller.
import { z } from "zod";

export const PAGE_VERBS = {
  render: {
    input: z.object({ bytes: z.instanceof(Uint8Array), type: z.string(), url: z.string() }),
    output: z.object({ page: z.object({ title: z.string(), text: z.string() }).optional() }),
  },
};
