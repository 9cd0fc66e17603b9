// Loops: a `for` over few known words is walked once per word; what a body changes is walked again from there until it is settled.
import { changesWhatRuns } from "./env-names.ts";
import { expandWord } from "./expand.ts";
import { after, either, same, type ShellState, withVar } from "./state.ts";
import { childIn, childrenIn, type SyntaxNode } from "./tree.ts";
import type { Feed, Walk, Walked } from "./walk-context.ts";
import type { Word } from "./word.ts";

const MAX_UNROLLED = 8;
type LoopAt = { readonly stdin: Feed; readonly walk: Walk };

export function walkFor(node: SyntaxNode, state: ShellState, at: LoopAt): Walked {
  const { walk } = at;
  const name = childIn(node, "variable")?.text ?? "";
  const body = childIn(node, "body");
  if (node.children[0]?.text !== "for" || body === undefined) walk.found.doubt("a loop that asks the person at the terminal");
  if (changesWhatRuns(name)) walk.found.doubt(`${name} changes what is run`);
  const given = childrenIn(node, "value");
  const words = given.flatMap((value) => expandWord(value, state, walk));
  const once = (from: ShellState, word: Word) =>
    body === undefined ? from : after(walk.statements(body.children, withVar(from, name, word), at.stdin).outcome);
  if (given.length > 0 && words.length <= MAX_UNROLLED && words.every((word) => word.kind === "text")) {
    return { outcome: same(words.reduce((from, word) => either(from, once(from, word)), state)), prints: "other" };
  }
  return { outcome: same(settle(state, (from) => once(from, oneOf(words, name)))), prints: "other" };
}

// The variable of a loop over patterns is the name of some file that matches.
function oneOf(words: readonly Word[], name: string): Word {
  const [only, ...more] = words;
  if (only?.kind === "names" && more.length === 0) return only;
  return { kind: "unknown", raw: `$${name}`, head: "" };
}

export function walkWhile(node: SyntaxNode, state: ShellState, at: LoopAt): Walked {
  const { walk } = at;
  const condition = childrenIn(node, "condition");
  const body = childIn(node, "body");
  const once = (from: ShellState) => {
    const checked = walk.statements(condition, from, at.stdin);
    return body === undefined ? after(checked.outcome) : after(walk.statements(body.children, after(checked.outcome), at.stdin).outcome);
  };
  return { outcome: same(settle(state, once)), prints: "other" };
}

// Each round may start where the last one ended. What still moves after two rounds could end anywhere.
function settle(start: ShellState, round: (from: ShellState) => ShellState): ShellState {
  const first = either(start, round(start));
  if (first === start || isSame(first, start)) return first;
  const second = either(first, round(first));
  if (isSame(second, first)) return second;
  const lost: ShellState = { cwds: undefined, vars: second.vars };
  return either(lost, round(lost));
}

function isSame(a: ShellState, b: ShellState): boolean {
  return JSON.stringify([a.cwds, [...a.vars]]) === JSON.stringify([b.cwds, [...b.vars]]);
}
