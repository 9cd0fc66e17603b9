// What a sub-agent is doing, in one line for the card of its call: tool and subject, as the model gave them.
import type { LiveEvent } from "#shared/events/live.ts";
import { oneLine } from "#shared/lib/text.ts";

const SUBJECT_CHARS = 120;

/** Undefined for news that is not worth a line. */
export function progressOf(event: LiveEvent): string | undefined {
  if (event.type !== "call_state" || event.state !== "running") return undefined;
  const { input } = event;
  const values: readonly unknown[] = typeof input === "object" && input !== null ? Object.values(input) : [];
  const subject = values.find((value) => typeof value === "string");
  return subject === undefined ? event.tool : `${event.tool} ${oneLine(subject, SUBJECT_CHARS)}`;
}
