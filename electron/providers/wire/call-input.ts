// Arguments of a call as the model wrote them: an object, or marked as what they are. Never repaired (L25).

export type CallInput = { readonly input: unknown; readonly invalid?: { readonly raw: string; readonly why: "not_json" | "not_object" | "cut" } };

/** `cut`: the reply ended inside this call, so even arguments that parse are not what the model meant (A05). */
export function parseCallInput(raw: string, cut = false): CallInput {
  if (cut) return { input: {}, invalid: { raw, why: "cut" } };
  if (raw.trim() === "") return { input: {} };
  try {
    const input: unknown = JSON.parse(raw);
    return isObject(input) ? { input } : { input: {}, invalid: { raw, why: "not_object" } };
  } catch {
    return { input: {}, invalid: { raw, why: "not_json" } };
  }
}

/** For arguments a protocol hands over already parsed. */
export function checkCallInput(input: unknown): CallInput {
  return isObject(input) ? { input } : { input: {}, invalid: { raw: JSON.stringify(input) ?? "", why: "not_object" } };
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
