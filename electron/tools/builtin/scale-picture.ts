// Makes a picture small enough for the providers (A13): decoded, turned upright, scaled, encoded again. Runs in a worker only:
// decoding holds its thread for as long as it takes, and its memory is given back with the thread.
import type * as photonNode from "@silvia-odwyer/photon-node";
import { orientationOf, type Orientation } from "./exif-orientation.ts";
import type { ImageLimits, Picture } from "./read-picture.ts";

type Photon = typeof photonNode;
type PhotonImage = photonNode.PhotonImage;

const JPEG_QUALITIES = [85, 70];
/** Sides shrink by this much until the bytes fit. */
const STEP = 0.7;
/** Below this nothing could be made out. */
const LEAST_SIDE = 200;

/** Undefined when it cannot be made small enough; throws for a picture that cannot be decoded. An animation gives its first frame. */
export async function scalePicture(picture: Picture, limits: ImageLimits): Promise<Picture | undefined> {
  const photon = await import("@silvia-odwyer/photon-node");
  const decoded = upright(photon, decode(photon, picture.bytes), orientationOf(picture.bytes));
  const longer = Math.max(decoded.get_width(), decoded.get_height());
  const first = Math.min(longer, limits.maxSide);
  for (let side = first; side >= Math.min(first, LEAST_SIDE); side = Math.floor(side * STEP)) {
    const image = side === longer ? decoded : resized(photon, decoded, side / longer);
    for (const encoded of encodings(photon, image, picture.mediaType)) if (encoded.bytes.length <= limits.maxBytes) return encoded;
    if (image !== decoded) image.free();
  }
  return undefined;
}

function decode(photon: Photon, bytes: Uint8Array): PhotonImage {
  try {
    return photon.PhotonImage.new_from_byteslice(bytes);
  } catch (error) {
    // The decoder ends in a trap, whose words say nothing about the picture.
    throw new Error("the picture cannot be decoded", { cause: error });
  }
}

function resized(photon: Photon, image: PhotonImage, factor: number): PhotonImage {
  const side = (length: number) => Math.max(1, Math.round(length * factor));
  return photon.resize(image, side(image.get_width()), side(image.get_height()), photon.SamplingFilter.CatmullRom);
}

/** Best first. Drawings and screenshots stay exact where that fits; photos never do, so it is not tried. */
function* encodings(photon: Photon, image: PhotonImage, from: string): Generator<Picture, void, void> {
  if (from !== "image/jpeg") yield { bytes: image.get_bytes(), mediaType: "image/png" };
  const opaque = from === "image/jpeg" ? image : onWhite(photon, image);
  for (const quality of JPEG_QUALITIES) yield { bytes: opaque.get_bytes_jpeg(quality), mediaType: "image/jpeg" };
}

/** JPEG knows no transparency; what shows through is white, as on paper. */
function onWhite(photon: Photon, image: PhotonImage): PhotonImage {
  const pixels = image.get_raw_pixels();
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3] ?? 255;
    if (alpha === 255) continue;
    for (let channel = at; channel < at + 3; channel++) pixels[channel] = Math.round(((pixels[channel] ?? 0) * alpha + 255 * (255 - alpha)) / 255);
    pixels[at + 3] = 255;
  }
  return new photon.PhotonImage(pixels, image.get_width(), image.get_height());
}

function upright(photon: Photon, image: PhotonImage, orientation: Orientation): PhotonImage {
  if (orientation === 1) return image;
  const [width, height] = [image.get_width(), image.get_height()];
  const turned = turnedPixels(image.get_raw_pixels(), width, height, orientation);
  image.free();
  return orientation >= 5 ? new photon.PhotonImage(turned, height, width) : new photon.PhotonImage(turned, width, height);
}

/** Where each pixel of the upright picture comes from, by its EXIF number. Exported for its test. */
export function turnedPixels(pixels: Uint8Array, width: number, height: number, orientation: Orientation): Uint8Array {
  const from = new Uint32Array(pixels.buffer, pixels.byteOffset, width * height);
  const to = new Uint32Array(from.length);
  const [newWidth, newHeight] = orientation >= 5 ? [height, width] : [width, height];
  for (let y = 0; y < newHeight; y++) {
    for (let x = 0; x < newWidth; x++) to[y * newWidth + x] = from[sourceOf(x, y, { width, height, orientation })] ?? 0;
  }
  return new Uint8Array(to.buffer);
}

function sourceOf(
  x: number,
  y: number,
  { width, height, orientation }: { readonly width: number; readonly height: number; readonly orientation: Orientation },
): number {
  const at = (column: number, row: number) => row * width + column;
  switch (orientation) {
    case 1:
      return at(x, y);
    case 2:
      return at(width - 1 - x, y);
    case 3:
      return at(width - 1 - x, height - 1 - y);
    case 4:
      return at(x, height - 1 - y);
    case 5:
      return at(y, x);
    case 6:
      return at(y, height - 1 - x);
    case 7:
      return at(width - 1 - y, height - 1 - x);
    case 8:
      return at(width - 1 - y, x);
  }
}
