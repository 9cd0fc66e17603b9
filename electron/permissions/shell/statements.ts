// Walks a whole command line in the order it runs, keeping the folders it may be in (P3, B13).
// What is not on the list of known statements is a doubt, and the commands inside it are still found for deny rules.
import { FORK_BOMB } from "#electron/permissions/dangerous.ts";
import { walkAssignments, walkDeclaration, walkUnset } from "./assignments.ts";
import { checkArithmetic, checkTest, namesSetBy } from "./arithmetic.ts";
import { expandWord, visitExpansions } from "./expand.ts";
import { walkFor, walkWhile } from "./loops.ts";
import { walkRedirects, type Redirected } from "./redirects.ts";
import { after, either, same, type ShellState, withVar } from "./state.ts";
import { childIn, childrenIn, namedChildren, someNode, type SyntaxNode } from "./tree.ts";
import type { At, Feed, Walk, Walked } from "./walk-context.ts";
import type { Word } from "./word.ts";
import { walkSimple } from "./simple.ts";

type Seat = { readonly state: ShellState; readonly stdin: Feed; readonly redirects: readonly SyntaxNode[] };
type WalkNode = (node: SyntaxNode, seat: Seat, walk: Walk) => Walked;

const SEPARATORS = new Set(["", ";", "&", "(", ")", "{", "}", "do", "done", "then", "fi", "if", "elif", "else", "$(", "`", "<(", ">("]);

/** Statements one after another; `&` puts the one before it into the background. */
export function walkStatements(nodes: readonly SyntaxNode[], state: ShellState, at: { readonly stdin: Feed; readonly walk: Walk }): Walked {
  const { walk } = at;
  let last: Walked = { outcome: same(state), prints: "none" };
  nodes.forEach((node, index) => {
    if (node.type === "comment") return;
    if (!node.named) {
      if (!SEPARATORS.has(node.text.trim())) walk.found.doubt(`a sign between commands that is not known: ${node.text}`);
      return;
    }
    const here = after(last.outcome);
    if (node.type === "file_redirect") {
      walkRedirects([node], here, walk);
      last = { outcome: last.outcome, prints: "other" };
      return;
    }
    const inBackground = nodes[index + 1]?.text === "&";
    const walked = walkNode(node, { state: here, stdin: at.stdin, redirects: [] }, walk);
    if (inBackground) walk.found.background();
    const prints = last.prints === "none" || last.prints === walked.prints ? walked.prints : worstFeed(last.prints, walked.prints);
    last = { outcome: inBackground ? same(here) : walked.outcome, prints };
  });
  return last;
}

function worstFeed(a: Feed, b: Feed): Feed {
  if (a === "network" || b === "network") return "network";
  return a === b ? a : a === "none" ? b : b === "none" ? a : "other";
}

