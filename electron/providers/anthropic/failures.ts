// Errors that Anthropic sends as an event inside a reply that began well.
import type { ProviderFailure } from "#electron/providers/contract.ts";
import { factsOfError, failureOfFacts } from "#electron/providers/failures/from-error.ts";
import { at } from "#electron/providers/wire/json-path.ts";

export function anthropicStreamFailure(event: unknown, secrets: readonly (string | undefined)[]): ProviderFailure {
  return failureOfFacts(factsOfError(at(event, "error")), secrets);
}
