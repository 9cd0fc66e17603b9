// One request, one stream of events, for every protocol: sends, reads bytes, lets the protocol's reader make events,
// and turns whatever goes wrong into exactly one `failed`. Never throws; the socket is closed on every way out (L17).
import type { Usage } from "#shared/chat/usage.ts";
import type { Clock } from "#electron/lib/clock.ts";
import type { ModelEvent, ProviderFailure } from "#electron/providers/contract.ts";
import { ABORTED, factsOfBody, failureOfFacts, failureOfThrown } from "#electron/providers/failures/from-error.ts";
import { describeHtml, looksLikeHtml, safeMessage } from "#electron/providers/failures/safe-message.ts";
import { carriedFailure } from "./guarded-fetch.ts";
import { type SseEvent, createSseDecoder } from "./sse.ts";
import { createCharacterJoiner } from "./whole-characters.ts";

/** Makes model events of one reply. `stopped` or `failed` among them ends the stream. */
export interface ReplyReader {
  push(event: SseEvent): readonly ModelEvent[];
  /** The stream ended without an end marker: what is left to say. Must end with `stopped` or `failed`. */
  finish(): readonly ModelEvent[];
  /** The reply itself is complete, only extras (usage) may follow; they are not waited for long. */
  settled(): boolean;
  /** What the server said so far that the reply used: one that breaks was paid for all the same (L11). */
  used?(): Usage | undefined;
}

export type Exchange = {
  /** Sends the request; resolves with the response once its headers are there, throws otherwise. */
  readonly open: (signal: AbortSignal) => Promise<Response>;
  readonly reader: ReplyReader;
  readonly clock: Clock;
  readonly host: string;
  readonly secrets: readonly (string | undefined)[];
};

const SETTLED_WAIT_MS = 5_000;
const DRAIN_MS = 2_000;
const PEEK_CHARS = 256;
const WRONG_BODY_CHARS = 65_536;

export async function* streamReply(exchange: Exchange, signal: AbortSignal): AsyncGenerator<ModelEvent, void, void> {
  const { controller, unlink } = linkedTo(signal);
  let ended = false;
  try {
    const opened = await untilAborted(exchange.open(controller.signal), controller.signal);
    if (opened === "aborted") return yield failed(ABORTED);
    yield { type: "headers" };
    const body = opened.body?.getReader();
    if (body === undefined) return yield failed(EMPTY);
    for await (const event of eventsOf(body, exchange, controller.signal)) {
      if (controller.signal.aborted && event.type !== "failed") return yield failed(ABORTED);
      ended = event.type === "stopped";
      if (ended) drain(body, exchange.clock, controller);
      yield event;
      if (ended || event.type === "failed") return;
    }
  } catch (error) {
    yield failed(failureOf(error, exchange, controller.signal));
  } finally {
    unlink();
    if (!ended) controller.abort();
  }
}

/** A controller of our own that follows the caller's signal until unlinked, so that long-lived signals gather no listeners. */
function linkedTo(signal: AbortSignal): { readonly controller: AbortController; unlink(): void } {
  const controller = new AbortController();
  const abort = () => controller.abort();
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  return { controller, unlink: () => signal.removeEventListener("abort", abort) };
}

type Body = ReadableStreamDefaultReader<Uint8Array>;

async function* eventsOf(body: Body, exchange: Exchange, signal: AbortSignal): AsyncGenerator<ModelEvent, void, void> {
  const decoder = createSseDecoder();
  const joiner = createCharacterJoiner();
  const peek = createPeek();
  let seen = 0;
  const take = (events: readonly SseEvent[]): readonly ModelEvent[] => {
    seen += events.length;
    return events.flatMap((sse) => eventsFrom(exchange.reader, sse)).flatMap(joiner.push);
  };
  for (;;) {
    const part = await readPart(body, exchange, signal);
    if (part === "aborted") return yield failed(ABORTED);
    if (part === "silent" || part.done) break;
    yield { type: "bytes" };
    peek.push(part.value);
    if (!peek.wrong()) yield* take(decoder.push(part.value));
  }
  if (peek.wrong()) return yield failed(notAStream(peek.text(), exchange.secrets));
  yield* take(decoder.end());
  yield* seen === 0 ? [failed(EMPTY)] : exchange.reader.finish().flatMap(joiner.push);
}