const NODES: Readonly<Record<string, WalkNode>> = {
  list: walkList,
  pipeline: walkPipeline,
  redirected_statement: (node, seat, walk) => {
    const [body] = childrenIn(node, "body");
    const redirects = [...childrenIn(node, "redirect"), ...seat.redirects];
    if (body === undefined)
      return withRedirects({ ...seat, redirects }, walk, (state, redirected) =>
        walkWords(redirected.words, { state, stdin: seat.stdin, env: [], fetchesWords: false }, walk),
      );
    return walkNode(body, { ...seat, redirects }, walk);
  },
  negated_command: (node, seat, walk) => {
    const [inner] = namedChildren(node);
    if (inner === undefined) return { outcome: same(seat.state), prints: "none" };
    const walked = walkNode(inner, seat, walk);
    return { outcome: { ok: walked.outcome.failed, failed: walked.outcome.ok }, prints: walked.prints };
  },
  command: (node, seat, walk) => {
    const all = [...node.children.filter((child) => child.type.endsWith("_redirect")), ...seat.redirects];
    return withRedirects({ ...seat, redirects: all }, walk, (state, redirected) =>
      walkSimple(node, { state, stdin: redirected.stdin ?? seat.stdin, more: redirected.words, stdoutGone: redirected.stdoutGone }, walk),
    );
  },
  subshell: (node, seat, walk) =>
    withRedirects(seat, walk, (state, redirected) => {
      const walked = walk.statements(node.children, state, redirected.stdin ?? seat.stdin);
      return { outcome: same(state), prints: walked.prints };
    }),
  compound_statement: (node, seat, walk) =>
    withRedirects(seat, walk, (state, redirected) => {
      if (node.children[0]?.text !== "((") return walk.statements(node.children, state, redirected.stdin ?? seat.stdin);
      checkArithmetic(node, state, walk);
      const counted = namesSetBy(node).reduce((from, name) => withVar(from, name, { kind: "unknown", raw: `$((${name}))`, head: "" }), state);
      return { outcome: same(counted), prints: "none" };
    }),
  do_group: (node, seat, walk) => walk.statements(node.children, seat.state, seat.stdin),
  if_statement: (node, seat, walk) =>
    withRedirects(seat, walk, (state, redirected) => walkIf(node.children, state, { stdin: redirected.stdin ?? seat.stdin, walk })),
  while_statement: (node, seat, walk) =>
    withRedirects(seat, walk, (state, redirected) => walkWhile(node, state, { stdin: redirected.stdin ?? seat.stdin, walk })),
  for_statement: (node, seat, walk) => withRedirects(seat, walk, (state, redirected) => walkFor(node, state, { stdin: redirected.stdin ?? seat.stdin, walk })),
  case_statement: (node, seat, walk) =>
    withRedirects(seat, walk, (state, redirected) => walkCase(node, state, { stdin: redirected.stdin ?? seat.stdin, walk })),
  test_command: (node, seat, walk) =>
    withRedirects(seat, walk, (state) => {
      checkTest(node, state, walk);
      visitExpansions(node, state, walk);
      return { outcome: same(state), prints: "none" };
    }),
  variable_assignment: (node, seat, walk) => withRedirects(seat, walk, (state) => walkAssignments([node], state, walk)),
  variable_assignments: (node, seat, walk) => withRedirects(seat, walk, (state) => walkAssignments(namedChildren(node), state, walk)),
  declaration_command: (node, seat, walk) => withRedirects(seat, walk, (state) => walkDeclaration(node, state, walk)),
  unset_command: (node, seat, walk) => withRedirects(seat, walk, (state) => walkUnset(node, state, walk)),
  function_definition: walkFunction,
};

function walkNode(node: SyntaxNode, seat: Seat, walk: Walk): Walked {
  const known = NODES[node.type];
  const here = () => (known === undefined ? walkUnknown(node, seat, walk) : known(node, seat, walk));
  return walk.found.enter(here, () => ({ outcome: same(seat.state), prints: "other" }));
}

// `> out rm x`: the redirect stands before the command.
function walkWords(words: readonly Word[], at: At, walk: Walk): Walked {
  return words.length === 0 ? { outcome: same(at.state), prints: "none" } : walk.command(words, at);
}

function withRedirects(seat: Seat, walk: Walk, run: (state: ShellState, redirected: Redirected) => Walked): Walked {
  const redirected = walkRedirects(seat.redirects, seat.state, walk);
  let walked = run(seat.state, redirected);
  if (redirected.stdoutGone && walked.prints !== "network") walked = { ...walked, prints: "other" };
  for (const { operator, node } of redirected.goesOn) walked = goOn(walked, operator, { node, seat, walk });
  return walked;
}

function goOn(before: Walked, operator: string, next: { readonly node: SyntaxNode; readonly seat: Seat; readonly walk: Walk }): Walked {
  const { node, walk } = next;
  const seat = (state: ShellState, stdin: Feed): Seat => ({ state, stdin, redirects: [] });
  if (operator === "|") return walkStages(namedChildren(node), seat(next.seat.state, before.prints), walk);
  const { ok, failed } = before.outcome;
  if (operator === "&&") {
    const right = walkNode(node, seat(ok, "none"), walk);
    return { outcome: { ok: right.outcome.ok, failed: either(failed, right.outcome.failed) }, prints: worstFeed(before.prints, right.prints) };
  }
  if (operator !== "||") walk.found.doubt("a connection of commands that is not known");
  const right = walkNode(node, seat(failed, "none"), walk);
  return { outcome: { ok: either(ok, right.outcome.ok), failed: right.outcome.failed }, prints: worstFeed(before.prints, right.prints) };
}

// The grammar hangs the last redirects on the whole list; bash gives them to its last command.
function walkList(node: SyntaxNode, seat: Seat, walk: Walk): Walked {
  const [left, right] = namedChildren(node);
  const operator = node.children.find((child) => !child.named)?.text ?? "";
  if (left === undefined || right === undefined) return walkUnknown(node, seat, walk);
  const first = walkNode(left, { ...seat, redirects: [] }, walk);
  const { ok, failed } = first.outcome;
  if (operator === "&&") {
    const second = walkNode(right, { ...seat, state: ok }, walk);
    return { outcome: { ok: second.outcome.ok, failed: either(failed, second.outcome.failed) }, prints: worstFeed(first.prints, second.prints) };
  }
  const second = walkNode(right, { ...seat, state: operator === "||" ? failed : either(ok, failed) }, walk);
  return { outcome: { ok: either(ok, second.outcome.ok), failed: second.outcome.failed }, prints: worstFeed(first.prints, second.prints) };
}

