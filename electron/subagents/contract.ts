// Sub-agents (L23): the same loop over a history of its own, for one self-contained task; only a report comes back.
import type { Usage } from "#shared/chat/usage.ts";
import type { TurnEnd } from "#shared/loop/turn-end.ts";
import type { ToolContext } from "#electron/tools/contract.ts";

export type SubagentTask = { readonly description: string; readonly prompt: string };

/** `text`: its last words, empty when it had none; `usage`: all its requests together. */
export type SubagentReport = { readonly end: TurnEnd; readonly text: string; readonly calls: number; readonly usage: Usage };

/** Where the call that started it lives. */
export type SubagentPlace = Pick<ToolContext, "call" | "scope">;

/** Never rejects. Ends with its scope; `note` tells what it is doing, for the person. */
export type RunSubagent = (task: SubagentTask, place: SubagentPlace, note: (text: string) => void) => Promise<SubagentReport>;
