// A provider in memory that plays a script: for tests of the loop, without sockets and without real time.
import { assertNever } from "#shared/lib/assert-never.ts";
import type { StopReason } from "#shared/chat/stop-reason.ts";
import { NO_USAGE } from "#shared/chat/usage.ts";
import type { Clock } from "#electron/lib/clock.ts";
import type { ModelEvent, ModelInfo, ModelRequest, Provider, ProviderFailure } from "#electron/providers/contract.ts";
import { createManualClock } from "#electron/testkit/manual-clock.ts";
import {
  type Fault,
  type Script,
  type ScriptedPart,
  type ScriptedReply,
  argumentsOf,
  chunksOf,
  idOf,
  replyFor,
  stopOf,
} from "#electron/testkit/server/script.ts";
import { seeModelRequest } from "#electron/testkit/server/seen-request.ts";

export interface ScriptedProvider extends Provider {
  /** every request so far, oldest first */
  readonly requests: readonly ModelRequest[];
  /** streams that were begun and have not ended */
  openStreams(): number;
}

/** `clock` drives `wait` parts and keep-alives; without it a private one that never moves. */
export type ScriptedProviderOptions = { readonly script: Script; readonly id?: string; readonly info?: Partial<ModelInfo>; readonly clock?: Clock };

const INFO: ModelInfo = {
  window: 200_000,
  maxOutput: 8_192,
  maxOutputCeiling: 32_000,
  dialect: "anthropic",
  images: true,
  prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
};

export function createScriptedProvider(options: ScriptedProviderOptions): ScriptedProvider {
  const id = options.id ?? "anthropic";
  const clock = options.clock ?? createManualClock();
  const requests: ModelRequest[] = [];
  let open = 0;
  return {
    id,
    requests,
    openStreams: () => open,
    describe: () => ({ ...INFO, ...options.info }),
    async *stream(request, signal) {
      const n = requests.length;
      requests.push(request);
      open += 1;
      try {
        yield* untilAborted(play({ options, clock, request, n, id, signal }), signal);
      } finally {
        open -= 1;
      }
    },
  };
}

type Playing = {
  readonly options: ScriptedProviderOptions;
  readonly clock: Clock;
  readonly request: ModelRequest;
  readonly n: number;
  readonly id: string;
  readonly signal: AbortSignal;
};

async function* untilAborted(events: AsyncGenerator<ModelEvent, void, void>, signal: AbortSignal): AsyncGenerator<ModelEvent, void, void> {
  if (signal.aborted) return yield failed(ABORTED);
  for await (const event of events) {
    yield event;
    if (event.type === "stopped" || event.type === "failed") return;
    if (signal.aborted) return yield failed(ABORTED);
  }
  yield failed(signal.aborted ? ABORTED : EOF);
}

async function* play(playing: Playing): AsyncGenerator<ModelEvent, void, void> {
  const { options, request, n } = playing;
  if (request.messages.at(-1)?.role !== "user") return yield failed(wrongRequest("the request does not end with a user message"));
  const reply = replyFor(options.script, seeModelRequest(request), n);
  if (reply === undefined) return yield failed(wrongRequest(`the script has no reply for request ${n + 1}`));
  const fault = reply.fault;
  const early = failureBeforeHeaders(fault);
  if (early !== undefined) return yield failed(early);
  if (hangsBeforeHeaders(fault)) return await aborted(playing.signal);
  yield { type: "headers" };
  yield { type: "bytes" };
  for (const event of cutByFault(eventsOf(reply, playing), fault)) {
    if ("waitMs" in event) await playing.clock.sleep(event.waitMs, playing.signal);
    else yield event;
    if (playing.signal.aborted) return;
  }
  if (fault !== undefined) return yield* endWithFault(fault, playing);
  yield { type: "usage", usage: { ...NO_USAGE, input: 100, output: 10, ...reply.usage } };
  yield { type: "stopped", reason: reasonOf(reply) };
}

type Step = ModelEvent | { readonly waitMs: number };

function eventsOf(reply: ScriptedReply, playing: Playing): readonly Step[] {
  let toolPlace = 0;
  return (reply.parts ?? []).flatMap((part): readonly Step[] => {
    const steps = stepsOf(part, playing, toolPlace);
    if (part.type === "tool") toolPlace += 1;
    return reply.pace?.everyMs === undefined ? steps : steps.flatMap((step) => [{ waitMs: reply.pace?.everyMs ?? 0 }, step]);
  });
}

function stepsOf(part: ScriptedPart, playing: Playing, place: number): readonly Step[] {
  const by = { provider: playing.id, model: playing.request.model };
  switch (part.type) {
    case "text":
      return chunksOf(part.text, part.chunk).map((delta) => ({ type: "text", delta }));
    case "thinking":
      return [
        ...chunksOf(part.text, part.chunk).map((delta): Step => ({ type: "thinking", delta })),
        { type: "block", block: { type: "thinking", text: part.text, by, ...(part.signature === undefined ? {} : { signature: part.signature }) } },
      ];
    case "opaque":
      return [{ type: "block", block: { type: "opaque", by, data: part.data } }];
    case "tool":
      return toolSteps(part, playing.n, place);
    case "wait":
      return [{ waitMs: part.ms }];
    case "keep_alive":
      return [{ type: "bytes" }];
    default:
      return assertNever(part);
  }
}

