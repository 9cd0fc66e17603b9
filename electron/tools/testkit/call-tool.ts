// One call of a tool that needs no disk, made the way the pipeline does: parse, classify, call.
import { contentText } from "#shared/chat/blocks.ts";
import { CallId, SessionId, TurnId } from "#shared/lib/ids.ts";
import { createSystemClock } from "#electron/lib/clock.ts";
import { createScope, type Scope } from "#electron/lib/scope.ts";
import { classify } from "#electron/tools/classify.ts";
import type { CallTraits, ToolReturn, Tool } from "#electron/tools/contract.ts";
import { parseInput } from "#electron/tools/parse-input.ts";

export type Called = { readonly text: string; readonly returned: ToolReturn | undefined; readonly traits: CallTraits; readonly notes: readonly string[] };

/** `text`: what the model gets, or the message of a failure; `returned` is undefined when the input did not parse. */
export async function callTool(tool: Tool, raw: unknown, scope: Scope = createScope("test")): Promise<Called> {
  const place = { cwd: "/ws", home: "/home/u" };
  const parsed = parseInput(tool, raw);
  const traits = classify(tool, parsed.ok ? parsed.value : {}, place, undefined);
  const notes: string[] = [];
  if (!parsed.ok) return { text: parsed.error, returned: undefined, traits, notes };
  const cx = { session: SessionId.parse("s"), turn: TurnId.parse("t"), call: CallId.parse("c"), place, scope, clock: createSystemClock() };
  const returned = await tool.call(parsed.value, cx, (progress) => void (progress.kind === "note" && notes.push(progress.text)));
  return { text: returned.ok ? contentText(returned.forModel) : returned.failure.message, returned, traits, notes };
}
