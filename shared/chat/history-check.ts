// The one checker of any history (L18): calls and results, ids, order, blank blocks, roles. Pure; repair is its own file.
import { wellFormed, isBlank } from "#shared/lib/text.ts";
import type { Block, Message } from "./blocks.ts";

export type ProblemKind =
  | "orphan_call"
  | "dangling_result"
  | "duplicate_id"
  | "bad_id"
  | "bad_name"
  | "result_order"
  | "misplaced_block"
  | "blank_text"
  | "empty_message"
  | "role_repeat"
  | "first_not_user"
  | "last_not_user"
  | "trailing_thinking"
  | "not_well_formed";

/** `at`: index of the message; `id`: the call it is about. */
export type HistoryProblem = { readonly kind: ProblemKind; readonly at: number; readonly id?: string };

/** What every provider takes as a call id and as a tool name. */
export const SENDABLE_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** All problems, in order. `forSending` also asks that the history begins and ends with a user message. */
export function checkHistory(history: readonly Message[], forSending: boolean): readonly HistoryProblem[] {
  return check(history, forSending, localProblems);
}

export type HistoryChecker = typeof checkHistory;

/** Messages that were found in order, with the ids of their calls and those of the last one, which are still open. */
type Good = { readonly messages: readonly Message[]; readonly seen: Set<string>; readonly open: readonly string[] };
const nothingGood = (): Good => ({ messages: [], seen: new Set(), open: [] });

/**
 * The same check for a history that is looked at again and again: each message is read through once as long as it lives, and a
 * beginning that was in order before is not walked through again.
 */
export function createHistoryChecker(): HistoryChecker {
  const known = new WeakMap<Message, readonly ProblemKind[]>();
  let good = nothingGood();
  const local = (message: Message): readonly ProblemKind[] => {
    const before = known.get(message);
    if (before !== undefined) return before;
    const found = localProblems(message);
    known.set(message, found);
    return found;
  };
  return (history, forSending) => {
    if (!good.messages.every((message, at) => message === history[at])) good = nothingGood();
    const problems = check(history, forSending, local, good);
    if (problems.length === 0) good = grownBy(good, history);
    return problems;
  };
}

/** The last two messages are left out: results and notes may still be added to them. */
function grownBy(good: Good, history: readonly Message[]): Good {
  const count = history.length - 2;
  if (count <= good.messages.length) return good;
  const { seen } = good;
  for (const message of history.slice(good.messages.length, count)) for (const id of callIdsOf(message)) seen.add(id);
  const last = history[count - 1];
  return { messages: history.slice(0, count), seen, open: last === undefined ? [] : callIdsOf(last) };
}

function check(
  history: readonly Message[],
  forSending: boolean,
  local: (message: Message) => readonly ProblemKind[],
  good: Good = nothingGood(),
): readonly HistoryProblem[] {
  const problems: HistoryProblem[] = [];
  const seen = new Set<string>();
  let { open } = good;
  for (const [n, message] of history.slice(good.messages.length).entries()) {
    const at = good.messages.length + n;
    for (const kind of local(message)) problems.push({ kind, at });
    if (history[at - 1]?.role === message.role) problems.push({ kind: "role_repeat", at });
    problems.push(...linkProblems(message, at, open));
    open = callIdsOf(message);
    for (const id of open) {
      if (seen.has(id) || good.seen.has(id)) problems.push({ kind: "duplicate_id", at, id });
      seen.add(id);
    }
  }
  problems.push(...endProblems(history, open, forSending));
  return problems;
}

function endProblems(history: readonly Message[], open: readonly string[], forSending: boolean): readonly HistoryProblem[] {
  const problems: HistoryProblem[] = [];
  const last = history.length - 1;
  for (const id of open) problems.push({ kind: "orphan_call", at: last, id });
  if (forSending && history[0]?.role !== "user") problems.push({ kind: "first_not_user", at: 0 });
  if (forSending && history.at(-1)?.role !== "user") problems.push({ kind: "last_not_user", at: Math.max(0, last) });
  return problems;
}

/** Results must answer exactly the calls of the message before, first in their message and in call order. */
function linkProblems(message: Message, at: number, open: readonly string[]): readonly HistoryProblem[] {
  const results = message.role === "user" ? idsOf(message, "tool_result") : [];
  const waiting = new Set(open);
  const answered = new Set<string>();
  const problems: HistoryProblem[] = [];
  for (const id of results) {
    if (answered.has(id)) problems.push({ kind: "duplicate_id", at, id });
    else if (!waiting.has(id)) problems.push({ kind: "dangling_result", at, id });
    answered.add(id);
  }
  for (const id of open) if (!answered.has(id)) problems.push({ kind: "orphan_call", at: at - 1, id });
  if (problems.length === 0 && results.length > 0 && !inOrder(message, open)) problems.push({ kind: "result_order", at });
  return problems;
}

function inOrder(message: Message, open: readonly string[]): boolean {
  return open.every((id, k) => {
    const block = message.blocks[k];
    return block?.type === "tool_result" && block.id === id;
  });
}

function callIdsOf(message: Message): readonly string[] {
  return message.role === "assistant" ? idsOf(message, "tool_use") : [];
}

function idsOf(message: Message, type: "tool_use" | "tool_result"): readonly string[] {
  return message.blocks.flatMap((block) => (block.type === type && "id" in block ? [block.id] : []));
}

/** Problems that one message has by itself; the order of kinds is fixed, each at most once. */
export function localProblems(message: Message): readonly ProblemKind[] {
  const found = new Set<ProblemKind>();
  if (message.blocks.length === 0) found.add("empty_message");
  for (const block of message.blocks) addBlockProblems(block, message.role, found);
  if (message.role === "assistant" && message.blocks.at(-1)?.type === "thinking") found.add("trailing_thinking");
  return [...found];
}

const ASSISTANT_ONLY = new Set<Block["type"]>(["tool_use", "thinking", "opaque"]);

function addBlockProblems(block: Block, role: Message["role"], found: Set<ProblemKind>): void {
  const misplaced = role === "user" ? ASSISTANT_ONLY.has(block.type) : block.type === "tool_result" || block.type === "image" || block.type === "document";
  if (misplaced) found.add("misplaced_block");
  switch (block.type) {
    case "text":
      return addTextProblems(block.text, found);
    case "tool_use":
      if (!SENDABLE_ID.test(block.id)) found.add("bad_id");
      if (!SENDABLE_ID.test(block.name)) found.add("bad_name");
      return;
    case "tool_result":
      for (const part of block.content) if (part.type === "text") addTextProblems(part.text, found);
      if (block.content.length === 0) found.add("blank_text");
      return;
    default:
  }
}

function addTextProblems(text: string, found: Set<ProblemKind>): void {
  if (isBlank(text)) found.add("blank_text");
  if (wellFormed(text) !== text) found.add("not_well_formed");
}
