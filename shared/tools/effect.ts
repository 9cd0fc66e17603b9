// What a call may do to the world, declared before it runs (T6). Paths are absolute.
import { z } from "zod";

export const Effect = z.union([
  z.object({ kind: z.enum(["reads", "writes", "deletes"]), target: z.string() }),
  z.object({ kind: z.literal("network"), target: z.string() }),
  z.object({ kind: z.enum(["runs", "git_index", "workspace_global", "asks_person"]) }),
]);
export type Effect = z.infer<typeof Effect>;
