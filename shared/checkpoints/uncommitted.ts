// What of a repository's folder is not committed (U7).
import { z } from "zod";
import { FileDiff } from "#shared/tools/card.ts";

export const Uncommitted = z.object({
  diffs: z.array(FileDiff),
  /** files beyond those listed */
  more: z.number(),
});
export type Uncommitted = z.infer<typeof Uncommitted>;
