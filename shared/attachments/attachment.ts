// What goes along with a message: a picture, or a text too long for the composer (U8). The bytes lie in the data folder under `ref`.
import { z } from "zod";

/** bytes of what is taken at all */
export const MAX_ATTACHMENT_BYTES = 20 * 1024 * 1024;
export const MAX_ATTACHMENTS = 20;

export const Attachment = z.object({
  kind: z.enum(["picture", "text"]),
  ref: z.string().regex(/^[0-9a-f]{64}$/),
  mediaType: z.string().max(100),
  name: z.string().max(200),
  bytes: z.number(),
});
export type Attachment = z.infer<typeof Attachment>;
