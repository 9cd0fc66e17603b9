// History is the only memory (L2); it is a projection of the session's entries.
import type { Message } from "#shared/chat/blocks.ts";

export type History = readonly Message[];
