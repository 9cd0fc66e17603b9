// What the search worker can be asked; shared by the worker's entry and by its caller.
import { z } from "zod";

export const SEARCH_VERBS = {
  /** Progress is one group of places at a time. */
  search: {
    input: z.object({ root: z.string(), words: z.array(z.string().min(1)).min(1), ripgrep: z.string() }),
    output: z.object({ more: z.boolean() }),
  },
};