function toolSteps(part: Extract<ScriptedPart, { type: "tool" }>, n: number, index: number): readonly Step[] {
  const raw = argumentsOf(part);
  const deltas = chunksOf(raw, part.chunk).map((delta): Step => ({ type: "tool_input", index, name: part.name, delta }));
  const call = { type: "tool_call", index, id: idOf(part, n, index), name: part.name } as const;
  const parsed = parsedObject(raw);
  return [...deltas, typeof parsed === "string" ? { ...call, input: {}, invalid: { raw, why: parsed } } : { ...call, input: parsed.input }];
}

function parsedObject(raw: string): { readonly input: unknown } | "not_json" | "not_object" {
  if (raw.trim() === "") return { input: {} };
  try {
    const input: unknown = JSON.parse(raw);
    return typeof input === "object" && input !== null && !Array.isArray(input) ? { input } : "not_object";
  } catch {
    return "not_json";
  }
}

/** What comes before the fault strikes: nothing, half of the last part's deltas, or everything. */
function cutByFault(steps: readonly Step[], fault: Fault | undefined): readonly Step[] {
  if (fault === undefined || fault.kind === "failure") return steps;
  const when = "when" in fault ? fault.when : undefined;
  if (when === "before_end") return steps;
  if (when !== "mid_stream") return [];
  const last = steps.at(-1);
  const whole = last !== undefined && "type" in last && (last.type === "tool_call" || last.type === "block") ? steps.slice(0, -1) : steps;
  const kindOfLast = whole.at(-1);
  const start = whole.findLastIndex((step) => !sameKind(step, kindOfLast)) + 1;
  return whole.slice(0, start + Math.ceil((whole.length - start) / 2));
}

function sameKind(a: Step, b: Step | undefined): boolean {
  return b !== undefined && "type" in a && "type" in b && a.type === b.type;
}

async function* endWithFault(fault: Fault, playing: Playing): AsyncGenerator<ModelEvent, void, void> {
  switch (fault.kind) {
    case "failure":
      return yield failed(fault.failure);
    case "error_event":
      return yield failed({ kind: "overloaded", retryable: true, code: fault.code ?? "overloaded_error", message: fault.message ?? "Overloaded" });
    case "reset":
      return yield failed(RESET);
    case "hang": {
      const every = fault.keepAliveMs;
      while (every !== undefined && !playing.signal.aborted) {
        await playing.clock.sleep(every, playing.signal);
        if (!playing.signal.aborted) yield { type: "bytes" };
      }
      return await aborted(playing.signal);
    }
    case "html":
      return yield failed({ kind: "protocol", retryable: false, code: "html", message: "the server answered with a web page instead of a reply" });
    case "raw":
      return yield failed({ kind: "protocol", retryable: true, code: "bad_event", message: "the server sent something that is not an event of this protocol" });
    case "status":
    case "eof":
    case "empty_body":
      return yield failed(EOF);
    default:
      return assertNever(fault);
  }
}

function hangsBeforeHeaders(fault: Fault | undefined): boolean {
  return fault?.kind === "hang" && fault.when === "before_headers";
}

function failureBeforeHeaders(fault: Fault | undefined): ProviderFailure | undefined {
  if (fault?.kind === "reset" && fault.when === "before_headers") return RESET;
  if (fault?.kind !== "status") return undefined;
  const { kind, retryable } = STATUS_KINDS[fault.status] ?? { kind: "server", retryable: fault.status >= 500 };
  const seconds = Number(fault.headers?.["retry-after"]);
  return {
    kind,
    retryable,
    status: fault.status,
    message: fault.message ?? `status ${fault.status}`,
    ...(fault.code === undefined ? {} : { code: fault.code }),
    ...(Number.isFinite(seconds) ? { retryAfterMs: seconds * 1000 } : {}),
  };
}

const STATUS_KINDS: Readonly<Record<number, { readonly kind: ProviderFailure["kind"]; readonly retryable: boolean }>> = {
  400: { kind: "bad_request", retryable: false },
  401: { kind: "auth", retryable: false },
  403: { kind: "forbidden", retryable: false },
  404: { kind: "not_found", retryable: false },
  408: { kind: "timeout", retryable: true },
  413: { kind: "too_large", retryable: false },
  429: { kind: "rate_limit", retryable: true },
  503: { kind: "overloaded", retryable: true },
  529: { kind: "overloaded", retryable: true },
};
const ABORTED: ProviderFailure = { kind: "aborted", retryable: false, message: "the request was cancelled" };
const EOF: ProviderFailure = { kind: "network", retryable: true, code: "eof", message: "the reply ended before its end marker" };
const RESET: ProviderFailure = { kind: "network", retryable: true, code: "ECONNRESET", message: "the connection was reset" };

function failed(failure: ProviderFailure): ModelEvent {
  return { type: "failed", failure };
}

function wrongRequest(message: string): ProviderFailure {
  return { kind: "bad_request", retryable: false, message };
}

function reasonOf(reply: ScriptedReply): StopReason {
  const stop = stopOf(reply);
  if (stop === null) return { kind: "none" };
  return typeof stop === "string" ? { kind: stop } : { kind: "other", raw: stop.raw };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
