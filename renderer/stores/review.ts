// Comments on lines of changes that are not sent yet, what was looked at, and how changes are shown (U7). By session; they survive a restart.
import { z } from "zod";
import type { StoreApi } from "zustand/vanilla";

export const LineComment = z.object({
  id: z.string(),
  path: z.string(),
  /** "old": a line that is gone */
  side: z.enum(["new", "old"]),
  line: z.number().int(),
  /** the line as it was when the comment was made */
  quote: z.string(),
  text: z.string(),
});
export type LineComment = z.infer<typeof LineComment>;

export const Review = z.object({
  comments: z.record(z.string(), z.array(LineComment)).default({}),
  /** per session: files looked at, with what they looked like */
  reviewed: z.record(z.string(), z.record(z.string(), z.string())).default({}),
  split: z.boolean().default(false),
});
export type Review = z.infer<typeof Review>;

const NONE: readonly LineComment[] = [];

export function commentsOf(review: Review, session: string): readonly LineComment[] {
  return review.comments[session] ?? NONE;
}

export function setComments(store: StoreApi<Review>, session: string, comments: readonly LineComment[]): void {
  const { [session]: _before, ...others } = store.getState().comments;
  store.setState({ comments: comments.length === 0 ? others : { ...others, [session]: [...comments] } });
}

/** `print`: what the file looked like, or undefined to take the tick away. */
export function setReviewed(store: StoreApi<Review>, session: string, path: string, print: string | undefined): void {
  const { [path]: _before, ...others } = store.getState().reviewed[session] ?? {};
  store.setState({ reviewed: { ...store.getState().reviewed, [session]: print === undefined ? others : { ...others, [path]: print } } });
}

const QUOTE_CHARS = 120;

/** What the agent reads: each comment with its place, in the order of the files. */
export function commentsText(intro: string, comments: readonly LineComment[], gone: string): string {
  const sorted = [...comments].sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
  const lines = sorted.map(({ path, line, side, quote, text }) => {
    const place = `${path}:${line}${side === "old" ? ` (${gone})` : ""}`;
    const shown = quote.trim() === "" ? "" : ` \`${quote.trim().replaceAll("`", "\u02cb").slice(0, QUOTE_CHARS)}\``;
    return `- ${place}${shown}\n  ${text.trim().replaceAll("\n", "\n  ")}`;
  });
  return `${intro}\n\n${lines.join("\n")}`;
}
