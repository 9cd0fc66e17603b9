// Hints that were read already: each is shown until then, and never again.
import { z } from "zod";

export const Taught = z.object({ goingBack: z.boolean().default(false) });
export type Taught = z.infer<typeof Taught>;
