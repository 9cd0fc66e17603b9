// A picture as the model sees it: within the providers' limits, or refused with the real numbers (A13). A picture over them
// would make this and every later request fail.
import type { Result } from "#shared/lib/result.ts";
import { err, ok } from "#shared/lib/result.ts";
import type { ToolFailure } from "#shared/tools/failure.ts";
import { sizeText } from "./file-kind.ts";
import { imageSizeOf, type ImageSize } from "./image-size.ts";
import { readAtMost, type OpenedFile } from "./open-file.ts";

/** Length of the base64 text, not of the file. */
export const IMAGE_MAX_BASE64 = 3.75 * 1024 * 1024;
/** Pixels, for both sides. */
export const IMAGE_MAX_SIDE = 8_000;
const LOADED_BYTES = 64 * 1024 * 1024;

export type Picture = { readonly bytes: Uint8Array; readonly mediaType: string };
export type ImageLimits = { readonly maxSide: number; readonly maxBytes: number };
/** Scales a picture down; undefined when it cannot. */
export type ScaleImage = (picture: Picture, limits: ImageLimits) => Promise<Picture | undefined>;

/** `file`: as shown. A scaled picture is measured again before it is believed. */
export async function readPicture(
  opened: OpenedFile,
  file: string,
  mediaType: string,
  scale: ScaleImage | undefined,
): Promise<Result<Picture & ImageSize & { readonly scaled: boolean }, ToolFailure>> {
  const bytes = await readAtMost(opened.handle, LOADED_BYTES);
  if (bytes === undefined) return err(refusal(`${file} is a picture of ${sizeText(opened.stats.size)}, too big to load`));
  const size = imageSizeOf(bytes);
  if (size === undefined || size.width === 0 || size.height === 0)
    return err(refusal(`${file} looks like ${mediaType}, but its header is broken, so no provider would take it`));
  const over = overLimit(bytes, size);
  if (over === undefined) return ok({ bytes, mediaType, ...size, scaled: false });
  const smaller = await scale?.({ bytes, mediaType }, { maxSide: IMAGE_MAX_SIDE, maxBytes: Math.floor((IMAGE_MAX_BASE64 * 3) / 4) });
  const smallerSize = smaller === undefined ? undefined : imageSizeOf(smaller.bytes);
  if (smaller !== undefined && smallerSize !== undefined && overLimit(smaller.bytes, smallerSize) === undefined)
    return ok({ ...smaller, ...smallerSize, scaled: true });
  return err(
    refusal(
      `${file} is a picture of ${size.width} x ${size.height} pixels and ${sizeText(bytes.length)}: ${over}. Scale it down with a program first, for example to 2000 pixels on its longer side, and read the copy`,
    ),
  );
}

function overLimit(bytes: Uint8Array, size: ImageSize): string | undefined {
  const base64 = Math.ceil(bytes.length / 3) * 4;
  if (Math.max(size.width, size.height) > IMAGE_MAX_SIDE) return `more than ${IMAGE_MAX_SIDE} pixels on a side`;
  return base64 > IMAGE_MAX_BASE64 ? `${sizeText(base64)} when encoded, more than the ${sizeText(IMAGE_MAX_BASE64)} that can be sent` : undefined;
}

function refusal(message: string): ToolFailure {
  return { kind: "tool_error", retryable: false, message: `${message}.` };
}
