// A picture as the model sees it: within the providers' limits, scaled down to them, or refused with the real numbers (A13, T12).
// A picture over them would make this and every later request fail.
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
/** Longer side of what is scaled down: providers look no closer, and many pictures in one request may be no bigger. */
export const IMAGE_SCALED_SIDE = 2_000;
/** Decoding takes about 13 bytes a pixel; a small file can claim any number of them. */
export const IMAGE_MAX_PIXELS = 80_000_000;
const LOADED_BYTES = 64 * 1024 * 1024;

export type Picture = { readonly bytes: Uint8Array; readonly mediaType: string };
export type ImageLimits = { readonly maxSide: number; readonly maxBytes: number };
/** Scales a picture down; undefined when it cannot be made small enough. Rejects when it cannot be decoded, says why. */
export type ScaleImage = (picture: Picture, limits: ImageLimits, signal: AbortSignal) => Promise<Picture | undefined>;
export type SentPicture = Picture & ImageSize & { /** before it was scaled down */ readonly original?: ImageSize & { readonly bytes: number } };

type Pictured = { readonly file: string; readonly mediaType: string; readonly scale: ScaleImage; readonly signal: AbortSignal };

/** `file`: as shown. A scaled picture is measured again before it is believed. */
export async function readPicture(opened: OpenedFile, pictured: Pictured): Promise<Result<SentPicture, ToolFailure>> {
  const { file, mediaType } = pictured;
  const bytes = await readAtMost(opened.handle, LOADED_BYTES);
  if (bytes === undefined) return err(refusal(`${file} is a picture of ${sizeText(opened.stats.size)}, too big to load. ${MAKE_SMALLER}`));
  const size = imageSizeOf(bytes);
  if (size === undefined || size.width === 0 || size.height === 0)
    return err(refusal(`${file} looks like ${mediaType}, but its header is broken, so no provider would take it. ${TELL_PERSON}`));
  const over = overLimit(bytes, size);
  if (over === undefined) return ok({ bytes, mediaType, ...size });
  const measures = `${size.width} x ${size.height} pixels and ${sizeText(bytes.length)}`;
  if (size.width * size.height > IMAGE_MAX_PIXELS)
    return err(refusal(`${file} is a picture of ${measures}: more than can be decoded here (${IMAGE_MAX_PIXELS / 1_000_000} million pixels). ${MAKE_SMALLER}`));
  const smaller = await scaled(bytes, pictured);
  if (!smaller.ok) return smaller;
  if (smaller.value === undefined) return err(refusal(`${file} is a picture of ${measures}: ${over}. ${MAKE_SMALLER}`));
  return ok({ ...smaller.value, original: { ...size, bytes: bytes.length } });
}

const MAKE_SMALLER = "Scale it down with a program first, for example to 2000 pixels on its longer side, and read the copy.";
const TELL_PERSON = "It may be damaged; tell the person.";

async function scaled(bytes: Uint8Array, { file, mediaType, scale, signal }: Pictured): Promise<Result<(Picture & ImageSize) | undefined, ToolFailure>> {
  const limits = { maxSide: IMAGE_SCALED_SIDE, maxBytes: Math.floor((IMAGE_MAX_BASE64 * 3) / 4) };
  try {
    const smaller = await scale({ bytes, mediaType }, limits, signal);
    const size = smaller === undefined ? undefined : imageSizeOf(smaller.bytes);
    return ok(smaller === undefined || size === undefined || overLimit(smaller.bytes, size) !== undefined ? undefined : { ...smaller, ...size });
  } catch (error) {
    if (signal.aborted) return err({ kind: "aborted", retryable: false, message: `Reading ${file} was stopped.` });
    const why = error instanceof Error ? error.message : "unknown error";
    return err(refusal(`${file} is over the limits of the model and could not be scaled down: ${why}. ${TELL_PERSON}`));
  }
}

function overLimit(bytes: Uint8Array, size: ImageSize): string | undefined {
  const base64 = Math.ceil(bytes.length / 3) * 4;
  if (Math.max(size.width, size.height) > IMAGE_MAX_SIDE) return `more than ${IMAGE_MAX_SIDE} pixels on a side`;
  return base64 > IMAGE_MAX_BASE64 ? `${sizeText(base64)} when encoded, more than the ${sizeText(IMAGE_MAX_BASE64)} that can be sent` : undefined;
}

function refusal(message: string): ToolFailure {
  return { kind: "tool_error", retryable: false, message };
}
