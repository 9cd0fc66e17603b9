// What a conversation costs and how full the model's window is (U10, UX 9).
import { z } from "zod";

export const Spending = z.object({
  /** US dollars of this conversation; null: the price of a model is not known */
  usd: z.number().nullable(),
  /** fresh tokens of this conversation: what the cache gave is not counted */
  tokens: z.number(),
  /** of all requests' input, what the provider's cache gave: 0 to 1; null before the first request */
  cacheShare: z.number().nullable(),
  /** today, by every conversation; money as far as prices are known */
  today: z.object({ usd: z.number(), tokens: z.number() }),
  /** tokens the model can hold; null: not known */
  window: z.number().nullable(),
  /** limits in force; 0: none */
  limits: z.object({ sessionUsd: z.number(), dayUsd: z.number() }),
  /** date of the price table */
  pricesAsOf: z.string(),
});
export type Spending = z.infer<typeof Spending>;
