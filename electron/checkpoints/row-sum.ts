// A sum beside each row of the store. SQLite notices torn pages, not a flipped bit in a value: without it a damaged row would be
// acted upon as if it were true (K9).
import type { Param, Row } from "./database.ts";

const START = 0x811c9dc5;
const PRIME = 0x01000193;
const number = new Float64Array(1);
const words = new Uint32Array(number.buffer);

const mix = (sum: number, word: number) => Math.imul(sum ^ word, PRIME);

/** FNV-1a over the values; each kind and length takes part, so that nothing can move from one value to the next. */
function sumFrom(start: number, values: readonly Param[]): number {
  let sum = start;
  for (const value of values) {
    if (value === null) sum = mix(sum, 1);
    else if (typeof value === "number") {
      number[0] = value;
      sum = mix(mix(mix(sum, 2), words[0] ?? 0), words[1] ?? 0);
    } else if (typeof value === "string") {
      sum = mix(mix(sum, 3), value.length);
      for (let at = 0; at < value.length; at++) sum = mix(sum, value.charCodeAt(at));
    } else {
      sum = mix(mix(sum, 4), value.length);
      for (const byte of value) sum = mix(sum, byte);
    }
  }
  return sum >>> 0;
}

export const sumOf = (values: readonly Param[]): number => sumFrom(START, values);

const REST = 2 ** 32;
const NAME_BITS = 0x1fffff;
const nameSum = (name: Uint8Array) => sumOf([name]) & NAME_BITS;

/** Of a row about a path: tells whether the path can still be believed when the rest cannot. */
export const namedSumOf = (name: Uint8Array, rest: readonly Param[]): number => nameSum(name) * REST + sumOf(rest);

export type RowState = "intact" | "damaged" | "name_damaged";

/** `sum` null: the row is older than these sums. */
export function stateOfNamed(sum: Param, name: Uint8Array, rest: readonly Param[]): RowState {
  if (sum === null) return "intact";
  if (typeof sum !== "number") return "name_damaged";
  if (Math.floor(sum / REST) !== nameSum(name)) return "name_damaged";
  return sum % REST === sumOf(rest) ? "intact" : "damaged";
}

export const isIntact = (sum: Param, values: readonly Param[]): boolean => sum === null || sum === sumOf(values);

export function valuesOf(row: Row, from: number, to: number): readonly Param[] {
  const values: Param[] = [];
  for (let column = from; column < to; column++) values.push(row.value(column));
  return values;
}
