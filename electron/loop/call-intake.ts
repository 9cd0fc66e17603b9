// Takes the calls of one reply in order: gives them ids that are unique and that every protocol takes (A02), prepares them while
// text still flows and hands them to the scheduler at once (T7). A call with `{}` and everything after it waits for the reply's end:
// only then is it known whether it is degenerate (L5) or was cut before its arguments (A05).
import type { ToolUseBlock } from "#shared/chat/blocks.ts";
import { SENDABLE_ID } from "#shared/chat/history-check.ts";
import { sendableName } from "#shared/chat/history-repair.ts";
import type { CallId } from "#shared/lib/ids.ts";
import { wellFormed } from "#shared/lib/text.ts";
import { CallId as CallIdSchema } from "#shared/lib/ids.ts";
import type { PreparedCall, Prepare } from "#electron/pipeline/contract.ts";
import type { ModelEvent } from "#electron/providers/contract.ts";
import type { TurnScheduler } from "#electron/scheduler/contract.ts";

type CallEvent = Extract<ModelEvent, { type: "tool_call" }>;

export interface CallIntake {
  /** The block for history; preparing goes on behind it. */
  offer(event: CallEvent): ToolUseBlock;
  /** Resolves when everything offered is prepared. A last call without usable arguments counts as cut when the output limit ended the reply. */
  prepared(byOutputLimit: boolean): Promise<void>;
  /** Hands over what waited for the reply's end. */
  release(): void;
  /** The attempt is dropped: nothing more reaches the scheduler. */
  close(): void;
  readonly calls: readonly PreparedCall[];
}

export type IntakeDeps = { readonly prepare: Prepare; readonly scheduler: TurnScheduler; readonly usedIds: Set<string>; newCallId(): CallId };

export function createCallIntake(deps: IntakeDeps): CallIntake {
  const calls: PreparedCall[] = [];
  const held: number[] = [];
  let queue = Promise.resolve();
  let open = true;

  const hand = (call: PreparedCall) => {
    if (open) deps.scheduler.add(call);
  };
  const arrive = (call: PreparedCall) => {
    calls.push(call);
    if (held.length > 0 || isEmptyObject(call.raw)) held.push(calls.length - 1);
    else hand(call);
  };
  return {
    calls,
    offer(event) {
      const block = blockOf(event, deps);
      const prepared = deps.prepare({ id: block.id, name: event.name, input: block.input, ...(block.invalid === undefined ? {} : { invalid: block.invalid }) });
      queue = queue.then(async () => arrive(await prepared));
      queue.catch(() => {}); // reported by `prepared`
      return block;
    },
    async prepared(byOutputLimit) {
      await queue;
      const last = calls.length - 1;
      const call = calls[last];
      if (byOutputLimit && call !== undefined && held.includes(last) && call.invalid?.why !== "cut" && isEmptyObject(call.raw)) {
        calls[last] = await deps.prepare({ id: call.id, name: call.name, input: {}, invalid: { raw: call.invalid?.raw ?? "", why: "cut" } });
      }
    },
    release() {
      for (const k of held.splice(0)) {
        const waiting = calls[k];
        if (waiting !== undefined) hand(waiting);
      }
    },
    close() {
      open = false;
    },
  };
}

function blockOf(event: CallEvent, deps: IntakeDeps): ToolUseBlock {
  const fresh = !SENDABLE_ID.test(event.id) || deps.usedIds.has(event.id);
  const id = fresh ? deps.newCallId() : CallIdSchema.parse(event.id);
  deps.usedIds.add(id);
  const rest = { ...(event.invalid === undefined ? {} : { invalid: event.invalid }), ...(event.item === undefined ? {} : { item: event.item }) };
  return { type: "tool_use", id, name: sendableName(event.name), input: event.invalid === undefined ? encodable(event.input) : {}, ...rest };
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

/** Arguments without half characters, which no request body could carry (A15). */
function encodable(value: unknown): unknown {
  if (typeof value === "string") return wellFormed(value);
  if (Array.isArray(value)) return value.map(encodable);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [wellFormed(key), encodable(member)]));
}
