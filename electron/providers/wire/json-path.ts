// Counts and texts out of parsed JSON that may be anything.
import { isObject } from "./call-input.ts";

export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((here, key) => (isObject(here) ? here[key] : undefined), value);
}

/** A count of tokens; anything that is none is undefined. */
export function count(value: unknown, ...path: readonly string[]): number | undefined {
  const found = at(value, ...path);
  return typeof found === "number" && Number.isFinite(found) && found >= 0 ? found : undefined;
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

export function string(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === "string" ? found : undefined;
}
