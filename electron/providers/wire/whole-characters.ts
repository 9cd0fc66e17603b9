// Deltas that never hold half a character: a trailing high surrogate waits for the delta that completes it (A15).
import { wellFormed } from "#shared/lib/text.ts";
import type { ModelEvent } from "#electron/providers/contract.ts";

type DeltaEvent = Extract<ModelEvent, { delta: string }>;

/** Passes events on; what is still half when the kind of event changes becomes U+FFFD. */
export function createCharacterJoiner(): { push(event: ModelEvent): readonly ModelEvent[] } {
  let held: DeltaEvent | undefined;

  const release = (): readonly ModelEvent[] => {
    const event = held;
    held = undefined;
    return event === undefined ? [] : [{ ...event, delta: wellFormed(event.delta) }];
  };
  return {
    push: (event) => {
      if (!("delta" in event)) return event.type === "bytes" ? [event] : [...release(), event];
      const joins = held !== undefined && sameStream(held, event);
      const before = joins ? [] : release();
      const delta = joins && held !== undefined ? held.delta + event.delta : event.delta;
      held = undefined;
      const whole = endsInHalf(delta) ? delta.slice(0, -1) : delta;
      if (whole.length < delta.length) held = { ...event, delta: delta.slice(-1) };
      return whole === "" ? before : [...before, { ...event, delta: wellFormed(whole) }];
    },
  };
}

function sameStream(a: DeltaEvent, b: DeltaEvent): boolean {
  if (a.type === "tool_input" || b.type === "tool_input") return a.type === "tool_input" && b.type === "tool_input" && a.index === b.index;
  return a.type === b.type;
}

function endsInHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}
