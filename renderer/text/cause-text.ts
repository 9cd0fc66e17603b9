// The words of a stone: the person's own name for it, else its cause. What is shown of prompts and commands is their own text.
import type { TrailNode } from "#shared/session/view.ts";
import { oneLine } from "#shared/lib/text.ts";

const LABEL_CHARS = 80;

export function causeText(
  t: (key: string, options: Record<string, unknown>) => string,
  { checkpoint: { cause }, name = "" }: Pick<TrailNode, "checkpoint" | "name">,
): string {
  if (name !== "") return oneLine(name, LABEL_CHARS);
  const label = cause.kind === "before_call" ? withVerb(t, cause.label) : cause.label;
  return t(`trail:cause.${cause.kind}`, { label: oneLine(label, LABEL_CHARS) });
}

/** A step's label begins with the tool's name, which says little to a person: its verb stands there instead. */
function withVerb(t: (key: string, options: Record<string, unknown>) => string, label: string): string {
  return label.replace(/^[a-z_]+(?=\s|$)/, (tool) => t(`cards:tool.${tool}.tried`, { defaultValue: tool }));
}
