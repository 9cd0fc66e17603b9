import { describe, expect, it } from "vitest";
import type { Block, Message } from "#shared/chat/blocks.ts";
import { CallId } from "#shared/lib/ids.ts";
import type { ModelRequest } from "#electron/providers/contract.ts";
import { createConversation } from "#electron/providers/wire/conversation.ts";
import { READ_TOOL, requestFor } from "#electron/testkit/provider-run.ts";
import { violationsOf } from "#electron/testkit/server/validate-request.ts";
import { type AnthropicOptions, toAnthropic } from "./to-wire.ts";

const maker = { provider: "anthropic", model: "claude-sonnet-5-5" };
const blobs = new Map([
  ["pic", "QUJD"],
  ["txt", Buffer.from("hello").toString("base64")],
]);
const PLAIN: AnthropicOptions = { adaptiveThinking: false, official: false };

function send(messages: readonly Message[], more: Partial<ModelRequest> = {}, options = PLAIN) {
  const request = requestFor("anthropic", messages, more);
  const body = toAnthropic(request, createConversation()(messages, { maker, blobs, images: true, withoutThinking: false, refused: () => false }), options);
  expect(violationsOf("anthropic", JSON.parse(JSON.stringify(body)))).toEqual([]);
  return body;
}

const user = (...blocks: readonly Block[]): Message => ({ role: "user", blocks });
const assistant = (...blocks: readonly Block[]): Message => ({ role: "assistant", blocks });
const text = (words: string): Block => ({ type: "text", text: words });
const call = (id: string): Block => ({ type: "tool_use", id: CallId.parse(id), name: "read", input: { file_path: id } });
const result = (id: string, words = "ok", isError = false): Block => ({
  type: "tool_result",
  id: CallId.parse(id),
  content: [{ type: "text", text: words }],
  isError,
});
const MARK = { cache_control: { type: "ephemeral" } };

describe("requests to Anthropic", () => {
  it("have the shape of Messages, with marks at the ends of tools, system and the last message", () => {
    expect(send([user(text("hello"))], { system: ["One.", " ", "Two."] })).toEqual({
      model: "claude-sonnet-5-5",
      max_tokens: 1_000,
      stream: true,
      system: [
        { type: "text", text: "One." },
        { type: "text", text: "Two.", ...MARK },
      ],
      tools: [{ name: "read", description: "Reads a file.", input_schema: READ_TOOL.schema, ...MARK }],
      messages: [{ role: "user", content: [{ type: "text", text: "hello", ...MARK }] }],
    });
  });

  it("mark at most four places, and the end of the request before as well", () => {
    const body = send([user(text("a")), assistant(call("1")), user(result("1")), assistant(call("2")), user(result("2"))]);
    const marks = JSON.stringify(body).split('"cache_control"').length - 1;
    expect(marks).toBe(4);
    expect(body.messages.map((message) => JSON.stringify(message).includes("cache_control"))).toEqual([false, false, true, false, true]);
  });

  it("keep their start byte for byte while the conversation grows (A17)", () => {
    const first = [user(text("a")), assistant(call("1")), user(result("1"))];
    const unmarked = (body: object) => JSON.stringify(body).replaceAll(`,${JSON.stringify(MARK).slice(1, -1)}`, "");
    const before = unmarked(send(first));
    const after = unmarked(send([...first, assistant(text("done")), user(text("more"))]));
    expect(after.startsWith(before.slice(0, -2))).toBe(true);
  });

  it("give back own thinking as it came, but none without a signature", () => {
    const own: readonly Block[] = [
      { type: "thinking", text: "plan…", signature: "SIG1", by: maker },
      text("hi"),
      call("A"),
      { type: "thinking", text: "", signature: "SIG2", by: maker },
      { type: "opaque", data: "ENC", by: maker },
      { type: "thinking", text: "unsigned", by: maker },
      call("B"),
    ];
    const body = send([user(text("go")), assistant(...own), user(result("A", "failed", true), result("B", "cancelled", true))]);
    expect(body.messages[1]?.content).toEqual([
      { type: "thinking", thinking: "plan…", signature: "SIG1" },
      { type: "text", text: "hi" },
      { type: "tool_use", id: "A", name: "read", input: { file_path: "A" } },
      { type: "thinking", thinking: "", signature: "SIG2" },
      { type: "redacted_thinking", data: "ENC" },
      { type: "tool_use", id: "B", name: "read", input: { file_path: "B" } },
    ]);
    expect(body.messages[2]?.content).toMatchObject([
      { type: "tool_result", tool_use_id: "A", is_error: true },
      { type: "tool_result", tool_use_id: "B", is_error: true },
    ]);
  });

  it("ask for readable thinking where the model has it, and only the vendor's server to drop what it cannot check", () => {
    const thinking = { type: "adaptive", display: "summarized" };
    expect(send([user(text("a"))], {}, { adaptiveThinking: true, official: false }).thinking).toEqual(thinking);
    expect(send([user(text("a"))], {}, { adaptiveThinking: true, official: true }).thinking).toEqual({
      ...thinking,
      block_binding: { prefix_mismatch_behavior: "drop_block" },
    });
    expect(send([user(text("a"))])).not.toHaveProperty("thinking");
  });

  it("carry pictures and documents", () => {
    const body = send([
      user(
        { type: "image", ref: "pic", mediaType: "image/png" },
        { type: "document", ref: "pic", mediaType: "application/pdf", name: "a.pdf" },
        { type: "document", ref: "txt", mediaType: "text/plain", name: "a.txt" },
      ),
    ]);
    expect(body.messages[0]?.content).toEqual([
      { type: "image", source: { type: "base64", media_type: "image/png", data: "QUJD" } },
      { type: "document", source: { type: "base64", media_type: "application/pdf", data: "QUJD" }, title: "a.pdf" },
      { type: "document", source: { type: "text", media_type: "text/plain", data: "hello" }, title: "a.txt", ...MARK },
    ]);
  });

  it("make ids of other providers fit, the same for call and result", () => {
    const body = send([user(text("go")), assistant(call("functions.read:0")), user(result("functions.read:0"))]);
    const ids = JSON.stringify(body).match(/functions_read_0_[a-z0-9]+/g);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  it("leave out empty system and tools", () => {
    const body = send([user(text("a"))], { system: [], tools: [] });
    expect(body).not.toHaveProperty("system");
    expect(body).not.toHaveProperty("tools");
  });
});
