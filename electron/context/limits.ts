// Every number of the context pipeline, once, with its unit (C1 to C5).

/** Layer 1: a single old result above this becomes a place-holder, and all old results together stay below the budget. Tokens. */
export const RESULT_TOKENS = 10_000;
export const ALL_RESULTS_TOKENS = 50_000;
/** The newest messages that layers 0, 1 and 3 leave alone. */
export const UNTOUCHED_MESSAGES = 4;
/** Layer 2: messages that always stay, and the share of all that may go. */
export const KEPT_MESSAGES = 6;
export const DROPPED_SHARE = 0.5;
/** Layer 3: characters kept of a result that cannot be had again. */
export const KEPT_CHARS = 200;
/** A result shorter than this is not worth a place-holder. Characters. */
export const SMALL_RESULT_CHARS = 400;

/** Layer 5: newest part that stays as it is, as a share of the window, and in messages. */
export const TAIL_SHARE = 0.2;
export const TAIL_MESSAGES = 4;
/** A summary shorter than this says nothing. Characters. */
export const SUMMARY_MIN_CHARS = 40;
export const SUMMARY_MAX_TOKENS = 4_096;
/** What a summariser reads at most, as a share of its window, and without a known window. */
export const SUMMARY_INPUT_SHARE = 0.5;
export const SUMMARY_INPUT_TOKENS = 60_000;
/** Characters of one tool result in what a summariser reads. */
export const SUMMARY_RESULT_CHARS = 2_000;
export const SUMMARY_IDLE_MS = 240_000;
export const SUMMARY_TOTAL_MS = 600_000;
/** The person's own words that outlive a summary, newest first. Characters. */
export const PERSON_WORDS_CHARS = 8_000;

/** Gain below which layers 0 to 3 leave the prefix alone (C3, C7). Tokens. */
export const WORTHWHILE_GAIN = 8_000;
/** `lighten` aims at this share of what there was, `overflow` at this. */
export const LIGHTEN_SHARE = 0.75;
export const OVERFLOW_SHARE = 0.5;
/** Last resort of an overflow: tokens that each result of the newest messages may keep. */
export const NEWEST_RESULT_TOKENS = 4_000;

/** Breaker (C4). */
export const BREAKER_FAILURES = 3;
export const BREAKER_OPEN_MS = 5 * 60_000;
/** Full compactions that did not get below the mark, after which the automatic ones stop (E05). */
export const FRUITLESS_COMPACTIONS = 2;

/** The provider's cache is warm for so long after an answer (C3). */
export const CACHE_WARM_MS = 5 * 60_000;

export const IMAGE_TOKENS = 1_600;
/** Per message: role and separators. */
export const MESSAGE_TOKENS = 4;

export const FOLDER_MAP_BYTES = 1_536;
/** One instruction file, and all of them together. Characters. */
export const INSTRUCTION_CHARS = 12_000;
export const ALL_INSTRUCTIONS_CHARS = 24_000;
/** Texts above this are measured by samples. Characters. */
export const SAMPLED_ABOVE_CHARS = 16_000;
export const SAMPLE_CHARS = 4_000;
