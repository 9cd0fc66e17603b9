import { describe, expect, it } from "vitest";
import type { ProviderFailureKind } from "#electron/providers/contract.ts";
import { type ErrorFacts, classifyError } from "./classify.ts";

// Recorded words of servers; each line is what one of them really sends.
const SAMPLES: readonly (readonly [ProviderFailureKind, boolean, ErrorFacts])[] = [
  ["context_window", false, { status: 400, type: "invalid_request_error", message: "prompt is too long: 213462 tokens > 200000 maximum" }],
  [
    "context_window",
    false,
    {
      status: 400,
      type: "invalid_request_error",
      message: "input length and `max_tokens` exceed context limit: 199211 + 20000 > 200000, decrease input length or `max_tokens` and try again",
    },
  ],
  [
    "context_window",
    false,
    { status: 400, code: "context_length_exceeded", message: "Your input exceeds the context window of this model. Please adjust your input and try again." },
  ],
  [
    "context_window",
    false,
    { status: 400, message: "This model's maximum context length is 128000 tokens. However, your messages resulted in 131072 tokens." },
  ],
  ["context_window", false, { status: 400, type: "exceed_context_size_error", message: "the request exceeds the available context size, try increasing it" }],
  ["context_window", false, { status: 400, message: "Invalid request: Your request exceeded model token limit: 262144" }],
  [
    "context_window",
    false,
    { status: 400, code: "invalid_parameter_error", message: "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]" },
  ],
  [
    "context_window",
    false,
    {
      status: 400,
      message:
        "Trying to keep the first 9900 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
    },
  ],
  [
    "bad_request",
    false,
    {
      status: 400,
      type: "invalid_request_error",
      message: "max_tokens: 300000 > 128000, which is the maximum allowed number of output tokens for claude-sonnet-5-5",
    },
  ],
  [
    "bad_request",
    false,
    { status: 400, type: "invalid_request_error", message: "messages.3: `tool_use` ids were found without `tool_result` blocks immediately after" },
  ],
  ["bad_request", false, { status: 422, message: "Unprocessable" }],
  [
    "quota",
    false,
    {
      status: 400,
      type: "invalid_request_error",
      message: "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
    },
  ],
  [
    "quota",
    false,
    {
      status: 429,
      code: "insufficient_quota",
      type: "insufficient_quota",
      message: "You exceeded your current quota, please check your plan and billing details.",
    },
  ],
  ["quota", false, { status: 402, message: "Insufficient Balance" }],
  ["quota", false, { status: 402, type: "billing_error", message: "x" }],
  [
    "rate_limit",
    true,
    { status: 429, type: "rate_limit_error", message: "This request would exceed your organization's rate limit of 40,000 input tokens per minute" },
  ],
  [
    "rate_limit",
    true,
    {
      status: 429,
      code: "rate_limit_exceeded",
      message: "Rate limit reached for gpt-6 in organization org-1 on tokens per min (TPM): Limit 30000. The context length exceeded it.",
    },
  ],
  ["model_not_found", false, { status: 404, type: "not_found_error", message: "model: claude-none" }],
  ["model_not_found", false, { status: 404, code: "model_not_found", message: "The model `gpt-none` does not exist or you do not have access to it." }],
  ["model_not_found", false, { status: 404, message: 'model "qwen9" not found, try pulling it first' }],
  ["model_not_found", false, { status: 400, message: "foo/bar is not a valid model ID" }],
  ["not_found", false, { status: 404, message: "404 page not found" }],
  ["auth", false, { status: 401, type: "authentication_error", message: "invalid x-api-key" }],
  ["forbidden", false, { status: 403, type: "permission_error", message: "Your API key does not have permission to use the specified resource." }],
  ["too_large", false, { status: 413, type: "request_too_large", message: "Request exceeds the maximum size" }],
  ["timeout", true, { status: 408, message: "" }],
  ["timeout", true, { status: 504, message: "upstream request timeout" }],
  ["server", true, { status: 500, type: "api_error", message: "Internal server error" }],
  ["server", true, { status: 502, message: "Bad gateway" }],
  ["server", true, { status: 520, message: "Web server is returning an unknown error" }],
  ["server", false, { status: 501, message: "Not implemented" }],
  ["overloaded", true, { status: 503, message: "Service unavailable" }],
  ["overloaded", true, { status: 529, type: "overloaded_error", message: "Overloaded" }],
  ["protocol", false, { status: 304, message: "" }],
  // Inside a stream there is no status.
  ["overloaded", true, { type: "overloaded_error", message: "Overloaded" }],
  ["overloaded", true, { code: "server_is_overloaded", message: "Our servers are currently overloaded. Please try again later." }],
  ["server", true, { type: "api_error", message: "Internal server error" }],
  ["server", true, { code: "server_error", message: "An error occurred while processing your request." }],
  ["rate_limit", true, { code: "rate_limit_exceeded", message: "Rate limit reached" }],
  ["bad_request", false, { type: "invalid_request_error", message: "Could not process image" }],
  ["context_window", false, { code: "context_length_exceeded", message: "x" }],
  ["server", true, { message: "something nobody has seen before" }],
];

describe("kinds of failure", () => {
  it.each(SAMPLES)("%s (may be tried again: %s) from %j", (kind, retryable, facts) => {
    expect(classifyError(facts)).toEqual({ kind, retryable });
  });

  it("never tries 400, 401, 403, 404 and 413 again (L20)", () => {
    for (const status of [400, 401, 403, 404, 413]) expect(classifyError({ status, message: "please try again later, overloaded" }).retryable).toBe(false);
  });
});