function eventsFrom(reader: ReplyReader, sse: SseEvent): readonly ModelEvent[] {
  try {
    return reader.push(sse);
  } catch {
    return [failed(BAD_EVENT)];
  }
}

type Part = { readonly done: false; readonly value: Uint8Array } | { readonly done: true };

async function readPart(body: Body, exchange: Exchange, signal: AbortSignal): Promise<Part | "aborted" | "silent"> {
  const reading = body.read().then((part): Part => (part.done ? { done: true } : { done: false, value: part.value }));
  if (!exchange.reader.settled()) return untilAborted(reading, signal);
  const waiting = new AbortController();
  const silent = exchange.clock.sleep(SETTLED_WAIT_MS, waiting.signal).then((): "silent" => "silent");
  try {
    return await untilAborted(Promise.race([reading, silent]), signal);
  } finally {
    waiting.abort();
    reading.catch(() => {});
  }
}

/** The start of the body, to tell a stream of events from a page or a plain JSON answer, whatever its content type says. */
function createPeek(): { push(bytes: Uint8Array): void; wrong(): boolean; text(): string } {
  const decoder = new TextDecoder();
  let text = "";
  let wrong = false;
  return {
    push: (bytes) => {
      if (text.length >= (wrong ? WRONG_BODY_CHARS : PEEK_CHARS)) return;
      text += decoder.decode(bytes, { stream: true });
      wrong = /^\s*[<{[]/.test(text);
    },
    wrong: () => wrong,
    text: () => text,
  };
}

function notAStream(text: string, secrets: Exchange["secrets"]): ProviderFailure {
  if (looksLikeHtml(text)) {
    return {
      kind: "protocol",
      retryable: false,
      code: "html",
      message: safeMessage(`${describeHtml(text)} instead of a reply; check the base URL, or sign in to the network`, secrets),
    };
  }
  const facts = factsOfBody(parsed(text));
  if (facts.message !== "") return failureOfFacts(facts, secrets);
  return { kind: "protocol", retryable: false, code: "not_a_stream", message: safeMessage(`the server answered without streaming: ${text}`, secrets) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads what follows the end marker, so that the connection can be used again; gives up soon and closes it. */
function drain(body: Body, clock: Clock, controller: AbortController): void {
  const timer = clock.schedule(DRAIN_MS, () => controller.abort());
  const toEnd = async () => {
    for (let part = await body.read(); !part.done; part = await body.read());
  };
  void toEnd()
    .catch(() => {})
    .finally(() => timer[Symbol.dispose]());
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | "aborted"> {
  return new Promise((resolve, reject) => {
    const onAbort = () => resolve("aborted");
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

function failureOf(error: unknown, exchange: Exchange, signal: AbortSignal): ProviderFailure {
  if (signal.aborted) return ABORTED;
  if (error instanceof RangeError) return { kind: "protocol", retryable: true, code: "event_too_long", message: error.message };
  return carriedFailure(error) ?? failureOfThrown(error, { signal, now: exchange.clock.now(), secrets: exchange.secrets, host: exchange.host });
}

const BAD_EVENT: ProviderFailure = {
  kind: "protocol",
  retryable: true,
  code: "bad_event",
  message: "the server sent something that is not an event of this protocol; check that the provider type fits the address",
};
const EMPTY: ProviderFailure = { kind: "network", retryable: true, code: "empty", message: "the server answered with an empty reply" };
export const CUT: ProviderFailure = { kind: "network", retryable: true, code: "eof", message: "the reply broke off before its end" };

export function failed(failure: ProviderFailure): ModelEvent {
  return { type: "failed", failure };
}
