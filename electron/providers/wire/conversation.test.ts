import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Block, Message } from "#shared/chat/blocks.ts";
import { CallId } from "#shared/lib/ids.ts";
import { isBlank, wellFormed } from "#shared/lib/text.ts";
import { type Reader, blobRefs, createConversation } from "./conversation.ts";

const by = { provider: "anthropic", model: "m" };
const reader: Reader = { maker: by, blobs: new Map([["pic", "QUJD"]]), images: true, withoutThinking: false, refused: () => false };
const id = CallId.parse("c1");

const user = (...blocks: readonly Block[]): Message => ({ role: "user", blocks });
const assistant = (...blocks: readonly Block[]): Message => ({ role: "assistant", blocks });
const text = (words: string): Block => ({ type: "text", text: words });
const result = (content: Extract<Block, { type: "tool_result" }>["content"], isError = false): Block => ({ type: "tool_result", id, content, isError });

const blocksOf = (messages: readonly Message[], more: Partial<Reader> = {}) =>
  createConversation()(messages, { ...reader, ...more }).map((message) => message.blocks);

describe("a history made ready to send", () => {
  it("never holds a blank text, and joins what stood around a message that becomes empty (A04)", () => {
    expect(createConversation()([user(text("hi")), assistant(text("")), user(text("continue"))], reader)).toEqual([
      { role: "user", blocks: [text("hi"), text("continue")], foreign: false },
    ]);
    expect(blocksOf([user(text("   "), { type: "image", ref: "pic", mediaType: "image/png" })])).toEqual([
      [{ type: "image", mediaType: "image/png", data: "QUJD" }],
    ]);
  });

  it("sends a stand-in for an empty result", () => {
    expect(blocksOf([user(result([]))])).toEqual([[{ type: "tool_result", id, parts: [{ type: "text", text: "(no output)" }], isError: false }]]);
    expect(blocksOf([user(result([{ type: "text", text: " \n" }], true))])).toEqual([
      [{ type: "tool_result", id, parts: [{ type: "text", text: "(no output)" }], isError: true }],
    ]);
  });

  it("puts results before everything else", () => {
    expect(blocksOf([user(text("new"), result([{ type: "text", text: "r" }]))])[0]?.map((block) => block.type)).toEqual(["tool_result", "text"]);
  });

  it("keeps the model's own thinking untouched and in its place, and drops all other (A09, A10)", () => {
    const own: Block = { type: "thinking", text: "plan…", signature: "S", by };
    const opaque: Block = { type: "opaque", by, data: "enc" };
    const foreign: Block = { type: "thinking", text: "x", signature: "S2", by: { provider: "anthropic", model: "other" } };
    const partial: Block = { type: "thinking", text: "half", by, partial: true };
    expect(createConversation()([assistant(own, text("a"), opaque, foreign, partial)], reader)).toEqual([
      { role: "assistant", blocks: [own, text("a"), opaque], foreign: true },
    ]);
    expect(blocksOf([assistant(own, text("a"), opaque)], { withoutThinking: true })).toEqual([[text("a")]]);
  });

  it("replaces lone halves of characters everywhere (A15)", () => {
    const call: Block = { type: "tool_use", id, name: "t", input: { "k\ud83d": ["\ude00", { deep: "ok😀" }] } };
    expect(blocksOf([user(text("a\ud83d"), result([{ type: "text", text: "\ude00b" }])), assistant(call)])).toEqual([
      [{ type: "tool_result", id, parts: [{ type: "text", text: "\ufffdb" }], isError: false }, text("a\ufffd")],
      [{ ...call, input: { "k\ufffd": ["\ufffd", { deep: "ok😀" }] } }],
    ]);
  });

  it("never sends broken arguments back (L25)", () => {
    const call: Block = { type: "tool_use", id, name: "t", input: { half: 1 }, invalid: { raw: '{"half":1', why: "not_json" } };
    expect(blocksOf([assistant(call)])).toEqual([[{ ...call, input: {} }]]);
  });

  it("says in words what became of a picture or document that is gone", () => {
    const gone = user({ type: "image", ref: "nope", mediaType: "image/png" }, { type: "document", ref: "nope", mediaType: "application/pdf", name: "a.pdf" });
    expect(blocksOf([gone])).toEqual([[text("[an image (image/png) is no longer available]"), text("[the document a.pdf is no longer available]")]]);
    expect(blocksOf([user({ type: "image", ref: "pic", mediaType: "image/png" })], { images: false })).toEqual([
      [text("[an image (image/png) was left out: this model cannot see images]")],
    ]);
  });

  it("names every blob once", () => {
    const image: Block = { type: "image", ref: "a", mediaType: "image/png" };
    expect(
      blobRefs([
        user(image, image, result([{ type: "image", ref: "b", mediaType: "image/png" }])),
        user({ type: "document", ref: "c", mediaType: "text/plain", name: "n" }),
      ]),
    ).toEqual(["a", "b", "c"]);
  });

  it("is well-formed, alternating and without blanks for any texts", () => {
    const anyText = fc.string({ unit: "binary", maxLength: 8 }).map((words) => text(words));
    const anyMessage = fc.record({ role: fc.constantFrom("user" as const, "assistant" as const), blocks: fc.array(anyText, { maxLength: 3 }) });
    fc.assert(
      fc.property(fc.array(anyMessage, { maxLength: 8 }), (messages) => {
        const sent = createConversation()(messages, reader);
        expect(sent.every((message, k) => message.role !== sent[k + 1]?.role)).toBe(true);
        for (const block of sent.flatMap((message) => message.blocks))
          expect(block.type === "text" && !isBlank(block.text) && wellFormed(block.text) === block.text).toBe(true);
      }),
    );
  });

  it("is the same however often it was made before: another reader, a blob that went, a message that changed", () => {
    const image: Block = { type: "image", ref: "pic", mediaType: "image/png" };
    const thinking = ["m", "n"].map((model): Block => ({ type: "thinking", text: "hm", signature: "S", by: { provider: "p", model } }));
    const pool: readonly Message[] = [
      user(text("a"), result([{ type: "text", text: "x" }])),
      user(image),
      user(text(" ")),
      user(result([{ type: "image", ref: "b", mediaType: "image/png" }])),
      assistant(text("b"), ...thinking),
      assistant(...thinking),
    ];
    const step = fc.record({
      pick: fc.array(fc.nat(pool.length - 1), { maxLength: 8 }),
      model: fc.constantFrom("m", "n"),
      images: fc.boolean(),
      gone: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const kept = createConversation();
        for (const { pick, model, images, gone } of steps) {
          const messages = pick.flatMap((n) => pool[n] ?? []);
          const as: Reader = { ...reader, images, maker: { provider: "p", model }, blobs: gone ? new Map() : reader.blobs };
          expect(kept(messages, as)).toEqual(createConversation()(messages, as));
        }
      }),
    );
  });
});
