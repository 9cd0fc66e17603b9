// What is known while a command line is walked: the folders it may be in (B13) and the values variables may have. Immutable.
import type { Word } from "./word.ts";

export type ShellState = {
  /** every folder the shell may be in; undefined when it cannot be told */
  readonly cwds: readonly string[] | undefined;
  /** variables set by the command line itself */
  readonly vars: ReadonlyMap<string, Word>;
};
/** The state after something ran, by whether it succeeded: `cd a && …` and `cd a || …` go on in different folders. */
export type Outcome = { readonly ok: ShellState; readonly failed: ShellState };

const MAX_FOLDERS = 6;

export function same(state: ShellState): Outcome {
  return { ok: state, failed: state };
}

/** Either of two states. */
export function either(a: ShellState, b: ShellState): ShellState {
  if (a === b) return a;
  return { cwds: joinFolders(a.cwds, b.cwds), vars: joinVars(a.vars, b.vars) };
}

export function after(outcome: Outcome): ShellState {
  return either(outcome.ok, outcome.failed);
}

function joinFolders(a: ShellState["cwds"], b: ShellState["cwds"]): ShellState["cwds"] {
  if (a === undefined || b === undefined) return undefined;
  const joined = [...new Set([...a, ...b])];
  return joined.length > MAX_FOLDERS ? undefined : joined;
}

function joinVars(a: ShellState["vars"], b: ShellState["vars"]): ShellState["vars"] {
  if (a === b) return a;
  const joined = new Map<string, Word>();
  for (const name of new Set([...a.keys(), ...b.keys()])) {
    const [one, other] = [a.get(name), b.get(name)];
    const agree = one !== undefined && other !== undefined && JSON.stringify(one) === JSON.stringify(other);
    joined.set(name, agree ? one : { kind: "unknown", raw: isNumber(one) && isNumber(other) ? `$((${name}))` : `$${name}`, head: "" });
  }
  return joined;
}

/** A number whatever happens: written as one, or the result of a calculation. */
export function isNumber(value: Word | undefined): boolean {
  if (value?.kind === "text") return /^-?\d+$/.test(value.text);
  return value?.kind === "unknown" && value.raw.startsWith("$((");
}

export function withVar(state: ShellState, name: string, value: Word): ShellState {
  return { ...state, vars: new Map(state.vars).set(name, value) };
}

/** `cd target` from each folder; bash folds `..` as text there, links or not. */
export function changeFolder(state: ShellState, target: string | undefined): Outcome {
  if (target === undefined || state.cwds === undefined) return { ok: { ...state, cwds: undefined }, failed: state };
  return { ok: { ...state, cwds: [...new Set(state.cwds.map((cwd) => foldPath(absolute(target, cwd))))] }, failed: state };
}

/** Absolute, with `..` left in it: after a link `..` leads elsewhere than its text says. */
export function absolute(path: string, cwd: string): string {
  if (path.startsWith("/") || /^(?:[A-Za-z]:[\\/]|\\\\)/.test(path)) return path;
  const inner = path.replace(/^(?:\.\/+)+/, "");
  if (inner === "" || inner === ".") return cwd;
  return cwd.endsWith("/") ? cwd + inner : `${cwd}/${inner}`;
}

function foldPath(path: string): string {
  const kept: string[] = [];
  for (const name of path.split("/")) {
    if (name === "" || name === ".") continue;
    if (name === "..") kept.pop();
    else kept.push(name);
  }
  return /^[A-Za-z]:/.test(path) ? kept.join("/") : `/${kept.join("/")}`;
}
