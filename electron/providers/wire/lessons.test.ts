import { describe, expect, it } from "vitest";
import type { ProviderFailure } from "#electron/providers/contract.ts";
import { type Lesson, createLessons } from "./lessons.ts";

const refusal = (message: string): ProviderFailure => ({ kind: "bad_request", retryable: false, status: 400, message });

// Recorded words of servers.
const SAMPLES: readonly (readonly [Lesson, string])[] = [
  [
    "no_thinking",
    'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".',
  ],
  [
    "no_thinking",
    "messages.19.content.24: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.",
  ],
  ["no_reasoning_summary", "Your organization must be verified to generate reasoning summaries."],
  ["no_encrypted_reasoning", "Encrypted content is not supported with this model."],
  ["no_usage_chunk", "Unrecognized request argument supplied: stream_options"],
  ["no_cache_key", "Unknown parameter: 'prompt_cache_key'."],
];

describe("what a server teaches about itself", () => {
  it.each(SAMPLES)("%s", (lesson, words) => {
    const lessons = createLessons();
    expect(lessons.has(lesson)).toBe(false);
    expect(lessons.learn(refusal(words))).toEqual({ ...refusal(words), learned: true });
    expect(lessons.has(lesson)).toBe(true);
  });

  it("is learnt once: the same refusal again is final", () => {
    const lessons = createLessons();
    const words = "Unknown parameter: 'prompt_cache_key'.";
    lessons.learn(refusal(words));
    expect(lessons.learn(refusal(words))).toEqual(refusal(words));
  });

  it("is nothing for other refusals and other kinds of failure", () => {
    const lessons = createLessons();
    expect(lessons.learn(refusal("tools.0: bad schema"))).toEqual(refusal("tools.0: bad schema"));
    const overflow: ProviderFailure = { kind: "context_window", retryable: false, message: "stream_options" };
    expect(lessons.learn(overflow)).toBe(overflow);
  });
});
