// The window's client type: every feature talks to the engine through this and nothing else.
import type { contract } from "#shared/ipc/contract.ts";
import type { ClientOf } from "#shared/ipc/define.ts";

export type Client = ClientOf<typeof contract>;
