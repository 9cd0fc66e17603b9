// How careful Cairn is in a session (DESIGN decision P).
import { z } from "zod";

export const PermissionMode = z.enum(["default", "acceptEdits", "plan", "bypass"]);
export type PermissionMode = z.infer<typeof PermissionMode>;
