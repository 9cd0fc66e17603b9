// Whether a tool's output may hold what would prove a hypothesis wrong (L13). Cheap and blunt on purpose: it only asks the model to look.
import { EVIDENCE_SHARE, EVIDENCE_TERMS } from "./limits.ts";

const QUOTED = /"([^"]{3,})"|'([^']{3,})'|`([^`]{3,})`|「([^」]{2,})」|“([^”]{2,})”/g;
const WORD = /[a-z_][\w.-]{2,}|\d[\d.]*|[\u4e00-\u9fff]{2,}/gi;
const COMMON: ReadonlySet<string> = new Set(
  "the and for with that this from not are was were has have had its when then than would will can could should any all but into out over".split(" "),
);

/** True when a quoted part of the falsifier is in the output, or most of its terms are within three neighbouring lines. */
export function mayMatch(falsifier: string, output: string): boolean {
  const text = output.toLowerCase();
  const quoted = [...falsifier.matchAll(QUOTED)].map((match) => (match.slice(1).find((part) => part !== undefined) ?? "").toLowerCase());
  if (quoted.length > 0) return quoted.some((part) => text.includes(part));
  const terms = termsOf(falsifier);
  if (terms.length < EVIDENCE_TERMS) return false;
  const needed = Math.max(EVIDENCE_TERMS, Math.ceil(terms.length * EVIDENCE_SHARE));
  const lines = text.split("\n");
  return lines.some((_, k) => {
    const passage = lines.slice(k, k + 3).join("\n");
    return terms.filter((term) => passage.includes(term)).length >= needed;
  });
}

function termsOf(falsifier: string): readonly string[] {
  const words = [...falsifier.toLowerCase().matchAll(WORD)].flatMap(([word]) => (/[\u4e00-\u9fff]/.test(word) ? pairs(word) : [word]));
  return [...new Set(words.filter((word) => !COMMON.has(word)))];
}

/** Chinese has no spaces: neighbouring characters stand for words. */
function pairs(run: string): readonly string[] {
  return Array.from({ length: run.length - 1 }, (_, k) => run.slice(k, k + 2));
}
