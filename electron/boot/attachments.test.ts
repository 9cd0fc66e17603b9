// What goes along with a message, on the disk (U8): pictures within limits, texts whole, the session's own once sent, forgotten when old.
import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSystemClock } from "#electron/lib/clock.ts";
import { createAttachments } from "./attachments.ts";
import { createFileFinder } from "./find-files.ts";

let dir = "";
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "attachments-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));
const clock = createSystemClock();

/** Only its header counts here. */
function png(width: number, height: number): Uint8Array {
  const head = Buffer.alloc(33);
  Buffer.from("89504e470d0a1a0a0000000d49484452", "hex").copy(head);
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return Buffer.concat([head, deflateSync(Buffer.alloc(100))]);
}
const scaledTo = { bytes: new Uint8Array([9]), mediaType: "image/png" };
const made = (scaled: unknown[] = []) => createAttachments({ dataDir: dir, clock, scaleImage: async (picture) => (scaled.push(picture), scaledTo) });

describe("attachments", () => {
  it("keep a picture as it is when it fits, scale it when not, and refuse what is none or too big", async () => {
    const scaled: unknown[] = [];
    const attachments = made(scaled);
    const put = (bytes: Uint8Array) => attachments.put({ bytes, mediaType: "image/png", name: "p.png" });
    const small = await put(png(10, 10));
    expect([small.ok && small.value.kind, scaled.length]).toEqual(["picture", 0]);
    const large = await put(png(5000, 10));
    expect([large.ok && large.value.bytes, scaled.length]).toEqual([1, 1]);
    const bad = await Promise.all([put(new Uint8Array([1, 2, 3])), put(png(60_000, 60_000)), put(new Uint8Array(21 * 1024 * 1024))]);
    expect(bad.map((one) => !one.ok && one.error.kind)).toEqual(["not_a_picture", "too_big", "too_big"]);
  });

  it("become the session's own when they are sent; a picture that is gone is said", async () => {
    const attachments = made();
    const kept = await attachments.put({ bytes: png(10, 10), mediaType: "image/png", name: "p.png" });
    if (!kept.ok) throw new Error(kept.error.message);
    const { ref } = kept.value;
    const session = join(dir, "sessions", "s");
    expect(await attachments.adopt([{ type: "image", ref, mediaType: "image/png" }], session)).toEqual({ ok: true, value: null });
    expect(await attachments.ofSession(session, ref)).toBe(Buffer.from(png(10, 10)).toString("base64"));
    const gone = await attachments.adopt([{ type: "image", ref: "0".repeat(64), mediaType: "image/png" }], session);
    expect(gone).toMatchObject({ ok: false, error: { kind: "gone" } });
    expect([await attachments.ofSession(session, "../../log.jsonl"), await attachments.get("../x")]).toEqual([undefined, undefined]);
  });

  it("are kept while a composer has them, and forgotten after weeks", async () => {
    const attachments = made();
    const text = await attachments.put({ bytes: new TextEncoder().encode("long words"), mediaType: "text/plain", name: "Pasted text" });
    if (!text.ok) throw new Error(text.error.message);
    const old = new Date(Date.now() - 40 * 24 * 60 * 60 * 1_000);
    const stale = join(dir, "attachments", "f".repeat(64));
    await writeFile(stale, "x");
    await Promise.all([stale, join(dir, "attachments", text.value.ref)].map((file) => utimes(file, old, old)));
    await attachments.touch([text.value.ref]);
    expect(await readdir(join(dir, "attachments"))).toEqual([text.value.ref]);
    expect(await attachments.get(text.value.ref)).toBe(Buffer.from("long words").toString("base64"));
  });
});

describe("finding files", () => {
  it("heeds ignore files, and is quick with very many", async () => {
    await writeFile(join(dir, ".ignore"), "hidden.txt\n");
    for (const name of ["hidden.txt", "shown.txt", "other.md"]) await writeFile(join(dir, name), "x");
    const finder = createFileFinder({ clock });
    const found = await finder.find(dir, "txt", new AbortController().signal);
    expect([found.paths, found.total]).toEqual([["shown.txt"], 3]);
    expect((await finder.find(join(dir, "nowhere"), "a", new AbortController().signal)).paths).toEqual([]);
  });
});
