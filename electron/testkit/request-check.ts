// What holds of every request of a turn, whatever the turn went through: a provider would take it (L18), it only grows at its end but
// for breaks that were measured as such (C7), and what the harness says in it is marked, bounded and not repeated (C8).
import type { Block, Message } from "#shared/chat/blocks.ts";
import { checkHistory } from "#shared/chat/history-check.ts";
import { isNote } from "#shared/chat/note.ts";
import { stableJson } from "#shared/lib/stable-json.ts";
import type { TraceEvent } from "#shared/trace/trace.ts";
import type { LoopEvent } from "#electron/loop/contract.ts";
import { DEFAULT_CAPS } from "#electron/loop/limits.ts";
import type { ModelRequest } from "#electron/providers/contract.ts";

/** `breaks`: cache breaks measured before it left. */
export type SentRequest = { readonly request: ModelRequest; readonly breaks: number };

export type Sent = {
  readonly sent: readonly SentRequest[];
  readonly events: readonly LoopEvent[];
  readonly trace: readonly TraceEvent[];
  readonly prompt: string;
  readonly history: readonly Message[];
};

/** The same words of the harness are in one request at most so often: as often as the most patient caps ask for them. */
const SAME_NOTE_TIMES = DEFAULT_CAPS.max_tokens_escalate + DEFAULT_CAPS.max_tokens_continuation;
/** These stay true, so they are said once. */
const LASTING = /^<cairn-note source="(?:folder_map|instructions [^"]*|summary)">/;
/** A summary and what the person wrote before it are the longest. Characters. */
const NOTE_CHARS = 30_000;

/** Throws at the first thing that does not hold. */
export function checkRequests(sent: Sent): void {
  sent.sent.forEach((one, n) => {
    const problems = [
      ...checkHistory(one.request.messages, true).map(stableJson),
      ...prefixProblems(sent.sent[n - 1], one),
      ...noteProblems(one.request, sent),
    ];
    if (problems.length > 0) throw new Error(`request ${n + 1}: ${problems.join("; ")}`);
  });
  const compactions = sent.events.filter((event) => event.type === "compacted").length;
  const recorded = sent.trace.filter((event) => event.name === "cache_break" && event.why === "compaction").length;
  if (compactions !== recorded) throw new Error(`${compactions} compactions, but ${recorded} recorded as cache breaks`);
}

/** Only a break that was measured in between may change what was sent before, and one that was must not excuse what comes after it. */
function prefixProblems(before: SentRequest | undefined, now: SentRequest): readonly string[] {
  if (before === undefined || now.breaks > before.breaks) return [];
  const [old, parts] = [flat(before.request.messages), flat(now.request.messages)];
  return [
    ...(old.some((part, k) => part !== parts[k]) ? ["changed what was sent before without a cache break on record"] : []),
    ...(before.request.system === now.request.system && before.request.tools === now.request.tools ? [] : ["changed its fixed part"]),
    ...(before.request.model === now.request.model ? [] : ["changed the model without a cache break on record"]),
  ];
}

function noteProblems(request: ModelRequest, { prompt, history, events }: Sent): readonly string[] {
  const given = [
    ...history.flatMap((message) => message.blocks),
    ...events.flatMap((event) => (event.type === "steer" ? event.blocks : event.type === "compacted" ? event.history.flatMap((one) => one.blocks) : [])),
  ];
  const persons = new Set([prompt, ...given.flatMap(textOf)]);
  const said = request.messages.filter((message) => message.role === "user").flatMap((message) => message.blocks.filter((block) => block.type === "text"));
  const unmarked = said.filter((block) => !isNote(block) && !persons.has(block.text)).map((block) => `words of nobody: ${block.text}`);
  const notes = said.filter(isNote).map((block) => block.text);
  const tooLong = notes.filter((note) => note.length > NOTE_CHARS).map((note) => `a note of ${note.length} characters`);
  const again = [...new Set(notes)].filter((note) => notes.filter((other) => other === note).length > (LASTING.test(note) ? 1 : SAME_NOTE_TIMES));
  return [...unmarked, ...tooLong, ...again.map((note) => `said again and again: ${note}`)];
}

function textOf(block: Block): readonly string[] {
  return block.type === "text" ? [block.text] : [];
}

export function flat(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) => message.blocks.map((block) => `${message.role} ${stableJson(block)}`));
}
