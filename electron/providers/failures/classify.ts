// From what a provider said about an error to the kind of failure: by code and type first, then status,
// by text only where a protocol gives nothing else (L24). Recorded samples are the tests.
import type { ProviderFailureKind } from "#electron/providers/contract.ts";

/** What an error body or error event says, whatever its shape; absent fields were not given. */
export type ErrorFacts = {
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly type?: string | undefined;
  readonly param?: string | undefined;
  readonly message: string;
};

export type FailureClass = { readonly kind: ProviderFailureKind; readonly retryable: boolean };

const CONTEXT_PHRASES = [
  /prompt is too long/i,
  /input length and `?max_tokens`? exceed context limit/i,
  /maximum context length/i,
  /exceeds? (?:the )?(?:available |model'?s? |maximum )?context (?:size|window|length|limit)/i,
  /exceeded model token limit/i,
  /range of input length should be/i,
  /input (?:is|was) too long/i,
  /exceeds the context window/i,
  /context length (?:of only|is only|exceeded)/i,
  /longer than the (?:model'?s )?(?:maximum )?context/i,
];
const QUOTA_PHRASES = [
  /exceeded your current quota/i,
  /credit balance is too low/i,
  /insufficient (?:balance|credits|quota|funds)/i,
  /billing (?:hard )?limit/i,
];
const MODEL_PHRASES = [
  /^model:/i,
  /model [`'"]?[^\s`'"]+[`'"]? (?:does not exist|not found|is not found)/i,
  /is not a valid model/i,
  /no such model/i,
  /try pulling it first/i,
];

const BY_CODE: Readonly<Record<string, FailureClass>> = {
  authentication_error: { kind: "auth", retryable: false },
  invalid_api_key: { kind: "auth", retryable: false },
  permission_error: { kind: "forbidden", retryable: false },
  permission_denied: { kind: "forbidden", retryable: false },
  model_not_found: { kind: "model_not_found", retryable: false },
  request_too_large: { kind: "too_large", retryable: false },
  insufficient_quota: { kind: "quota", retryable: false },
  billing_error: { kind: "quota", retryable: false },
  billing_hard_limit_reached: { kind: "quota", retryable: false },
  rate_limit_error: { kind: "rate_limit", retryable: true },
  rate_limit_exceeded: { kind: "rate_limit", retryable: true },
  overloaded_error: { kind: "overloaded", retryable: true },
  server_is_overloaded: { kind: "overloaded", retryable: true },
  slow_down: { kind: "overloaded", retryable: true },
  engine_overloaded_error: { kind: "overloaded", retryable: true },
  timeout_error: { kind: "timeout", retryable: true },
  api_error: { kind: "server", retryable: true },
  server_error: { kind: "server", retryable: true },
  internal_server_error: { kind: "server", retryable: true },
  context_length_exceeded: { kind: "context_window", retryable: false },
  exceed_context_size_error: { kind: "context_window", retryable: false },
  invalid_prompt: { kind: "bad_request", retryable: false },
};

const BY_STATUS: Readonly<Record<number, FailureClass>> = {
  401: { kind: "auth", retryable: false },
  402: { kind: "quota", retryable: false },
  403: { kind: "forbidden", retryable: false },
  404: { kind: "not_found", retryable: false },
  408: { kind: "timeout", retryable: true },
  409: { kind: "server", retryable: true },
  413: { kind: "too_large", retryable: false },
  425: { kind: "server", retryable: true },
  429: { kind: "rate_limit", retryable: true },
  501: { kind: "server", retryable: false },
  503: { kind: "overloaded", retryable: true },
  504: { kind: "timeout", retryable: true },
  529: { kind: "overloaded", retryable: true },
};

/** Statuses whose body decides between several kinds. */
const TALKATIVE = new Set([400, 402, 403, 404, 413, 422, 429, 500]);

export function classifyError(facts: ErrorFacts): FailureClass {
  const { status } = facts;
  const spoken = status === undefined || TALKATIVE.has(status) ? bySpeech(facts) : undefined;
  if (spoken !== undefined) return spoken;
  if (status === undefined) return byCode(facts) ?? { kind: "server", retryable: true };
  const byStatus = BY_STATUS[status];
  if (byStatus !== undefined) return byStatus;
  if (status >= 500) return { kind: "server", retryable: true };
  return status >= 400 ? { kind: "bad_request", retryable: false } : { kind: "protocol", retryable: false };
}

/** Kinds that a code states more exactly than any status. */
const TELLING: ReadonlySet<ProviderFailureKind> = new Set(["context_window", "quota", "model_not_found"]);
const MODEL_STATUSES: ReadonlySet<number | undefined> = new Set([400, 404, undefined]);

/** Distinctions that one status does not make: overflow, money, a model that does not exist. */
function bySpeech(facts: ErrorFacts): FailureClass | undefined {
  const code = byCode(facts);
  if (code !== undefined && TELLING.has(code.kind)) return code;
  const says = (phrases: readonly RegExp[]) => phrases.some((phrase) => phrase.test(facts.message));
  if (facts.status !== 429 && says(CONTEXT_PHRASES)) return { kind: "context_window", retryable: false };
  if (says(QUOTA_PHRASES)) return { kind: "quota", retryable: false };
  return MODEL_STATUSES.has(facts.status) && says(MODEL_PHRASES) ? { kind: "model_not_found", retryable: false } : undefined;
}

function byCode(facts: ErrorFacts): FailureClass | undefined {
  const code = facts.code === undefined ? undefined : BY_CODE[facts.code];
  if (code !== undefined) return code;
  const type = facts.type === undefined ? undefined : BY_CODE[facts.type];
  if (type !== undefined) return type;
  return facts.type === "invalid_request_error" || facts.type === "not_found_error" ? { kind: "bad_request", retryable: false } : undefined;
}
