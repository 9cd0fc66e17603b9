// Pictures through read on real files (A13, T12): within the limits, scaled down to them, or refused with the next step.
import { PhotonImage } from "@silvia-odwyer/photon-node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openToolbox, type Toolbox } from "#electron/tools/testkit/toolbox.ts";
import { orientationOf } from "./exif-orientation.ts";
import { fileKindOf } from "./file-kind.ts";
import { imageSizeOf } from "./image-size.ts";
import { IMAGE_MAX_BASE64 } from "./read-picture.ts";
import { turnedPixels } from "./scale-picture.ts";

let box: Toolbox;
beforeEach(async () => {
  box = await openToolbox();
});
afterEach(() => box.close());
const read = (file_path: string) => box.run("read", { file_path });

/** A header only. */
function png(width: number, height: number, size = 64): Buffer {
  const bytes = Buffer.alloc(Math.max(size, 33));
  bytes.write("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 0, "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

/** A real picture whose colours run from left to right. */
async function pictureOf(kind: "png" | "jpeg" | "webp" | "gif", width: number, height: number): Promise<Buffer> {
  if (kind === "gif") return gif(width, height);
  const pixels = new Uint8Array(width * height * 4).map((_, index) => (index % 4 === 3 ? 255 : (index / width) & 255));
  const image = new PhotonImage(pixels, width, height);
  return Buffer.from({ png: () => image.get_bytes(), jpeg: () => image.get_bytes_jpeg(90), webp: () => image.get_bytes_webp() }[kind]());
}

/** A black GIF whose codes are never packed: a clear code before each pair of pixels keeps them three bits wide. */
function gif(width: number, height: number): Buffer {
  const codes = [...Array.from({ length: Math.ceil((width * height) / 2) }, () => [4, 0, 0]).flat(), 5];
  const bits = codes.map((code) => [code & 1, (code >> 1) & 1, (code >> 2) & 1]).flat();
  const packed = Buffer.alloc(Math.ceil(bits.length / 8));
  bits.forEach((bit, index) => void (packed[index >> 3] = (packed[index >> 3] ?? 0) | (bit << (index & 7))));
  const size = Buffer.from([width & 255, width >> 8, height & 255, height >> 8]);
  const parts: Buffer[] = [
    Buffer.from("GIF89a"),
    size,
    Buffer.from([0x81, 0, 0, ...Array.from({ length: 12 }, () => 0), 0x2c, 0, 0, 0, 0]),
    size,
    Buffer.from([0, 2]),
  ];
  for (let at = 0; at < packed.length; at += 255) parts.push(Buffer.from([Math.min(255, packed.length - at)]), packed.subarray(at, at + 255));
  return Buffer.concat([...parts, Buffer.from([0, 0x3b])]);
}

/** The JPEG with an EXIF block in front that says which way up it is. */
function withOrientation(jpeg: Buffer, orientation: number): Buffer {
  const tiff = Buffer.from("MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0", "latin1");
  tiff.writeUInt16BE(orientation, 18);
  const head = Buffer.from("\xff\xe1\0\0Exif\0\0", "latin1");
  head.writeUInt16BE(8 + tiff.length, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, tiff, jpeg.subarray(2)]);
}

describe("pictures (A13)", () => {
  it("within the limits become an image of the answer", async () => {
    await box.put("p.png", png(640, 480));
    const ran = await read("p.png");
    expect(ran.returned.ok && ran.returned.forModel).toEqual([
      { type: "text", text: "[p.png: image/png, 640 x 480 pixels]" },
      { type: "image", ref: "blob0", mediaType: "image/png" },
    ]);
    expect(box.blobs.get("blob0")).toEqual(png(640, 480));
  });

  it.each(["png", "jpeg", "webp", "gif"] as const)("a %s over the limits is scaled down, with both sizes told", async (kind) => {
    await box.put("wide", await pictureOf(kind, 8_100, 12));
    const ran = await read("wide");
    expect(ran.text).toMatch(/^\[wide: 8100 x 12 pixels, [\d.]+ (bytes|KB); scaled down and sent as image\/(png|jpeg), 2000 x 3 pixels, [\d.]+ (bytes|KB)\]/);
    const sent = box.blobs.get("blob0") ?? Buffer.alloc(0);
    expect(imageSizeOf(sent)).toEqual({ width: 2_000, height: 3 });
    expect(fileKindOf(sent)).toEqual({ kind: "image", mediaType: kind === "jpeg" ? "image/jpeg" : "image/png" });
  });

  it("a picture with too many bytes becomes a smaller file, and what shows through is white", async () => {
    const noise = new Uint8Array(1_200 * 1_000 * 4).map((_, index) => (index % 4 === 3 ? 0 : (index * 2_654_435_761) >>> 13));
    await box.put("noise.png", new PhotonImage(noise, 1_200, 1_000).get_bytes());
    const ran = await read("noise.png");
    expect(ran.text).toMatch(/sent as image\/jpeg, 1200 x 1000 pixels/);
    const sent = PhotonImage.new_from_byteslice(box.blobs.get("blob0") ?? new Uint8Array());
    expect([...sent.get_raw_pixels().subarray(0, 3)]).toEqual([255, 255, 255]);
  });

  it("a photo that is scaled down is turned upright first", async () => {
    await box.put("tall.jpg", withOrientation(await pictureOf("jpeg", 8_100, 12), 6));
    expect((await read("tall.jpg")).text).toMatch(/8100 x 12 pixels.*sent as image\/jpeg, 3 x 2000 pixels/);
  });

  it.each([
    ["a broken header", () => Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), /header is broken.*tell the person/],
    ["a header without a picture", () => png(9_600, 734), /could not be scaled down: the picture cannot be decoded.*tell the person/],
    ["a jpeg cut in the middle", async () => (await pictureOf("jpeg", 8_100, 120)).subarray(0, 4_000), /cannot be decoded/],
    ["more pixels than any memory should hold", () => png(60_000, 60_000), /60000 x 60000 pixels.*more than can be decoded.*Scale it down/],
  ])("%s: refused, with the next step", async (_, bytes, message) => {
    await box.put("p.png", await bytes());
    const ran = await read("p.png");
    expect([ran.returned.ok, box.blobs.size]).toEqual([false, 0]);
    expect(ran.text).toMatch(message);
  });

  it("what a scaler gives is measured before it is believed; a stop is no damage", async () => {
    const liar = await openToolbox({ scaleImage: async (picture) => picture });
    await liar.put("p.png", png(9_600, 100));
    expect((await liar.run("read", { file_path: "p.png" })).text).toMatch(/more than 8000 pixels on a side\. Scale it down/);
    await liar.close();
    const stopped = await openToolbox({
      scaleImage: async () => {
        stopped.scope.abort({ by: "person" });
        throw new Error("closed");
      },
    });
    await stopped.put("p.png", png(9_600, 100));
    expect((await stopped.run("read", { file_path: "p.png" })).returned).toMatchObject({ ok: false, failure: { kind: "aborted" } });
    await stopped.close();
  });

  it.each([
    [1, "abcdef"],
    [2, "badcfe"],
    [3, "fedcba"],
    [4, "efcdab"],
    [5, "acebdf"],
    [6, "ecafdb"],
    [7, "fdbeca"],
    [8, "bdface"],
  ] as const)("orientation %i of two by three pixels", (orientation, letters) => {
    const pixels = new Uint8Array([..."abcdef"].flatMap((letter) => [letter.charCodeAt(0), 0, 0, 0]));
    const turned = turnedPixels(pixels, 2, 3, orientation);
    expect(String.fromCharCode(...turned.filter((_, index) => index % 4 === 0))).toBe(letters);
  });

  it.each([
    ["big-endian", withOrientation(Buffer.from("\xff\xd8\xff\xd9", "latin1"), 8), 8],
    ["none", Buffer.from("\xff\xd8\xff\xda\0\x02", "latin1"), 1],
    ["a number that does not exist", withOrientation(Buffer.from("\xff\xd8\xff\xd9", "latin1"), 77), 1],
    ["cut", withOrientation(Buffer.from("\xff\xd8", "latin1"), 3).subarray(0, 20), 1],
    ["no jpeg", png(1, 1), 1],
  ])("EXIF: %s", (_, bytes, orientation) => {
    expect(orientationOf(bytes)).toBe(orientation);
  });

  it.each([
    ["png", png(3, 4), { width: 3, height: 4 }],
    ["gif", Buffer.from("GIF89a\x05\0\x06\0", "latin1"), { width: 5, height: 6 }],
    [
      "jpeg with a thumbnail before",
      Buffer.from("\xff\xd8\xff\xe1\0\x08\xff\xc0abcd\xff\xff\xc0\0\x11\x08\x01\0\x02\0\x03", "latin1"),
      { width: 512, height: 256 },
    ],
    ["webp lossy", Buffer.from(`RIFF\0\0\0\0WEBPVP8 ${"\0".repeat(10)}\x10\0\x20\0`, "latin1"), { width: 16, height: 32 }],
    ["webp lossless", Buffer.from("RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\x0f\xc0\x07\0", "latin1"), { width: 16, height: 32 }],
    ["webp extended", Buffer.from(`RIFF\0\0\0\0WEBPVP8X${"\0".repeat(8)}\x0f\0\0\x1f\0\0`, "latin1"), { width: 16, height: 32 }],
    ["a jpeg that ends early", Buffer.from("\xff\xd8\xff\xe1\xff\xff", "latin1"), undefined],
    ["nothing", Buffer.alloc(0), undefined],
  ])("size of %s", (_, bytes, size) => {
    expect(imageSizeOf(bytes)).toEqual(size);
  });

  it("the limit is on the encoded text", () => {
    expect(IMAGE_MAX_BASE64).toBe(3_932_160);
  });
});
