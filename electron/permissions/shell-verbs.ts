// What the analysis worker can be asked; shared by the worker's entry and by its caller.
import { z } from "zod";
import type { Analysis } from "#electron/permissions/shell/analyse.ts";

const Facts = z.custom<Analysis>((value) => typeof value === "object" && value !== null && "facts" in value && "git" in value);

export const SHELL_VERBS = {
  analyse: { input: z.object({ command: z.string(), cwd: z.string(), home: z.string() }), output: Facts },
};
