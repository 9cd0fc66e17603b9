// Errors of OpenAI Responses inside a reply that began well: `error` events and `response.failed`.
import type { ProviderFailure } from "#electron/providers/contract.ts";
import { factsOfError, failureOfFacts } from "#electron/providers/failures/from-error.ts";

export function responsesFailure(error: unknown, secrets: readonly (string | undefined)[]): ProviderFailure {
  const facts = factsOfError(error);
  // In an `error` event `type` is the event's own name and says nothing.
  return failureOfFacts({ ...facts, type: facts.type === "error" ? undefined : facts.type }, secrets);
}
