// Call ids as a protocol takes them. An id that another provider made may have characters or a length that are refused.

export type IdRule = { readonly allowed: RegExp; readonly max: number };

export const ANTHROPIC_IDS: IdRule = { allowed: /^[A-Za-z0-9_-]+$/, max: 64 };
export const RESPONSES_IDS: IdRule = { allowed: /^[\x21-\x7e]+$/, max: 64 };
export const CHAT_IDS: IdRule = { allowed: /^[\x21-\x7e]+$/, max: 40 };

/** The same id for the same id every time, so that call and result still match and the prompt cache holds. */
export function wireId(id: string, rule: IdRule): string {
  if (id.length <= rule.max && rule.allowed.test(id)) return id;
  const tail = `_${hash(id)}`;
  return `${id.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, rule.max - tail.length)}${tail}`;
}

/** FNV-1a in base 36: short, stable, not for secrets. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let k = 0; k < text.length; k += 1) value = Math.imul(value ^ text.charCodeAt(k), 0x01000193) >>> 0;
  return value.toString(36);
}
