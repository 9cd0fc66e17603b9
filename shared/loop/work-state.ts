// The small states the model keeps about its own work: to-do list, goal, hypotheses (L12, L13).
import { z } from "zod";

export const TodoItem = z.object({ text: z.string().min(1), status: z.enum(["pending", "in_progress", "completed"]) });
export type TodoItem = z.infer<typeof TodoItem>;

export const Goal = z.object({
  text: z.string().min(1),
  /** budget in steps or tokens, set by the person */
  budget: z.object({ unit: z.enum(["steps", "tokens"]), limit: z.number().positive() }),
  used: z.number().nonnegative(),
  state: z.enum(["open", "met", "let_go"]),
});
export type Goal = z.infer<typeof Goal>;

export const Hypothesis = z.object({
  id: z.string().min(1),
  claim: z.string().min(1),
  /** what would prove it wrong; fixed at registration */
  falsifier: z.string().min(1),
  state: z.enum(["open", "confirmed", "refuted"]),
  evidence: z.string().optional(),
});
export type Hypothesis = z.infer<typeof Hypothesis>;
