// Asks the model for a summary: one request, no tools, one try (E07). Anything but a whole, plainly ended text is no summary.
import { text, type Maker } from "#shared/chat/blocks.ts";
import { isPlainEnding } from "#shared/chat/stop-reason.ts";
import { NO_USAGE, type Usage } from "#shared/chat/usage.ts";
import { wellFormed } from "#shared/lib/text.ts";
import type { Clock } from "#electron/lib/clock.ts";
import type { ModelEvent, ModelRequest, Provider } from "#electron/providers/contract.ts";
import { SUMMARY_IDLE_MS, SUMMARY_INPUT_SHARE, SUMMARY_INPUT_TOKENS, SUMMARY_MAX_TOKENS, SUMMARY_TOTAL_MS } from "./limits.ts";
import type { Summarise } from "./summarise.ts";
import { SUMMARY_SYSTEM, summaryRequest } from "./summary.text.ts";
import { transcriptOf } from "./transcript.ts";

/** One request for a summary, however it ended; `ms`: how long it took. */
export type SummaryRequest = { readonly by: Maker; readonly usage: Usage; readonly ok: boolean; readonly ms: number };
export type SummariserDeps = {
  readonly clock: Clock;
  readonly cacheKey: string;
  model(): { readonly provider: Provider; readonly maker: Maker };
  /** the agent's own time, ticked every `tickMs`: what the machine slept does not count (L21) */
  time(tickMs: number): OwnTime;
  /** it is paid for like any other (L11) */
  onRequest(done: SummaryRequest): void;
};

/** ms that only grow; `tick` is called at regular times, so that a missing one is noticed. */
export type OwnTime = { now(): number; tick(): void };

/** How often a summary that is waited for is looked at. */
const LOOK_MS = 5_000;

/** A transcript is mostly code and paths: so many characters a token at least. */
const CHARS_PER_TOKEN = 3;

export function createSummariser(deps: SummariserDeps): Summarise {
  return async (messages, signal) => {
    const { provider, maker } = deps.model();
    const info = provider.describe(maker.model);
    const inputTokens = info.window === undefined ? SUMMARY_INPUT_TOKENS : Math.round(info.window * SUMMARY_INPUT_SHARE);
    const request: ModelRequest = {
      model: maker.model,
      system: [SUMMARY_SYSTEM],
      tools: [],
      messages: [{ role: "user", blocks: [text(wellFormed(summaryRequest(transcriptOf(messages, inputTokens * CHARS_PER_TOKEN))))] }],
      maxTokens: Math.min(SUMMARY_MAX_TOKENS, info.maxOutput),
      cacheKey: `${deps.cacheKey}:summary`,
      blob: async () => undefined,
    };
    const begun = deps.clock.monotonic();
    let usage = NO_USAGE;
    const count = (seen: Usage) => void (usage = seen);
    const summary = await answerOf((own) => counting(provider.stream(request, own), count), deps, signal);
    deps.onRequest({ by: maker, usage, ok: summary !== undefined, ms: Math.max(0, deps.clock.monotonic() - begun) });
    return summary;
  };
}

async function* counting(events: AsyncIterable<ModelEvent>, count: (usage: Usage) => void): AsyncGenerator<ModelEvent, void, void> {
  for await (const event of events) {
    if (event.type === "usage") count(event.usage);
    yield event;
  }
}

/** The text of a stream that ended plainly; undefined for everything else: cut, refused, silent, only thinking, aborted. */
async function answerOf(
  open: (signal: AbortSignal) => AsyncIterable<ModelEvent>,
  { clock, time: timeFor }: Pick<SummariserDeps, "clock" | "time">,
  signal: AbortSignal,
): Promise<string | undefined> {
  const own = new AbortController();
  const stop = () => own.abort();
  if (signal.aborted) return undefined;
  signal.addEventListener("abort", stop, { once: true });
  const time = timeFor(LOOK_MS);
  const begun = time.now();
  let heardAt = begun;
  const look = () => {
    time.tick();
    const now = time.now();
    if (now - heardAt >= SUMMARY_IDLE_MS || now - begun >= SUMMARY_TOTAL_MS) return stop();
    timer = clock.schedule(LOOK_MS, look);
  };
  let timer = clock.schedule(LOOK_MS, look);
  const gaveUp = new Promise<undefined>((resolve) => own.signal.addEventListener("abort", () => resolve(undefined), { once: true }));
  const heard = () => void (heardAt = time.now());
  try {
    return await Promise.race([read(open(own.signal), heard), gaveUp]);
  } finally {
    signal.removeEventListener("abort", stop);
    timer[Symbol.dispose]();
    stop();
  }
}

async function read(events: AsyncIterable<ModelEvent>, heard: () => void): Promise<string | undefined> {
  const deltas: string[] = [];
  try {
    for await (const event of events) {
      heard();
      if (event.type === "text") deltas.push(event.delta);
      if (event.type === "failed") return undefined;
      if (event.type === "stopped") return isPlainEnding(event.reason) ? wellFormed(deltas.join("")) : undefined;
    }
    return undefined;
  } catch {
    return undefined; // an adapter that throws gave no summary either
  }
}
