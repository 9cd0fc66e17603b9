// What the headless command prints, and with which code it ends (DESIGN 7, L25). Standard output holds only the result.
import { plainText } from "#shared/chat/blocks.ts";
import type { TurnEnd } from "#shared/loop/turn-end.ts";
import { ancestors } from "#shared/session/branches.ts";
import { decisionsOf } from "#shared/session/decisions.ts";
import type { SessionView } from "#shared/session/view.ts";
import { type Catalogue, say } from "#shared/i18n/say.ts";
import { CONTINUE_TEXT, GO_ON_AFTER_PAUSE } from "#electron/loop/notes.text.ts";

/** Bytes out, in order, each write kept until the reader took it. */
export interface Output {
  write(text: string): void;
  /** resolves when everything written was taken, however slow the reader */
  flushed(): Promise<void>;
  /** why what was written is lost, for example a full disk; undefined also when the reader chose to go away */
  lost?(): string | undefined;
}

type Writable = { write(chunk: string, done: (error?: Error | null) => void): boolean; on(event: "error", listener: (error: Error) => void): unknown };

export function createOutput(stream: Writable): Output {
  let last: Promise<void> = Promise.resolve();
  let broken = false;
  let lost: string | undefined;
  stream.on("error", (error) => {
    broken = true;
    if (!("code" in error && error.code === "EPIPE")) lost = error.message; // EPIPE: the reader went away, there is nobody left to tell
  });
  return {
    write(text) {
      if (broken) return;
      const taken = new Promise<void>((resolve) => {
        stream.write(text, () => resolve());
      });
      last = last.then(() => taken);
    },
    flushed: () => last,
    lost: () => lost,
  };
}

export const EXIT = {
  answered: 0,
  failed: 1,
  usage: 2,
  denied: 3,
  stepLimit: 4,
  refused: 5,
  empty: 6,
  cut: 7,
  brake: 8,
  spendLimit: 9,
  interrupted: 130,
} as const;

export type RunOutcome = { readonly end: TurnEnd; readonly answer: string; readonly denials: readonly Denial[] };
export type Denial = { readonly tool: string; readonly input: unknown; readonly reason: string };

/** An answer beside refused permissions is an answer; without one the refusals are why. */
export function exitCodeOf({ end, answer, denials }: RunOutcome): number {
  switch (end.why) {
    case "answered":
      return EXIT.answered;
    case "let_go":
      return answer === "" ? EXIT.failed : EXIT.answered;
    case "empty":
      return denials.length > 0 ? EXIT.denied : EXIT.empty;
    case "denied":
      return EXIT.denied;
    case "step_limit":
      return EXIT.stepLimit;
    case "refused":
      return EXIT.refused;
    case "cut":
      return EXIT.cut;
    case "brake":
      return EXIT.brake;
    case "spend_limit":
      return EXIT.spendLimit;
    case "aborted":
      return EXIT.interrupted;
    case "failed":
    case "interrupted":
      return EXIT.failed;
  }
}

/** The plan that nobody could approve, if the turn made one, then the words of its last replies, after its last tool results. */
export function answerOf(view: SessionView, turn: string): string {
  return [unaskedPlanOf(view, turn), lastWordsOf(view, turn)].filter((part) => part !== "").join("\n\n");
}

/** In plan mode without a person the plan is the answer (P2); the newest counts. */
function unaskedPlanOf(view: SessionView, turn: string): string {
  const plans = decisionsOf(view, turn).flatMap((one) => (one.kind === "plan" && one.decision === "unasked" ? [one.plan] : []));
  return plans.at(-1) ?? "";
}

function lastWordsOf(view: SessionView, turn: string): string {
  let answer = "";
  let between = "";
  for (const entry of ancestors(view.entries, view.head)) {
    if (entry.turn !== turn || entry.kind === "results" || entry.kind === "prompt") break;
    // A reply that goes on where the one before it stopped is one text with it; one that was asked for is a paragraph of its own.
    if (entry.kind === "note" && answer !== "" && !SEAMLESS.has(entry.source)) between = "\n\n";
    if (entry.kind !== "reply" || plainText(entry.blocks) === "") continue;
    answer = `${plainText(entry.blocks)}${between}${answer}`;
    between = "";
  }
  return answer;
}

/** Notes after which a text goes on in the middle of a word. */
const SEAMLESS = new Set([CONTINUE_TEXT.source, GO_ON_AFTER_PAUSE.source]);

export type ResultFacts = RunOutcome & { readonly view: SessionView; readonly ms: number; readonly costUsd: number | undefined };

/** One object for scripts; the field names are those that users of other agents already know. */
export function resultObject({ end, answer, denials, view, ms, costUsd }: ResultFacts): Readonly<Record<string, unknown>> {
  const good = end.why === "answered" || (end.why === "let_go" && answer !== "");
  return {
    type: "result",
    subtype: good ? "success" : end.why,
    is_error: !good,
    result: answer,
    exit_code: exitCodeOf({ end, answer, denials }),
    session_id: view.session,
    num_turns: end.steps,
    requests: end.requests,
    lost_steps: end.lostSteps,
    duration_ms: Math.round(ms),
    total_cost_usd: costUsd ?? null,
    usage: {
      input_tokens: view.usage.input,
      output_tokens: view.usage.output,
      cache_read_input_tokens: view.usage.cacheRead,
      cache_creation_input_tokens: view.usage.cacheWrite,
    },
    permission_denials: denials.map(({ tool, input, reason }) => ({ tool_name: tool, tool_input: input, reason })),
    ...(end.detail === undefined ? {} : { error: end.detail }),
    ...(end.facts === undefined ? {} : { facts: end.facts }),
    ...(view.missingCheckpoints.length === 0 ? {} : { missing_checkpoints: view.missingCheckpoints.map(({ label, why }) => ({ label, why })) }),
    checkpoints: view.trail.map((node) => node.checkpoint.id),
  };
}

/** The one clear message of a bad end, for standard error; "" after a good one. */
export function endMessage(end: TurnEnd, texts: Catalogue): string {
  if (end.why === "answered" || end.notice === undefined) return "";
  const detail = end.detail === undefined ? "" : `\n  ${end.detail}`;
  return `${say(texts, end.notice)}${detail}\n`;
}