function walkPipeline(node: SyntaxNode, seat: Seat, walk: Walk): Walked {
  return walkStages(namedChildren(node), seat, walk);
}

// Each stage runs in a shell of its own: no folder and no variable comes back.
function walkStages(stages: readonly SyntaxNode[], seat: Seat, walk: Walk): Walked {
  let feed = seat.stdin;
  stages.forEach((stage, at) => {
    feed = walkNode(stage, { state: seat.state, stdin: feed, redirects: at === stages.length - 1 ? seat.redirects : [] }, walk).prints;
  });
  return { outcome: same(seat.state), prints: feed };
}

function walkIf(nodes: readonly SyntaxNode[], state: ShellState, at: { readonly stdin: Feed; readonly walk: Walk }): Walked {
  const { walk, stdin } = at;
  const then = nodes.findIndex((node) => node.text === "then" && !node.named);
  const condition = walk.statements(nodes.slice(0, then), state, stdin);
  const rest = nodes.slice(then + 1);
  const isBranch = (node: SyntaxNode) => node.type === "elif_clause" || node.type === "else_clause";
  const taken = walk.statements(
    rest.filter((node) => !isBranch(node)),
    condition.outcome.ok,
    stdin,
  );
  let untaken: ShellState = condition.outcome.failed;
  let end = after(taken.outcome);
  for (const branch of rest.filter(isBranch)) {
    const walked: Walked = branch.type === "else_clause" ? walk.statements(branch.children, untaken, stdin) : walkIf(branch.children, untaken, at);
    end = either(end, after(walked.outcome));
    untaken = after(walked.outcome);
  }
  return { outcome: same(either(end, untaken)), prints: "other" };
}

function walkCase(node: SyntaxNode, state: ShellState, at: { readonly stdin: Feed; readonly walk: Walk }): Walked {
  for (const value of childrenIn(node, "value")) visitExpansions(value, state, at.walk);
  let end = state;
  for (const item of node.children.filter((child) => child.type === "case_item")) {
    for (const pattern of childrenIn(item, "value")) visitExpansions(pattern, state, at.walk);
    // `;&` falls through into the next branch, so each starts from whatever came before.
    const walked = at.walk.statements(
      item.children.filter((child) => child.field !== "value" && (child.named || child.text === "&")),
      end,
      at.stdin,
    );
    end = either(end, after(walked.outcome));
  }
  return { outcome: same(end), prints: "other" };
}

function walkFunction(node: SyntaxNode, seat: Seat, walk: Walk): Walked {
  const name = childIn(node, "name")?.text ?? "";
  const body = childIn(node, "body");
  walk.found.doubt(`it defines a function (${name})`);
  if (body !== undefined) {
    const calls = countCalls(body, name);
    const piped = someNode(body, (one) => one.type === "pipeline" && countCalls(one, name) > 0);
    if (calls > 1 || (calls > 0 && (piped || someNode(body, (one) => one.text === "&" && !one.named)))) {
      walk.found.add({
        text: node.text,
        known: [name],
        complete: false,
        does: "unknown",
        why: FORK_BOMB,
        env: [],
        writes: [],
        deletes: [],
        network: false,
        sweeping: false,
      });
    }
    walkNode(body, { ...seat, state: { cwds: undefined, vars: new Map() }, redirects: childrenIn(node, "redirect") }, walk);
  }
  return { outcome: same(seat.state), prints: "none" };
}

function countCalls(node: SyntaxNode, name: string): number {
  const own = node.type === "command" && childIn(node, "name")?.text === name ? 1 : 0;
  return own + node.children.reduce((sum, child) => sum + countCalls(child, name), 0);
}

// For deny rules the commands inside are named even where nothing can be proven.
function walkUnknown(node: SyntaxNode, seat: Seat, walk: Walk): Walked {
  walk.found.doubt(`a statement that is not known: ${node.text.slice(0, 60)}`);
  for (const child of namedChildren(node)) {
    if (NODES[child.type] !== undefined) walkNode(child, { ...seat, state: { ...seat.state, cwds: undefined }, redirects: [] }, walk);
    else if (child.children.length > 0) walkUnknown(child, seat, walk);
    else expandWord(child, seat.state, walk);
  }
  return { outcome: same({ ...seat.state, cwds: undefined }), prints: "other" };
}
