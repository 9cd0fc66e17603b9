// What the engine needs of a model provider. Failures are events; an exception out of `stream` is a bug the loop turns into one `failed`.
import type { Block, Message, InvalidInput } from "#shared/chat/blocks.ts";
import type { StopReason } from "#shared/chat/stop-reason.ts";
import type { Usage } from "#shared/chat/usage.ts";

export type ProviderFailureKind =
  | "auth"
  | "forbidden"
  | "model_not_found"
  | "not_found"
  | "too_large"
  | "quota"
  | "rate_limit"
  | "overloaded"
  | "network"
  | "timeout"
  | "bad_request"
  | "context_window"
  | "server"
  | "protocol"
  | "aborted";

/** `retryable` says whether the same request may succeed later; `retryAfterMs` what the server asked for, in ms. */
export type ProviderFailure = {
  readonly kind: ProviderFailureKind;
  readonly retryable: boolean;
  readonly status?: number;
  readonly code?: string;
  readonly retryAfterMs?: number;
  /** the refusal taught something: the next request will be without what was refused, so it is sent at once, whatever the status */
  readonly learned?: boolean;
  /** the provider's own words, shortened and without secrets */
  readonly message: string;
};

/**
 * `headers`: the response began (L19: the no-bytes rung starts here). `bytes`: something arrived, keep-alives too.
 * `tool_call`: one call is complete and its own block ended, so it may start early (T7, L25); `invalid` as in ToolUseBlock.
 * `block`: a finished thinking or opaque block, byte-exact, to be kept in history. `stopped` is the last event of a good stream.
 */
export type ModelEvent =
  | { readonly type: "headers" }
  | { readonly type: "bytes" }
  | { readonly type: "text"; readonly delta: string }
  | { readonly type: "thinking"; readonly delta: string }
  | { readonly type: "block"; readonly block: Extract<Block, { type: "thinking" | "opaque" }> }
  | { readonly type: "tool_input"; readonly index: number; readonly name: string; readonly delta: string }
  | {
      readonly type: "tool_call";
      readonly index: number;
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
      readonly item?: string;
      readonly invalid?: InvalidInput;
    }
  | { readonly type: "usage"; readonly usage: Usage }
  | { readonly type: "stopped"; readonly reason: StopReason }
  | { readonly type: "failed"; readonly failure: ProviderFailure };

export type ModelInfo = {
  /** tokens of the whole window; undefined when unknown, which never means 0 */
  readonly window: number | undefined;
  readonly maxOutput: number;
  /** what `max_tokens_escalate` may raise it to */
  readonly maxOutputCeiling: number;
  readonly dialect: "anthropic" | "openai_strict" | "openai_loose";
  readonly images: boolean;
  /** US dollars per million tokens; undefined = unknown, shown as such */
  readonly prices: { readonly input: number; readonly output: number; readonly cacheRead: number; readonly cacheWrite: number } | undefined;
  /** the day the prices were looked up, YYYY-MM-DD */
  readonly pricesAsOf?: string;
};

/** A tool as every provider gets it; `schema` is plain JSON schema, each dialect rewrites it (T18). */
export type ToolDefinition = {
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly strictAllowed: boolean;
};

export interface ModelRequest {
  readonly model: string;
  readonly system: readonly string[];
  readonly tools: readonly ToolDefinition[];
  readonly messages: readonly Message[];
  readonly maxTokens: number;
  /** stable per session; a cache key where the protocol takes one */
  readonly cacheKey: string;
  /** bytes of an image or document as base64; undefined when they are gone */
  blob(ref: string): Promise<string | undefined>;
}

export interface Provider {
  readonly id: string;
  describe(model: string): ModelInfo;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** What it takes to make a provider. `fetch` is the app's (system proxy) or Node's own. */
export type ProviderConfig = {
  readonly id: "anthropic" | "openai" | "openai-chat" | "demo";
  readonly apiKey: string | undefined;
  readonly baseUrl: string | undefined;
  readonly fetch: typeof globalThis.fetch | undefined;
  readonly contextWindows: Readonly<Record<string, number>>;
};
