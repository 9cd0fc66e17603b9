// The words of a checkpoint's cause: what is shown of prompts and commands is their own text.
import { oneLine } from "#shared/lib/text.ts";

const LABEL_CHARS = 80;

export function causeText(t: (key: string, options: Record<string, unknown>) => string, cause: { readonly kind: string; readonly label: string }): string {
  return t(`cause.${cause.kind}`, { label: oneLine(cause.label, LABEL_CHARS) });
}
