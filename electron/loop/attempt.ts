// One request and its stream: reads, watches, and says how it ended. It decides nothing about what comes next.
import type { StopReason } from "#shared/chat/stop-reason.ts";
import type { TurnId } from "#shared/lib/ids.ts";
import { createWatchdog, type Watchdog } from "#electron/ladder/watchdog.ts";
import type { AgentTime } from "#electron/ladder/agent-time.ts";
import type { Fired } from "#electron/ladder/predicates.ts";
import type { Ladder } from "#electron/ladder/rungs.ts";
import type { Clock } from "#electron/lib/clock.ts";
import type { ModelEvent, ModelRequest, Provider, ProviderFailure } from "#electron/providers/contract.ts";
import { createBell, type Bell } from "./bell.ts";
import type { Collector } from "./collect-reply.ts";
import type { LoopEvent } from "./contract.ts";
import { RETRY_OFFERED_AFTER_MS, WAITING_SHOWN_AFTER_MS } from "./limits.ts";
import { createStreamReader, type Taken } from "./stream-reader.ts";

/** `retry_now`: the person asked for a new attempt. */
export type AttemptEnd =
  | { readonly kind: "ended"; readonly stop: StopReason }
  | { readonly kind: "broke"; readonly failure: ProviderFailure; readonly fired?: Fired; readonly headers: boolean }
  | { readonly kind: "retry_now" }
  | { readonly kind: "aborted" };

export type AttemptInput = {
  readonly turn: TurnId;
  readonly provider: Provider;
  readonly request: ModelRequest;
  readonly collector: Collector;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly ladder: Ladder;
  readonly time: AgentTime;
  readonly phaseAt: number;
  onRetryNow?(listener: () => void): Disposable;
  /** the first content came, ms after the request */
  onFirstContent(ms: number): void;
};

/** What reaches the attempt from outside while it reads. */
interface Outside extends Disposable {
  readonly bell: Bell;
  readonly dog: Watchdog;
  readonly signal: AbortSignal;
  readonly end: AttemptEnd | undefined;
  takeWaiting(): LoopEvent | undefined;
  letGo(): void;
}

export async function* runAttempt(input: AttemptInput): AsyncGenerator<LoopEvent, AttemptEnd, void> {
  const outside = watch(input);
  const { bell, dog } = outside;
  const reader = createStreamReader(() => input.provider.stream(input.request, outside.signal), bell);
  const seen: Seen = { begunAt: input.clock.monotonic(), content: false, headers: false };
  try {
    for (;;) {
      if (outside.end !== undefined) return withHeaders(outside.end, seen);
      const waiting = outside.takeWaiting();
      const next: Next = waiting === undefined ? readOne(input, reader.take(), dog, seen) : { kind: "show", event: waiting };
      if (next.kind === "end") return next.end;
      if (next.kind === "wait") await bell.rung();
      if (next.kind === "show") {
        dog.handing();
        yield next.event;
        dog.taken();
      }
    }
  } finally {
    outside[Symbol.dispose]();
    outside.letGo();
    reader.drop();
  }
}

const EOF: ProviderFailure = { kind: "network", retryable: true, code: "eof", message: "the reply ended before its end marker" };

type Seen = { readonly begunAt: number; content: boolean; headers: boolean };
type Next = { readonly kind: "wait" | "on" } | { readonly kind: "end"; readonly end: AttemptEnd } | { readonly kind: "show"; readonly event: LoopEvent };

function withHeaders(end: AttemptEnd, seen: Seen): AttemptEnd {
  return end.kind === "broke" ? { ...end, headers: seen.headers } : end;
}

function readOne(input: AttemptInput, taken: Taken, dog: Watchdog, seen: Seen): Next {
  if (taken.kind === "nothing") return { kind: "wait" };
  if (taken.kind === "over") return { kind: "end", end: { kind: "broke", failure: EOF, headers: seen.headers } };
  const { event } = taken;
  if (event.type === "stopped") return { kind: "end", end: { kind: "ended", stop: event.reason } };
  if (event.type === "failed") return { kind: "end", end: { kind: "broke", failure: event.failure, headers: seen.headers } };
  hear(event, dog);
  seen.headers = true;
  if (event.type === "usage") input.collector.usage(event.usage);
  if (event.type === "headers" || event.type === "bytes" || event.type === "usage") return { kind: "on" };
  if (!seen.content) input.onFirstContent(input.clock.monotonic() - seen.begunAt);
  seen.content = true;
  const live = input.collector.take(event);
  return live === undefined ? { kind: "on" } : { kind: "show", event: { type: "live", event: live } };
}

function hear(event: ModelEvent, dog: Watchdog): void {
  switch (event.type) {
    case "headers":
    case "bytes":
      return dog.heard(event.type);
    case "text":
    case "thinking":
    case "tool_input":
      return dog.heard(event.delta.trim() === "" ? "content" : "progress");
    case "block":
    case "tool_call":
      return dog.heard("progress");
    default:
  }
}

function watch(input: AttemptInput): Outside {
  const bell = createBell();
  const controller = new AbortController();
  let end: AttemptEnd | undefined;
  let waiting: LoopEvent | undefined;
  const stop = (why: AttemptEnd) => {
    end ??= why;
    controller.abort();
    bell.ring();
  };
  const dog = createWatchdog({
    clock: input.clock,
    ladder: input.ladder,
    time: input.time,
    phaseAt: input.phaseAt,
    shownAfterMs: WAITING_SHOWN_AFTER_MS,
    onFire: (fired) => stop({ kind: "broke", failure: timeoutFailure(fired), fired, headers: false }),
    onWaiting: ({ what, forMs }) => {
      waiting = { type: "live", event: { type: "waiting", turn: input.turn, what, forMs, canRetryNow: forMs >= RETRY_OFFERED_AFTER_MS } };
      bell.ring();
    },
  });
  const onAbort = () => stop({ kind: "aborted" });
  if (input.signal.aborted) onAbort();
  else input.signal.addEventListener("abort", onAbort, { once: true });
  const retryNow = input.onRetryNow?.(() => {
    if (dog.silentMs() >= RETRY_OFFERED_AFTER_MS) stop({ kind: "retry_now" });
  });
  return {
    bell,
    dog,
    signal: controller.signal,
    get end() {
      return end;
    },
    takeWaiting() {
      const news = waiting;
      waiting = undefined;
      return news;
    },
    letGo: () => controller.abort(),
    [Symbol.dispose]() {
      input.signal.removeEventListener("abort", onAbort);
      retryNow?.[Symbol.dispose]();
      dog[Symbol.dispose]();
    },
  };
}

/** A rung as a failure: its name and its limit are in the words (L19). */
function timeoutFailure({ rung, limitMs, waitedMs }: Fired): ProviderFailure {
  return { kind: "timeout", retryable: true, code: rung, message: `time-out "${rung}": ${seconds(waitedMs)} waited, limit ${seconds(limitMs)}` };
}

function seconds(ms: number): string {
  return `${ms < 10_000 ? Math.round(ms / 100) / 10 : Math.round(ms / 1_000)} s`;
}
