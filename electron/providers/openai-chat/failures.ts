// Errors of Chat Completions servers inside a stream that began well.
import type { ProviderFailure } from "#electron/providers/contract.ts";
import { factsOfError, failureOfFacts } from "#electron/providers/failures/from-error.ts";

export function chatStreamFailure(error: unknown, secrets: readonly (string | undefined)[]): ProviderFailure {
  return failureOfFacts(typeof error === "string" ? { message: error } : factsOfError(error), secrets);
}
