// From whatever a request threw to one failure: the cause of an abort first, then an HTTP status, then the connection.
import { z } from "zod";
import type { ProviderFailure } from "#electron/providers/contract.ts";
import { type ErrorFacts, classifyError } from "./classify.ts";
import { connectionFailure } from "./connection.ts";
import { retryAfterMs } from "./retry-after.ts";
import { safeMessage } from "./safe-message.ts";

export type FailureContext = {
  readonly signal: AbortSignal;
  /** ms since the epoch */
  readonly now: number;
  readonly secrets: readonly (string | undefined)[];
  /** host and port of the server, for messages */
  readonly host: string;
};

/** A reply with an error status, as the fetch wrapper read it. */
export type ErrorReply = { readonly status: number; readonly headers: Headers; readonly body: string };

export const ABORTED: ProviderFailure = { kind: "aborted", retryable: false, message: "the request was cancelled" };

/** Failure of a reply with an error status. */
export function failureOfReply(reply: ErrorReply, context: FailureContext): ProviderFailure {
  const facts = { ...factsOfBody(parsed(reply.body)), status: reply.status };
  const wait = retryAfterMs(reply.headers, context.now);
  const words = facts.message === "" ? plainWords(reply) : facts.message;
  return { ...failureOfFacts({ ...facts, message: words }, context.secrets), ...(wait === undefined ? {} : { retryAfterMs: wait }) };
}

/** Failure of an error that a body or an event of the stream describes. */
export function failureOfFacts(facts: ErrorFacts, secrets: readonly (string | undefined)[]): ProviderFailure {
  const code = facts.code ?? facts.type;
  return {
    ...classifyError(facts),
    ...(facts.status === undefined ? {} : { status: facts.status }),
    ...(code === undefined ? {} : { code }),
    message: safeMessage(facts.message === "" ? "the provider gave no reason" : facts.message, secrets),
  };
}

/** Failure of anything thrown while connecting or reading. */
export function failureOfThrown(error: unknown, context: FailureContext): ProviderFailure {
  if (context.signal.aborted) return ABORTED;
  const failure = connectionFailure(error, context.host);
  return { ...failure, message: safeMessage(failure.message, context.secrets) };
}

const Text = z.union([z.string(), z.number().transform(String)]).nullish();
const ErrorObject = z.looseObject({ message: z.unknown(), code: Text.catch(undefined), type: Text.catch(undefined), param: Text.catch(undefined) });
const Envelope = z.union([
  z.looseObject({ error: ErrorObject }),
  z.looseObject({ error: z.string() }),
  z.looseObject({ errors: z.array(ErrorObject).min(1) }),
  z.looseObject({ message: z.string() }),
  z.looseObject({ detail: z.unknown() }),
]);

/** Reads the shapes of error bodies that are in use: `{error: {…}}`, `{error: "…"}`, `{message}`, `{detail}`, or one of them in an array. */
export function factsOfBody(body: unknown): ErrorFacts {
  const envelope = Envelope.safeParse(Array.isArray(body) ? body[0] : body);
  if (!envelope.success) return { message: typeof body === "string" ? body : "" };
  const data = envelope.data;
  if ("errors" in data && Array.isArray(data.errors)) return factsOfError(data.errors[0]);
  if ("error" in data) return typeof data.error === "string" ? { message: data.error } : factsOfError(data.error);
  if ("message" in data && typeof data.message === "string") return factsOfError(data);
  return { message: words(data["detail"]) };
}

/** Facts of the error object itself. A numeric `code` of an error status counts as the status (OpenRouter). */
export function factsOfError(error: unknown): ErrorFacts {
  const parsedError = ErrorObject.safeParse(error);
  if (!parsedError.success) return { message: words(error) };
  const { message, code, type, param } = parsedError.data;
  const status = code != null && /^[45]\d\d$/.test(code) ? Number(code) : undefined;
  return {
    message: words(message),
    ...(status === undefined ? {} : { status }),
    ...(code == null || status !== undefined ? {} : { code }),
    ...(type == null ? {} : { type }),
    ...(param == null ? {} : { param }),
  };
}

function words(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}

function plainWords(reply: ErrorReply): string {
  const body = reply.body.trim();
  return body === "" || parsed(body) !== undefined ? `status ${reply.status} without a reason` : body;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
