// The `fetch` both SDKs get. It turns error statuses and broken connections into our failures before an SDK can
// reword them, reads error bodies with limits, and sends no header that the SDK took from the environment.
import type { Clock } from "#electron/lib/clock.ts";
import type { ProviderFailure } from "#electron/providers/contract.ts";
import { type FailureContext, failureOfReply, failureOfThrown } from "#electron/providers/failures/from-error.ts";
import { isObject } from "./call-input.ts";

export type Fetch = typeof globalThis.fetch;

export type Wire = { readonly fetch: Fetch; readonly clock: Clock; readonly host: string; readonly secrets: readonly (string | undefined)[] };

const ERROR_BODY_BYTES = 64 * 1024;
const ERROR_BODY_MS = 10_000;
/** What a request needs. The SDKs also read headers from variables such as ANTHROPIC_CUSTOM_HEADERS. */
const ALLOWED_HEADER = /^(?:accept|authorization|content-type|user-agent|anthropic-(?:version|beta)|x-stainless-.*)$/i;

/** Carries a failure through an SDK, which keeps it as a cause. */
class RequestFailed extends Error {
  readonly failure: ProviderFailure;
  constructor(failure: ProviderFailure) {
    super("request failed");
    this.failure = failure;
  }
}

/** The failure inside an error that came out of an SDK; undefined when the SDK itself failed. */
export function carriedFailure(error: unknown): ProviderFailure | undefined {
  let current: unknown = error;
  for (let depth = 0; depth < 6; depth += 1) {
    if (current instanceof RequestFailed) return current.failure;
    if (!(current instanceof Error) && !isObject(current)) return undefined;
    current = current.cause;
  }
  return undefined;
}

export function createGuardedFetch(wire: Wire): Fetch {
  return async (input, init) => {
    const signal = init?.signal ?? new AbortController().signal;
    const context: FailureContext = { signal, now: wire.clock.now(), secrets: wire.secrets, host: wire.host };
    const response = await send(wire.fetch, input, init, context);
    if (response.ok) return response;
    const body = await errorBody(response, wire.clock, signal);
    throw new RequestFailed(failureOfReply({ status: response.status, headers: response.headers, body }, context));
  };
}

async function send(fetch: Fetch, input: Parameters<Fetch>[0], init: RequestInit | undefined, context: FailureContext): Promise<Response> {
  try {
    return await fetch(input, { ...init, ...bytesOf(init?.body), headers: allowedHeaders(init?.headers) });
  } catch (error) {
    throw new RequestFailed(failureOfThrown(error, context));
  }
}

/** `fetch` walks through a text for lone surrogates before it encodes it; ours has none, and a long history is a long text. */
function bytesOf(body: RequestInit["body"]): { readonly body?: Buffer<ArrayBuffer> } {
  return typeof body === "string" ? { body: Buffer.from(body, "utf8") } : {};
}

function allowedHeaders(headers: RequestInit["headers"]): Headers {
  return new Headers([...new Headers(headers)].filter(([name]) => ALLOWED_HEADER.test(name)));
}

/** The body of an error reply; what does not come within the limits is left out, the status says enough. */
async function errorBody(response: Response, clock: Clock, signal: AbortSignal): Promise<string> {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = response.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  const timer = new AbortController();
  let text = "";
  let bytes = 0;
  const stop = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", stop, { once: true });
  void clock.sleep(ERROR_BODY_MS, timer.signal).then(() => (timer.signal.aborted ? undefined : stop()));
  try {
    for (let part = await reader.read(); !part.done && bytes < ERROR_BODY_BYTES; part = await reader.read()) {
      bytes += part.value.byteLength;
      text += decoder.decode(part.value, { stream: true });
    }
    stop();
    return text;
  } catch {
    return text;
  } finally {
    timer.abort();
    signal.removeEventListener("abort", stop);
  }
}
