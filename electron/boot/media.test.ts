// Pictures and PDFs in the built worker thread: the same answers, one at a time, ended by a stop.
import { join } from "node:path";
import { PhotonImage } from "@silvia-odwyer/photon-node";
import { describe, expect, it } from "vitest";
import { createSystemClock } from "#electron/lib/clock.ts";
import { imageSizeOf } from "#electron/tools/builtin/image-size.ts";
import { createMedia } from "./media.ts";

/** Where `npm run build` puts them. */
const OUT = join(import.meta.dirname, "../../out");
const media = createMedia({ out: OUT, clock: createSystemClock() });
const limits = { maxSide: 100, maxBytes: 100_000 };
const signal = new AbortController().signal;
const picture = (width: number, height: number) => ({
  bytes: new PhotonImage(new Uint8Array(width * height * 4), width, height).get_bytes(),
  mediaType: "image/png",
});

describe("the built media worker", () => {
  it("scales pictures, several asked for at once", async () => {
    const scaled = await Promise.all([400, 800].map((width) => media.scaleImage(picture(width, 200), limits, signal)));
    expect(scaled.map((one) => imageSizeOf(one?.bytes ?? new Uint8Array()))).toEqual([
      { width: 100, height: 50 },
      { width: 100, height: 25 },
    ]);
  });

  it("decodes one after the other, whatever their size: two at once would take twice the memory", async () => {
    const ended: number[] = [];
    await Promise.all([2_500, 20].map(async (side) => void (await media.scaleImage(picture(side, side), limits, signal), ended.push(side))));
    expect(ended).toEqual([2_500, 20]);
  });

  it("says what is wrong with a damaged file, and goes on", async () => {
    await expect(media.scaleImage({ bytes: Buffer.from("\x89PNG\r\n\x1a\n broken", "latin1"), mediaType: "image/png" }, limits, signal)).rejects.toThrow(
      /^the picture cannot be decoded$/,
    );
    await expect(media.readPdf(Buffer.from("%PDF-1.4 broken"), 1, 1)).rejects.toThrow(/^Invalid PDF/);
    expect(await media.scaleImage(picture(200, 200), limits, signal)).toMatchObject({ mediaType: "image/png" });
  });

  it("a stop ends the thread, not what was asked for after it", async () => {
    const stop = new AbortController();
    const stopped = media.scaleImage(picture(3_000, 3_000), limits, stop.signal);
    const after = media.scaleImage(picture(200, 100), limits, signal);
    stop.abort();
    await expect(stopped).rejects.toThrow();
    expect(imageSizeOf((await after)?.bytes ?? new Uint8Array())).toEqual({ width: 100, height: 50 });
    await expect(media.scaleImage(picture(10, 10), limits, stop.signal)).rejects.toThrow(/abort/);
  });
});
