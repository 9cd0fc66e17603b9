// Between the window and the thread that colours code.
import { z } from "zod";

/** Kinds of words that have a colour of their own; the theme's variables of the same names hold the colours. */
export const Tone = z.enum(["keyword", "string", "number", "comment", "function", "constant", "type", "link", "add", "del"]);
export type Tone = z.infer<typeof Tone>;

/** Text and its tone, or text alone. */
export const Token = z.union([z.tuple([z.string(), Tone]), z.tuple([z.string()])]);
export type Token = z.infer<typeof Token>;

export const HighlightAsk = z.object({ id: z.number(), code: z.string(), language: z.string() });
export const HighlightAnswer = z.object({ id: z.number(), lines: z.array(z.array(Token)).nullable() });
