// Golden tapes of context recovery with the product's own pipeline: too long once, for ever, after a long session; E05 and E07.
import { type Block, type Message, text } from "#shared/chat/blocks.ts";
import { CallId } from "#shared/lib/ids.ts";
import type { Goal, TodoItem } from "#shared/loop/work-state.ts";
import { SUMMARY_SYSTEM } from "#electron/context/summary.text.ts";
import type { ProviderFailure } from "#electron/providers/contract.ts";
import { calls, says, type Script, type ScriptedReply } from "#electron/testkit/server/script.ts";
import type { TapeOptions, ToolBehaviour } from "./event-recorder.ts";
import type { RealContext } from "./real-context.ts";

/** Of the filler text, a token: what the provider counts is near what is estimated. */
const WORD_CHARS = 5;
const words = (tokens: number) => "word ".repeat(tokens);
const user = (...blocks: readonly Block[]): Message => ({ role: "user", blocks });
const read = (n: number, tokens: number): readonly Message[] => [
  { role: "assistant", blocks: [{ type: "tool_use", id: CallId.parse(`old${n}`), name: "read", input: { file_path: `old${n}` } }] },
  user({ type: "tool_result", id: CallId.parse(`old${n}`), content: [text(`file ${n} ${words(tokens)}`)], isError: false }),
];

/** A session in which much was read. */
export const muchRead = (files: number, tokens: number): readonly Message[] => [
  user(text("Mend the dates. Never touch the tests.")),
  ...Array.from({ length: files }, (_, n) => read(n, tokens)).flat(),
  { role: "assistant", blocks: [text("I have read it all.")] },
];

/** A session in which much was said: nothing but a summary makes it smaller. */
export const muchSaid = (rounds: number, tokens: number): readonly Message[] =>
  Array.from({ length: rounds }, (_, n): readonly Message[] => [
    user(text(`Question ${n}?`)),
    { role: "assistant", blocks: [text(`Answer ${n}. ${words(tokens)}`)] },
  ]).flat();

const GOAL: Goal = { text: "all dates are ISO dates", budget: { unit: "steps", limit: 40 }, used: 3, state: "open" };
const TODOS: readonly TodoItem[] = [
  { text: "find the dates", status: "completed" },
  { text: "mend them", status: "in_progress" },
];
const FACTS: RealContext = {
  goal: () => GOAL,
  todos: () => TODOS,
  hypotheses: () => [{ id: "H1", claim: "the parser drops the zone", falsifier: "a date with a zone comes through", state: "refuted" }],
  changedFiles: () => ["src/dates.ts"],
  folderMap: "src (TypeScript), package.json",
  instructions: "Never touch the tests.",
};

export const SUMMARY = "Goal: mend the dates. Constraints: never touch the tests. Next steps: src/dates.ts, then run the tests.";
const TOO_LONG: ProviderFailure = { kind: "context_window", retryable: false, status: 400, message: "prompt is too long: 210000 tokens > 200000 maximum" };
const tooLong: ScriptedReply = { parts: [], fault: { kind: "failure", failure: TOO_LONG } };

/** Answers summaries and steps apart; `n` counts the steps, from 0. */
export function scriptOf(step: (n: number) => ScriptedReply, summary: () => ScriptedReply = () => says(SUMMARY)): Script {
  let steps = 0;
  return (request) => {
    const reply = request.system.includes(SUMMARY_SYSTEM) ? summary() : step(steps++);
    return { ...reply, usage: { input: Math.round((JSON.stringify(request.body).length + request.system.length) / WORD_CHARS), ...reply.usage } };
  };
}

const bigRead =
  (tokens: number): ToolBehaviour =>
  async ({ file_path }) => ({ ok: true, forModel: [text(`${String(file_path)} ${words(tokens)}`)] });

export const CONTEXT_TAPES: Readonly<Record<string, () => TapeOptions>> = {
  "context-too-long-once": () => ({ history: muchRead(12, 5_000), context: FACTS, script: scriptOf((n) => (n === 0 ? tooLong : says("Fits now."))) }),
  "context-too-long-once-by-summary": () => ({
    history: muchSaid(8, 8_000),
    context: FACTS,
    script: scriptOf((n) => (n === 0 ? tooLong : says("Fits now."))),
  }),
  "context-too-long-for-ever": () => ({ history: muchRead(12, 5_000), context: FACTS, script: scriptOf(() => tooLong) }),
  "context-long-session": () => ({
    context: FACTS,
    info: { window: 40_000, maxOutput: 4_000 },
    tools: { read: bigRead(4_000) },
    script: scriptOf((n) => (n < 24 ? calls("read", { file_path: `f${n}` }) : says("All 24 read."))),
  }),
  "context-fixed-part-too-big": () => ({
    context: { ...FACTS, system: words(29_000) },
    info: { window: 32_000, maxOutput: 2_000 },
    script: scriptOf((n) => (n < 2 ? calls("read", { file_path: `f${n}` }) : says("Answered all the same."))),
  }),
  "context-summary-fails": () => ({
    history: muchSaid(3, 48_000),
    context: FACTS,
    script: scriptOf(
      (n) => (n < 3 ? calls("read", { file_path: `f${n}` }) : says("Answered all the same.")),
      () => says(""),
    ),
  }),
};
