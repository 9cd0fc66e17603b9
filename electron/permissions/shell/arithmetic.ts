// Arithmetic is code: a variable whose text is `a[$(rm x)]` runs rm when it is calculated with. Only numbers that the
// command line itself made, and variables it never touched, are taken as harmless.
import { changesWhatRuns } from "./env-names.ts";
import { isNumber, type ShellState } from "./state.ts";
import { someNode, type SyntaxNode } from "./tree.ts";
import type { Walk } from "./walk-context.ts";

const OPERATORS = /^(?:\$\(\(|\(\(|\)\)|\(|\)|[-+*/%<>=!&|^~?:,;]+)$/;

/** Reports a doubt unless every name in the calculation is known to be a number. */
export function checkArithmetic(node: SyntaxNode, state: ShellState, walk: Walk): void {
  if (!node.children.every((child) => isHarmless(child, state))) walk.found.doubt(`a calculation with text that is not known: ${node.text.slice(0, 60)}`);
  for (const name of namesSetBy(node)) if (changesWhatRuns(name)) walk.found.doubt(`${name} changes what is run`);
}

const SETS = /^(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)?=)$/;

/** Every name in a calculation that sets something: which of them it sets is not taken apart. */
export function namesSetBy(node: SyntaxNode): readonly string[] {
  if (!someNode(node, (one) => one.type === "variable_assignment" || (!one.named && SETS.test(one.text.trim())))) return [];
  const names: string[] = [];
  const visit = (one: SyntaxNode): void => {
    if (/^(?:variable_name|word)$/.test(one.type) && /^[A-Za-z_]\w*$/.test(one.text)) names.push(one.text);
    one.children.forEach(visit);
  };
  visit(node);
  return names;
}

function isHarmless(node: SyntaxNode, state: ShellState): boolean {
  switch (node.type) {
    case "number":
    case "special_variable_name":
      return true;
    case "variable_name":
    case "word":
      return /^\d+$/.test(node.text) || isNumberVariable(node.text, state);
    case "simple_expansion":
      return isNumberVariable(node.text.trimStart().slice(1), state);
    case "expansion":
      return /^\$\{#?\w+\}$/.test(node.text.trim()) && isNumberVariable(node.text.replace(/[^\w]/g, ""), state);
    case "variable_assignment":
      return node.children.every((child) => child.field === "name" || !child.named || isHarmless(child, state));
    case "binary_expression":
    case "unary_expression":
    case "postfix_expression":
    case "ternary_expression":
    case "parenthesized_expression":
      return node.children.every((child) => isHarmless(child, state));
    default:
      return !node.named && OPERATORS.test(node.text.trim());
  }
}

/** A number that the command line itself made, or a variable it never touched. */
export function isNumberVariable(name: string, state: ShellState): boolean {
  if (/^[?#$!]$/.test(name)) return true;
  if (!/^[A-Za-z_]\w*$/.test(name)) return false;
  const value = state.vars.get(name);
  return value === undefined || isNumber(value);
}

const PARTS_OF_TESTS = new Set([
  "test_command",
  "unary_expression",
  "binary_expression",
  "parenthesized_expression",
  "ternary_expression",
  "postfix_expression",
]);
const SINGLE_SIGNS = new Set(["[", "]", "=", "==", "!=", "!", "-a", "-o", '"', ""]);

/** Tests: `-v` and `-R` calculate an index, and `[[ … -eq … ]]` calculates both sides. */
export function checkTest(node: SyntaxNode, state: ShellState, walk: Walk): void {
  const double = node.children[0]?.text === "[[";
  const visit = (one: SyntaxNode): void => {
    const operator = one.children.find((child) => child.field === "operator")?.text;
    if (operator === "-v" || operator === "-R") walk.found.doubt("a test that looks a variable up by name");
    if (!PARTS_OF_TESTS.has(one.type)) return;
    if (!double) checkSingle(one, state, walk);
    const calculates = double && operator !== undefined && /^-(?:eq|ne|lt|le|gt|ge)$/.test(operator);
    if (calculates && !one.children.every((child) => child.field === "operator" || isComparable(child, state)))
      walk.found.doubt("a comparison that calculates with unknown text");
    one.children.forEach(visit);
  };
  visit(node);
}

// In `[` a `>` is a redirect and a parenthesis a subshell, whatever the grammar makes of them.
function checkSingle(node: SyntaxNode, state: ShellState, walk: Walk): void {
  if (node.children.some((child) => !child.named && !SINGLE_SIGNS.has(child.text)))
    walk.found.doubt(`a test with a sign that the shell reads differently: ${node.text.slice(0, 60)}`);
  if (node.children.some((child) => splitsUp(child, state))) walk.found.doubt(`a test whose words are only known at run time: ${node.text.slice(0, 60)}`);
}

// In `[` a value without quotes may become several words, `-v` and an index to calculate among them.
function splitsUp(node: SyntaxNode, state: ShellState): boolean {
  if (node.type === "concatenation") return node.children.some((child) => splitsUp(child, state));
  if (node.type === "command_substitution") return true;
  if (node.type !== "simple_expansion" && node.type !== "expansion") return false;
  const name = node.text.trim().replace(/^\$\{?|\}$/g, "");
  if (/^[?#$!]$/.test(name)) return false;
  const value = state.vars.get(name);
  return value !== undefined && !isNumber(value) && !(value.kind === "text" && /^[\w./@%+=:,-]+$/.test(value.text));
}

function isComparable(node: SyntaxNode, state: ShellState): boolean {
  if (node.type === "string") return node.children.every((child) => !child.named || isHarmless(child, state));
  return isHarmless(node, state);
}
