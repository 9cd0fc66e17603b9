import fc from "fast-check";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { wellFormed } from "#shared/lib/text.ts";
import { createArtefactStore } from "./artefacts.ts";
import { limitResult, limitText } from "./result-limit.ts";

let dir = "";
beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), "artefacts-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describe("limitText", () => {
  it("leaves a text that fits as it is", () => {
    expect(limitText("abc", 3, undefined)).toEqual({ text: "abc", cut: false });
  });

  it("keeps 70 % and 30 %, and says how much is left out, where the whole is and how to read on", () => {
    const whole = `${"a".repeat(70)}${"\nmid".repeat(25)}${"z".repeat(30)}`;
    expect(limitText(whole, 100, "/s/out.txt")).toEqual({
      cut: true,
      text: `${"a".repeat(70)}\n\n[… 100 of 200 characters (about 26 lines) left out here. The whole result is stored at /s/out.txt. Read on with read {"file_path": "/s/out.txt", "offset": 1} or search it with grep. …]\n\n${"z".repeat(30)}`,
    });
  });

  it("names the line to read on from", () => {
    expect(limitText("line\n".repeat(100), 50, "/s/o").text).toContain('"offset": 8');
  });

  it("says so when the whole could not be stored", () => {
    expect(limitText("x".repeat(200), 100, undefined).text).toContain("could not be stored");
  });

  it("never cuts a character in half, at any limit (A15)", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 60 }), fc.integer({ min: 1, max: 60 }), (text, max) => {
        const limited = limitText(text, max, undefined).text;
        expect(limited).toBe(wellFormed(limited));
      }),
    );
    expect(limitText(`${"x".repeat(69)}😀${"t".repeat(80)}`, 100, undefined).text.startsWith(`${"x".repeat(69)}\n\n[`)).toBe(true);
  });
});

describe("limitResult", () => {
  it("stores the whole and keeps images", async () => {
    const store = createArtefactStore(path.join(dir, "new"));
    const image = { type: "image", ref: "r", mediaType: "image/png" } as const;
    const {
      content: [text, kept],
      cut,
    } = await limitResult([{ type: "text", text: "a".repeat(90) }, image, { type: "text", text: "b".repeat(90) }], 100, "call_1", store);
    expect([kept, cut]).toEqual([image, true]);
    const file = path.join(dir, "new", "call_1.txt");
    expect(text?.type === "text" && text.text.includes(file)).toBe(true);
    expect(await readFile(file, "utf8")).toBe(`${"a".repeat(90)}\n${"b".repeat(90)}`);
  });

  it("never limits a tool that limits itself, but makes its text sendable", async () => {
    const store = createArtefactStore(dir);
    expect(await limitResult([{ type: "text", text: `${"x".repeat(100_000)}\ud83d` }], undefined, "c", store)).toEqual({
      content: [{ type: "text", text: `${"x".repeat(100_000)}\ufffd` }],
      cut: false,
    });
  });

  it("still answers when nothing can be stored", async () => {
    await writeFile(path.join(dir, "file"), "");
    const {
      content: [text],
    } = await limitResult([{ type: "text", text: "a".repeat(200) }], 100, "c", createArtefactStore(path.join(dir, "file", "below")));
    expect(text?.type === "text" && text.text.includes("could not be stored")).toBe(true);
  });
});

describe("artefact store", () => {
  it("never overwrites and never leaves its folder", async () => {
    const store = createArtefactStore(dir);
    const files = [await store.put("../../etc/x", "1"), await store.put("../../etc/x", "2"), await store.put("", "3")];
    expect(files.map((file) => path.relative(dir, file))).toEqual(["-etc-x.txt", "-etc-x-2.txt", "result.txt"]);
    expect(await Promise.all(files.map((file) => readFile(file, "utf8")))).toEqual(["1", "2", "3"]);
  });
});
