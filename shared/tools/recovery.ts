// What is known of a call that a crash interrupted (S2), and what is written down beforehand so that it can be known.
import { z } from "zod";

/** Whether a call can be told from the outside to have happened: by what it meant to write (compare and swap), or not at all (T1). */
export const Idempotency = z.enum(["none", "compare_and_swap"]);
export type Idempotency = z.infer<typeof Idempotency>;

/** One file that is about to be replaced. Hashes are sha256 of the bytes, hex; `before` is null for a file that must not exist yet. */
export const FileIntent = z.object({ path: z.string(), before: z.string().nullable(), after: z.string() });
export type FileIntent = z.infer<typeof FileIntent>;

/**
 * `not_run`: it never began; `repeatable`: it only reads; `done` and `not_done`: told by the hashes of its files;
 * `unknown`: only the person can look.
 */
export const Interrupted = z.enum(["not_run", "repeatable", "done", "not_done", "unknown"]);
export type Interrupted = z.infer<typeof Interrupted>;
