// Pictures and long texts on their way to a message (U8): kept in the data folder until they are sent, then in their session. What was
// never sent is forgotten after some weeks.
import { readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { type Attachment, MAX_ATTACHMENT_BYTES } from "#shared/attachments/attachment.ts";
import { err, ok, type Result } from "#shared/lib/result.ts";
import type { AttachmentFailure, Attachments } from "#electron/bridge/contract.ts";
import type { Clock } from "#electron/lib/clock.ts";
import { createBlobs } from "#electron/sessions/blobs.ts";
import { imageSizeOf } from "#electron/tools/builtin/image-size.ts";
import { IMAGE_MAX_BASE64, IMAGE_MAX_PIXELS, IMAGE_SCALED_SIDE, type ScaleImage } from "#electron/tools/builtin/read-picture.ts";

const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;
const PICTURES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

export type AttachmentsDeps = { readonly dataDir: string; readonly clock: Clock; readonly scaleImage: ScaleImage };

export function createAttachments({ dataDir, clock, scaleImage }: AttachmentsDeps): Attachments {
  const folder = join(dataDir, "attachments");
  const waiting = createBlobs(folder);
  return {
    async put({ bytes, mediaType, name }) {
      if (bytes.length > MAX_ATTACHMENT_BYTES) return err({ kind: "too_big", message: `${name} is bigger than ${MAX_ATTACHMENT_BYTES / 1024 / 1024} MB.` });
      if (!mediaType.startsWith("image/")) return await keep(waiting, { bytes, mediaType: "text/plain", name, kind: "text" });
      const picture = await fit({ bytes, mediaType }, scaleImage);
      return picture.ok ? await keep(waiting, { ...picture.value, name, kind: "picture" }) : picture;
    },
    get: (ref) => waiting.base64(ref),
    async adopt(blocks, sessionFolder) {
      const own = createBlobs(join(sessionFolder, "blobs"));
      for (const block of blocks) {
        if (block.type !== "image" || (await own.base64(block.ref)) !== undefined) continue;
        const bytes = await waiting.base64(block.ref);
        if (bytes === undefined) return err({ kind: "gone", message: "A picture of this message is no longer there. Attach it again." });
        await own.put(Buffer.from(bytes, "base64"));
      }
      return ok(null);
    },
    ofSession: (sessionFolder, ref) => createBlobs(join(sessionFolder, "blobs")).base64(ref),
    async touch(refs) {
      const now = new Date(clock.now());
      for (const ref of refs) await utimes(join(folder, ref), now, now).catch(() => {});
      await forgetOld(folder, clock.now() - KEPT_MS);
    },
  };
}

type Given = { readonly bytes: Uint8Array; readonly mediaType: string };

async function keep(
  blobs: ReturnType<typeof createBlobs>,
  { bytes, mediaType, name, kind }: Given & Pick<Attachment, "name" | "kind">,
): Promise<Result<Attachment, AttachmentFailure>> {
  try {
    return ok({ kind, ref: await blobs.put(bytes), mediaType, name: name.slice(0, 200), bytes: bytes.length });
  } catch (error) {
    return err({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
  }
}

/** Within what every provider takes, scaled down where it must be. */
async function fit(picture: Given, scale: ScaleImage): Promise<Result<Given, AttachmentFailure>> {
  const size = imageSizeOf(picture.bytes);
  if (size === undefined || size.width === 0 || size.height === 0) return err({ kind: "not_a_picture", message: "This picture cannot be read." });
  if (size.width * size.height > IMAGE_MAX_PIXELS) return err({ kind: "too_big", message: `${size.width} × ${size.height} pixels are too many.` });
  const maxBytes = Math.floor((IMAGE_MAX_BASE64 * 3) / 4);
  const fits = picture.bytes.length <= maxBytes && Math.max(size.width, size.height) <= IMAGE_SCALED_SIDE && PICTURES.has(picture.mediaType);
  if (fits) return ok(picture);
  try {
    const smaller = await scale(picture, { maxSide: IMAGE_SCALED_SIDE, maxBytes }, new AbortController().signal);
    return smaller === undefined ? err({ kind: "too_big", message: "This picture could not be made small enough." }) : ok(smaller);
  } catch (error) {
    return err({ kind: "not_a_picture", message: error instanceof Error ? error.message : String(error) });
  }
}

async function forgetOld(folder: string, before: number): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const kept = await stat(join(folder, name)).catch(() => undefined);
    if (kept !== undefined && kept.mtimeMs < before) await rm(join(folder, name), { force: true }).catch(() => {});
  }
}
