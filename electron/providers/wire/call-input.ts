// Arguments of a call as the model wrote them: an object, or marked as what they are. Never repaired (L25).

import type { InvalidInput } from "#shared/chat/blocks.ts";

export type CallInput = { readonly input: unknown; readonly invalid?: InvalidInput };

/** `cut`: the reply ended inside this call, so even arguments that parse are not what the model meant (A05). */
export function parseCallInput(raw: string, cut = false): CallInput {
  if (cut) return { input: {}, invalid: { raw, why: "cut" } };
  if (raw.trim() === "") return { input: {} };
  try {
    const input: unknown = JSON.parse(raw);
    return checked(input, () => raw);
  } catch {
    return { input: {}, invalid: { raw, why: "not_json" } };
  }
}

/** For arguments a protocol hands over already parsed. */
export function checkCallInput(input: unknown): CallInput {
  return checked(input, () => JSON.stringify(input) ?? "");
}

/** Arguments of no tool are nested like this, and everything that walks through them may do so call by call. */
const MAX_DEPTH = 200;
/** Of what is too deep only the beginning is kept: it goes into logs and back to the model. */
const DEEP_RAW_CHARS = 1_000;

function checked(input: unknown, raw: () => string): CallInput {
  if (isDeeperThan(input, MAX_DEPTH)) return { input: {}, invalid: { raw: rawOf(raw).slice(0, DEEP_RAW_CHARS), why: "too_deep" } };
  return isObject(input) ? { input } : { input: {}, invalid: { raw: raw(), why: "not_object" } };
}

function rawOf(raw: () => string): string {
  try {
    return raw();
  } catch {
    return ""; // too deep even to be written down
  }
}

/** Level by level, not call by call. */
function isDeeperThan(value: unknown, depth: number): boolean {
  let level: readonly unknown[] = [value];
  for (let at = 0; at <= depth; at += 1) {
    level = level.flatMap(partsOf);
    if (level.length === 0) return false;
  }
  return true;
}

function partsOf(value: unknown): readonly unknown[] {
  return typeof value === "object" && value !== null ? Object.values(value) : [];
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
