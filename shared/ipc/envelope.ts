// The frames on the port. Seven kinds, all parsed on arrival, on both sides.
import { z } from "zod";

const id = z.number().int().nonnegative();

/** window → main */
export const Request = z.discriminatedUnion("t", [
  z.object({ t: z.literal("call"), id, d: z.string().max(64), v: z.string().max(64), input: z.unknown() }),
  z.object({ t: z.literal("open"), id, d: z.string().max(64), v: z.string().max(64), key: z.unknown() }),
  z.object({ t: z.literal("cancel"), id }),
  z.object({ t: z.literal("close"), id }),
]);
export type Request = z.infer<typeof Request>;

/** main → window */
export const Answer = z.discriminatedUnion("t", [
  z.object({ t: z.literal("result"), id, ok: z.boolean(), body: z.unknown() }),
  z.object({ t: z.literal("progress"), id, body: z.unknown() }),
  z.object({ t: z.literal("item"), id, body: z.unknown() }),
  z.object({ t: z.literal("gone"), id }),
]);
export type Answer = z.infer<typeof Answer>;
