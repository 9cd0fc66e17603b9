// The call pipeline (T3): gates before, one run, finish gates after, exactly one outcome.
import type { ModelContent, ToolUseBlock } from "#shared/chat/blocks.ts";
import type { CallId } from "#shared/lib/ids.ts";
import type { ToolOutcome } from "#shared/tools/outcome.ts";
import type { CallTraits, Tool, ToolContext } from "#electron/tools/contract.ts";

export interface CallInFlight {
  readonly id: CallId;
  readonly name: string;
  /** the arguments as the model gave them */
  readonly raw: unknown;
  readonly invalid: ToolUseBlock["invalid"];
  readonly tool: Tool | undefined;
  /** parsed input; undefined when it does not parse, `parseError` says why */
  readonly input: unknown;
  readonly parseError: string | undefined;
  readonly facts: unknown;
  readonly traits: CallTraits;
  readonly hookSays: "allow" | "ask" | "deny" | undefined;
  /** a person was waited for after the checkpoint gate */
  readonly waited: boolean;
  /** added to the model's part of the result: the harness's own words (T11), and what hooks said */
  readonly notes: ModelContent;
}
export type PreparedCall = CallInFlight;

/** find + parse + analysis + classify; before the scheduler, and again after a hook changed the input. Never rejects. */
export type Prepare = (raw: {
  readonly id: CallId;
  readonly name: string;
  readonly input: unknown;
  readonly invalid?: ToolUseBlock["invalid"];
}) => Promise<PreparedCall>;

export type GateVerdict = { readonly kind: "next"; readonly call: CallInFlight } | { readonly kind: "settle"; readonly outcome: ToolOutcome };
export interface Gate {
  readonly name: string;
  run(call: CallInFlight, cx: ToolContext): Promise<GateVerdict>;
}
export interface FinishGate {
  readonly name: string;
  run(call: CallInFlight, outcome: ToolOutcome, cx: ToolContext): Promise<ToolOutcome>;
}
/** Never rejects; exactly one outcome. */
export type RunCall = (call: CallInFlight, cx: ToolContext) => Promise<ToolOutcome>;
