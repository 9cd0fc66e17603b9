// Layer 5 (C1, C5): everything but the newest part becomes a summary, the newest prompt stays word for word. Until there is a good
// summary nothing is replaced (E07).
import type { Message } from "#shared/chat/blocks.ts";
import { noteBlock } from "#shared/chat/note.ts";
import { isBlank } from "#shared/lib/text.ts";
import type { Estimator } from "./estimate.ts";
import { hasCalls, personBlocks } from "./layers.ts";
import { SUMMARY_MIN_CHARS, TAIL_MESSAGES } from "./limits.ts";
import { summaryNote } from "./summary.text.ts";
import { personWords } from "./transcript.ts";

/** Undefined: no usable summary came, whatever the reason. */
export type Summarise = (messages: readonly Message[], signal: AbortSignal) => Promise<string | undefined>;

export type SummaryInput = {
  readonly history: readonly Message[];
  readonly tailTokens: number;
  readonly estimator: Estimator;
  readonly summarise: Summarise;
  readonly signal: AbortSignal;
};

export async function summarised({
  history,
  tailTokens,
  estimator,
  summarise,
  signal,
}: SummaryInput): Promise<readonly Message[] | "nothing_to_do" | "failed"> {
  const cut = cutBefore(history, tailTokens, estimator);
  if (cut < 2) return "nothing_to_do";
  const old = history.slice(0, cut);
  const summary = await summarise(old, signal);
  if (signal.aborted || summary === undefined || isBlank(summary) || summary.trim().length < SUMMARY_MIN_CHARS) return "failed";
  return joined(old, history.slice(cut), summary);
}

/** Index at which the untouched tail begins: never between a call and its result (C6), and small enough to be worth it. */
export function cutBefore(history: readonly Message[], tailTokens: number, estimator: Estimator): number {
  let tokens = 0;
  let cut = history.length;
  for (let at = history.length - 1; at >= 1; at--) {
    const message = history[at];
    if (message === undefined) break;
    tokens += estimator.message(message);
    const kept = history.length - at;
    if (cut < history.length && (kept > TAIL_MESSAGES || tokens > tailTokens)) break;
    if (!hasCalls(history[at - 1])) cut = at;
  }
  return cut === history.length ? safeEnd(history) : cut;
}

/** Even the newest pair is too big to stay beside others: it alone is the tail. */
function safeEnd(history: readonly Message[]): number {
  return hasCalls(history.at(-2)) ? history.length - 2 : history.length - 1;
}

function joined(old: readonly Message[], tail: readonly Message[], summary: string): readonly Message[] {
  const newest = tail.some((message) => personBlocks(message).length > 0) ? [] : (old.map(personBlocks).findLast((blocks) => blocks.length > 0) ?? []);
  const start = [noteBlock({ source: "summary", text: summaryNote(summary, personWords(old)) }), ...newest];
  const [first, ...rest] = tail;
  if (first?.role === "user") return [{ role: "user", blocks: [...start, ...first.blocks] }, ...rest];
  return [{ role: "user", blocks: start }, ...tail];
}
