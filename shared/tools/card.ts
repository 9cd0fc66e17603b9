// What a tool card shows. The model's part of a result is separate (T10); these are plain, cloneable facts.
import { z } from "zod";

export const ResultDisplay = z.enum(["full", "summary", "hidden"]);
export type ResultDisplay = z.infer<typeof ResultDisplay>;

export const DiffLine = z.object({ kind: z.enum(["same", "add", "del"]), text: z.string(), old: z.number().optional(), new: z.number().optional() });
export type DiffLine = z.infer<typeof DiffLine>;
export const DiffHunk = z.object({ oldStart: z.number(), newStart: z.number(), lines: z.array(DiffLine) });
export type DiffHunk = z.infer<typeof DiffHunk>;
/** Text change of one file; `cut` says that hunks were left out because the change is very large. */
export const FileDiff = z.object({
  path: z.string(),
  added: z.number(),
  removed: z.number(),
  hunks: z.array(DiffHunk),
  cut: z.boolean().optional(),
  binary: z.boolean().optional(),
});
export type FileDiff = z.infer<typeof FileDiff>;

export const CardView = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("file_read"), path: z.string(), from: z.number(), to: z.number(), total: z.number() }),
  z.object({ kind: z.literal("file_change"), change: z.enum(["created", "edited", "written"]), diff: FileDiff }),
  z.object({ kind: z.literal("listing"), path: z.string(), count: z.number(), cut: z.boolean(), sample: z.array(z.string()) }),
  z.object({ kind: z.literal("search"), pattern: z.string(), matches: z.number(), files: z.number(), cut: z.boolean(), sample: z.array(z.string()) }),
  z.object({
    kind: z.literal("shell"),
    command: z.string(),
    /** the end of the raw terminal output, colours and all */
    output: z.string(),
    exitCode: z.number().nullable(),
    signal: z.string().nullable(),
    timedOut: z.boolean(),
    background: z.boolean(),
    stillRunning: z.array(z.object({ pid: z.number(), name: z.string() })),
  }),
  z.object({ kind: z.literal("todos"), items: z.array(z.object({ text: z.string(), status: z.enum(["pending", "in_progress", "completed"]) })) }),
  /** what was asked and answered; `declined`: the person left it to the agent */
  z.object({
    kind: z.literal("answers"),
    items: z.array(z.object({ header: z.string(), question: z.string(), picked: z.array(z.string()), words: z.string().optional() })),
    declined: z.boolean(),
  }),
  /** a plan and what became of it; `unasked`: nobody was there to approve it */
  z.object({ kind: z.literal("plan"), plan: z.string(), decision: z.enum(["approved", "rejected", "unasked"]), words: z.string().optional() }),
  z.object({ kind: z.literal("text"), text: z.string() }),
]);
export type CardView = z.infer<typeof CardView>;
