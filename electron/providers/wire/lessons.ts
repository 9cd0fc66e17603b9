// What one server taught us about itself: a request refused for one optional field is sent without it from then on.
// Without this a session could be dead for good, for example when a server refuses its own earlier thinking.
import type { ProviderFailure } from "#electron/providers/contract.ts";

export type Lesson = "no_thinking" | "no_reasoning_summary" | "no_encrypted_reasoning" | "no_usage_chunk" | "no_cache_key";

// Recorded words of servers; there is no code of its own for these refusals (L24).
const SIGNS: readonly { readonly lesson: Lesson; readonly words: RegExp }[] = [
  {
    lesson: "no_thinking",
    words:
      /invalid `?signature`? in `?thinking`?|thinking`? (?:or `?redacted_thinking`? )?blocks? .*(?:cannot be modified|bound to)|bound to a different conversation/i,
  },
  { lesson: "no_reasoning_summary", words: /reasoning summar(?:y|ies)|reasoning\.summary/i },
  { lesson: "no_encrypted_reasoning", words: /encrypted content is not supported|reasoning\.encrypted_content/i },
  { lesson: "no_usage_chunk", words: /stream_options|include_usage/i },
  { lesson: "no_cache_key", words: /prompt_cache_key/i },
];

export interface Lessons {
  has(lesson: Lesson): boolean;
  /** Notes what a refusal teaches; the failure comes back as learned when the next request will be different. */
  learn(failure: ProviderFailure): ProviderFailure;
}

/** Lives as long as its provider, so it is forgotten when the settings change. */
export function createLessons(): Lessons {
  const known = new Set<Lesson>();
  return {
    has: (lesson) => known.has(lesson),
    learn: (failure) => {
      if (failure.kind !== "bad_request") return failure;
      const found = SIGNS.find(({ lesson, words }) => words.test(failure.message) && !known.has(lesson));
      if (found === undefined) return failure;
      known.add(found.lesson);
      return { ...failure, learned: true };
    },
  };
}
