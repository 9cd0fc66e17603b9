import { describe, expect, it } from "vitest";
import { ABORTED, type ErrorReply, factsOfBody, failureOfReply, failureOfThrown } from "./from-error.ts";

const context = { signal: new AbortController().signal, now: 0, secrets: ["topsecret"], host: "api.example" };
const reply = (status: number, body: string, headers: Record<string, string> = {}): ErrorReply => ({ status, body, headers: new Headers(headers) });

describe("error bodies", () => {
  it.each<[string, unknown, unknown]>([
    ["Anthropic", { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, { type: "overloaded_error", message: "Overloaded" }],
    ["OpenAI", { error: { message: "m", type: "t", param: "p", code: "c" } }, { type: "t", code: "c", param: "p", message: "m" }],
    ["a plain string", { error: "no such model" }, { message: "no such model" }],
    ["a message alone", { message: "m", type: "t" }, { message: "m", type: "t" }],
    ["a detail, as FastAPI gives it", { detail: "Not Found" }, { message: "Not Found" }],
    ["a detail that is a list", { detail: [{ loc: ["body"] }] }, { message: '[{"loc":["body"]}]' }],
    ["a list of errors, as Gemini gives it", [{ error: { code: 404, message: "m" } }], { status: 404, message: "m" }],
    ["a numeric code, as OpenRouter gives it", { error: { code: 502, message: "upstream" } }, { status: 502, message: "upstream" }],
    ["nothing at all", {}, { message: "" }],
    ["null", null, { message: "" }],
    ["null fields", { error: { message: "m", type: null, code: null, param: null } }, { message: "m" }],
  ])("%s", (_name, body, facts) => {
    expect(factsOfBody(body)).toEqual(facts);
  });
});

describe("replies with an error status", () => {
  it("keep the provider's words, code and wait", () => {
    expect(failureOfReply(reply(429, '{"error":{"type":"rate_limit_error","message":"slow"}}', { "retry-after": "2" }), context)).toEqual({
      kind: "rate_limit",
      retryable: true,
      status: 429,
      code: "rate_limit_error",
      message: "slow",
      retryAfterMs: 2_000,
    });
  });

  it("summarise pages, and say so when there are no words", () => {
    expect(failureOfReply(reply(502, "<html><title>Bad gateway</title></html>"), context).message).toBe(
      "the server answered with a web page titled “Bad gateway”",
    );
    expect(failureOfReply(reply(500, ""), context).message).toBe("status 500 without a reason");
    expect(failureOfReply(reply(500, "{}"), context).message).toBe("status 500 without a reason");
    expect(failureOfReply(reply(404, "404 page not found"), context).message).toBe("404 page not found");
  });
});

const coded = (code: string, message = "boom") => Object.assign(new Error(message), { code });

describe("errors below HTTP", () => {
  it.each<[string, unknown, object]>([
    ["refused", new TypeError("fetch failed", { cause: coded("ECONNREFUSED") }), { kind: "network", retryable: true, code: "ECONNREFUSED" }],
    ["reset", new TypeError("terminated", { cause: coded("ECONNRESET") }), { kind: "network", retryable: true, code: "ECONNRESET" }],
    ["closed by the other side", new TypeError("terminated", { cause: coded("UND_ERR_SOCKET") }), { kind: "network", retryable: true, code: "UND_ERR_SOCKET" }],
    [
      "no such name",
      new TypeError("fetch failed", { cause: coded("ENOTFOUND") }),
      { kind: "network", retryable: true, code: "ENOTFOUND", message: "the name api.example cannot be found (ENOTFOUND)" },
    ],
    ["name service down", coded("EAI_AGAIN"), { kind: "network", retryable: true, code: "EAI_AGAIN" }],
    [
      "one error for each address",
      new TypeError("fetch failed", { cause: new AggregateError([coded("ECONNREFUSED")]) }),
      { kind: "network", retryable: true, code: "ECONNREFUSED" },
    ],
    [
      "no headers in time",
      new TypeError("fetch failed", { cause: coded("UND_ERR_HEADERS_TIMEOUT") }),
      { kind: "timeout", retryable: true, code: "UND_ERR_HEADERS_TIMEOUT" },
    ],
    [
      "self-signed certificate",
      new TypeError("fetch failed", { cause: coded("SELF_SIGNED_CERT_IN_CHAIN") }),
      { kind: "network", retryable: false, code: "SELF_SIGNED_CERT_IN_CHAIN" },
    ],
    ["certificate of another name", coded("ERR_TLS_CERT_ALTNAME_INVALID"), { kind: "network", retryable: false, code: "ERR_TLS_CERT_ALTNAME_INVALID" }],
    ["no HTTP at all", new TypeError("fetch failed", { cause: coded("HPE_INVALID_CONSTANT") }), { kind: "protocol", retryable: false }],
    ["garbage instead of gzip", new TypeError("terminated", { cause: coded("Z_DATA_ERROR") }), { kind: "protocol", retryable: false }],
    ["sent round in circles", new TypeError("fetch failed", { cause: new Error("redirect count exceeded") }), { kind: "protocol", retryable: false }],
    ["plain HTTP where TLS was meant", coded("ERR_SSL_WRONG_VERSION_NUMBER"), { kind: "network", retryable: false }],
    ["Chromium: refused", new Error("net::ERR_CONNECTION_REFUSED"), { kind: "network", retryable: true, code: "net::ERR_CONNECTION_REFUSED" }],
    ["Chromium: certificate", new Error("net::ERR_CERT_AUTHORITY_INVALID"), { kind: "network", retryable: false, code: "net::ERR_CERT_AUTHORITY_INVALID" }],
    ["Chromium: offline", new Error("net::ERR_INTERNET_DISCONNECTED"), { kind: "network", retryable: true }],
    ["not an address", new TypeError("Failed to parse URL from x"), { kind: "bad_request", retryable: false, code: "ERR_INVALID_URL" }],
    [
      "anything else",
      new Error("odd topsecret thing"),
      { kind: "network", retryable: true, message: "the connection to api.example failed: odd [hidden] thing" },
    ],
    ["not even an error", "text", { kind: "network", retryable: true }],
  ])("%s", (_name, error, wanted) => {
    expect(failureOfThrown(error, context)).toMatchObject(wanted);
  });

  it("are an abort when we aborted, whatever else they say", () => {
    expect(failureOfThrown(coded("ECONNRESET"), { ...context, signal: AbortSignal.abort() })).toBe(ABORTED);
  });
});
