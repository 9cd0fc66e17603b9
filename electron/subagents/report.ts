// What comes back of a sub-agent: its last words, and what it cost. All else stays in its own history (L23).
import { plainText } from "#shared/chat/blocks.ts";
import { addUsage, NO_USAGE } from "#shared/chat/usage.ts";
import type { TurnEnd } from "#shared/loop/turn-end.ts";
import type { LoopEvent, Reply } from "#electron/loop/contract.ts";
import type { SubagentReport } from "./contract.ts";

export interface Report {
  heard(event: LoopEvent): void;
  endedWith(end: TurnEnd): SubagentReport;
}

export function createReport(): Report {
  let replies: readonly Reply[] = [];
  let usage = NO_USAGE;
  let calls = 0;
  return {
    heard(event) {
      if (event.type === "results") calls += event.calls.length;
      // What a withdrawn reply said does not count; what it cost does (L22).
      if (event.type === "withdrawn") replies = replies.filter((reply) => reply.id !== event.reply);
      if (event.type !== "reply") return;
      replies = [...replies, event.reply];
      usage = addUsage(usage, event.reply.usage);
    },
    endedWith(end) {
      const words = replies.map((reply) => plainText(reply.blocks).trim()).findLast((said) => said !== "");
      return { end, text: words ?? "", calls, usage };
    },
  };
}
