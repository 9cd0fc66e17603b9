// Width and height of a picture from its header, without decoding it (A13). Pure; broken headers give undefined.

export type ImageSize = { readonly width: number; readonly height: number };

/** PNG, JPEG, GIF and WebP. */
export function imageSizeOf(bytes: Uint8Array): ImageSize | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const kind = buffer.toString("latin1", 0, 16);
    if (kind.startsWith("\x89PNG")) return { width: buffer.readUInt32BE(16), height: buffer.readUInt32BE(20) };
    if (kind.startsWith("GIF8")) return { width: buffer.readUInt16LE(6), height: buffer.readUInt16LE(8) };
    if (kind.startsWith("\xff\xd8")) return jpegSize(buffer);
    return kind.startsWith("WEBP", 8) ? webpSize(buffer, kind.slice(12, 16)) : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Walks the segments to the frame header; thumbnails sit inside application segments and are stepped over whole. */
function jpegSize(buffer: Buffer): ImageSize | undefined {
  for (let at = 2; at + 9 < buffer.length; ) {
    if (buffer.readUInt8(at) !== 0xff) return undefined;
    const marker = buffer.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { height: buffer.readUInt16BE(at + 5), width: buffer.readUInt16BE(at + 7) };
    at += marker === 0xff ? 1 : 2 + buffer.readUInt16BE(at + 2);
  }
  return undefined;
}

function webpSize(buffer: Buffer, chunk: string): ImageSize | undefined {
  if (chunk === "VP8X") return { width: 1 + buffer.readUIntLE(24, 3), height: 1 + buffer.readUIntLE(27, 3) };
  if (chunk === "VP8 ") return { width: buffer.readUInt16LE(26) & 0x3fff, height: buffer.readUInt16LE(28) & 0x3fff };
  if (chunk !== "VP8L") return undefined;
  const bits = buffer.readUInt32LE(21);
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
}
