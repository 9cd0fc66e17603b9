// What a search over all sessions finds (S3): places in conversations, grouped by session.
import { z } from "zod";
import { SessionId } from "#shared/lib/ids.ts";

/** Where a place is told to be found again: the event that holds the words. `call`: in a call's result. */
export const SearchHit = z.object({
  seq: z.number(),
  call: z.string().exactOptional(),
  where: z.enum(["prompt", "reply", "result"]),
  /** ms since the epoch */
  at: z.number(),
  /** words around the place; `from` to `to` of it is what was looked for */
  snippet: z.string(),
  from: z.number(),
  to: z.number(),
});
export type SearchHit = z.infer<typeof SearchHit>;

/** `more`: further places of the session that are not listed. */
export const SearchGroup = z.object({ session: SessionId, hits: z.array(SearchHit), more: z.number() });
export type SearchGroup = z.infer<typeof SearchGroup>;

export const MAX_QUERY_CHARS = 200;

/** What a person typed → the words that all must be there. In quotation marks it is one phrase. */
export function searchWords(query: string): readonly string[] {
  const phrase = /^\s*["“](.+)["”]\s*$/s.exec(query)?.[1];
  if (phrase !== undefined) return [phrase];
  return query.split(/\s+/).filter((word) => word !== "");
}

/** Finds words as people write them: large and small letters are alike, every other character stands for itself. */
export function wordPattern(word: string, flags = "iu"): RegExp {
  return new RegExp(word.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"), flags);
}
