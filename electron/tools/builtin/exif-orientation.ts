// Which way up a photo was taken, from its EXIF block. Pure; anything broken counts as upright.

/** 1 upright; 2 to 8 as EXIF numbers them: mirrored, turned, or both. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

const ORIENTATION_TAG = 0x0112;
const ENTRY_BYTES = 12;
const TURNS: readonly Orientation[] = [1, 2, 3, 4, 5, 6, 7, 8];

/** Of a JPEG; other kinds of picture are upright. */
export function orientationOf(bytes: Uint8Array): Orientation {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const tiff = tiffOf(buffer);
    const found = tiff === undefined ? undefined : tagOf(tiff);
    return TURNS.find((turn) => turn === found) ?? 1;
  } catch (error) {
    if (error instanceof RangeError) return 1;
    throw error;
  }
}

/** The TIFF structure inside the first EXIF segment. */
function tiffOf(buffer: Buffer): Buffer | undefined {
  if (buffer.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; buffer.readUInt8(at) === 0xff; ) {
    const marker = buffer.readUInt8(at + 1);
    const length = buffer.readUInt16BE(at + 2);
    if (marker === 0xe1 && buffer.toString("latin1", at + 4, at + 10) === "Exif\0\0") return buffer.subarray(at + 10, at + 2 + length);
    if (marker === 0xda) return undefined;
    at += 2 + length;
  }
  return undefined;
}

function tagOf(tiff: Buffer): number | undefined {
  const little = tiff.toString("latin1", 0, 2) === "II";
  const u16 = (at: number) => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const first = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  const count = u16(first);
  for (let entry = 0; entry < count; entry++) {
    const at = first + 2 + entry * ENTRY_BYTES;
    if (u16(at) === ORIENTATION_TAG) return u16(at + 8);
  }
  return undefined;
}
