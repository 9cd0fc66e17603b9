// Pictures and documents that a server refused (A13). Without this one bad picture in the history would make every later request fail.
import type { ProviderFailure } from "#electron/providers/contract.ts";

// Recorded words of servers; there is no code of its own for these refusals (L24).
const ABOUT_MEDIA = /\b(?:images?|image_url|input_image|pictures?|vision|multi-?modal|pdfs?|documents?|input_file|media)\b/i;

export interface RefusedMedia {
  has(ref: string): boolean;
  /** A request with these was answered: whatever is refused later, it is not for them alone. */
  taken(refs: readonly string[]): void;
  /** Notes what a refusal of a request with these teaches; the failure comes back as learned when the next request will be different. */
  learn(failure: ProviderFailure, refs: readonly string[]): ProviderFailure;
}

/** Lives as long as its provider, so it is forgotten when the settings change. */
export function createRefusedMedia(): RefusedMedia {
  const refused = new Set<string>();
  const fine = new Set<string>();
  return {
    has: (ref) => refused.has(ref),
    taken(refs) {
      for (const ref of refs) fine.add(ref);
    },
    learn(failure, refs) {
      const sent = refs.filter((ref) => !refused.has(ref));
      if (failure.kind !== "bad_request" || sent.length === 0 || !ABOUT_MEDIA.test(failure.message)) return failure;
      const fresh = sent.filter((ref) => !fine.has(ref));
      for (const ref of fresh.length > 0 ? fresh : sent) refused.add(ref);
      return { ...failure, learned: true };
    },
  };
}
