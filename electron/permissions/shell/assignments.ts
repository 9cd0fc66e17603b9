// Assignments that stand alone, `export` and `unset`: they change what later commands see, or what they are (B08).
import { changesWhatRuns, isHarmlessAssignment } from "./env-names.ts";
import { expandValue, visitExpansions } from "./expand.ts";
import { same, type ShellState, withVar } from "./state.ts";
import { childIn, type SyntaxNode } from "./tree.ts";
import type { Assignment, Walk, Walked } from "./walk-context.ts";
import { textWord, type Word } from "./word.ts";

const NAME = /^[A-Za-z_]\w*$/;

export function walkAssignments(nodes: readonly SyntaxNode[], state: ShellState, walk: Walk): Walked {
  return { outcome: same(nodes.reduce((from, node) => assign(node, from, walk), state)), prints: "none" };
}

function assign(node: SyntaxNode, state: ShellState, walk: Walk): ShellState {
  const name = childIn(node, "name")?.text ?? "";
  const value = valueOf(node, state, walk);
  if (!NAME.test(name)) walk.found.doubt("an assignment to an index that is calculated");
  else if (changesWhatRuns(name)) walk.found.doubt(`${name} changes what is run`);
  return withVar(state, name, value);
}

function valueOf(node: SyntaxNode, state: ShellState, walk: Walk): Word {
  const value = childIn(node, "value");
  if (value === undefined) return textWord("");
  if (value.type === "array") {
    visitExpansions(value, state, walk);
    if (/\[[^\]]*[^\w\]][^\]]*\]\s*=/.test(value.text)) walk.found.doubt("an array whose index is calculated");
    return { kind: "unknown", raw: value.text, head: "" };
  }
  const word = expandValue(value, state, walk);
  const replaces = node.children.some((child) => !child.named && child.text === "=");
  return replaces ? word : { kind: "unknown", raw: node.text, head: "" };
}

/** Assignments before a command: they hold for it alone. */
export function prefixAssignments(nodes: readonly SyntaxNode[], state: ShellState, walk: Walk): readonly Assignment[] {
  return nodes.map((node) => {
    const name = childIn(node, "name")?.text ?? "";
    const value = valueOf(node, state, walk);
    const harmless =
      NAME.test(name) && node.children.some((child) => child.text === "=") && isHarmlessAssignment(name, value.kind === "text" ? value.text : undefined);
    return { text: node.text, name, harmless };
  });
}

const HARMLESS_FLAGS = /^-[xrg]+$/;

export function walkDeclaration(node: SyntaxNode, state: ShellState, walk: Walk): Walked {
  const [keyword, ...rest] = node.children;
  let now = state;
  if (rest.length === 0) walk.found.doubt(`${keyword?.text ?? "it"} prints every variable`);
  for (const child of rest) {
    if (child.type === "variable_assignment") now = assign(child, now, walk);
    else if (child.type === "variable_name" && !changesWhatRuns(child.text)) continue;
    else if (child.type === "word" && HARMLESS_FLAGS.test(child.text)) continue;
    else {
      visitExpansions(child, now, walk);
      walk.found.doubt(`a declaration that is not understood: ${child.text.slice(0, 60)}`);
    }
  }
  return { outcome: same(now), prints: "none" };
}

export function walkUnset(node: SyntaxNode, state: ShellState, walk: Walk): Walked {
  const names = node.children.slice(1);
  if (!names.every((child) => NAME.test(child.text) && !changesWhatRuns(child.text))) walk.found.doubt("it removes something that may change what is run");
  const now = names.reduce((from, child) => withVar(from, child.text, { kind: "unknown", raw: `$${child.text}`, head: "" }), state);
  return { outcome: same(now), prints: "none" };
}
