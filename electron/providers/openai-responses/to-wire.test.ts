import { describe, expect, it } from "vitest";
import type { Block, Message } from "#shared/chat/blocks.ts";
import { CallId } from "#shared/lib/ids.ts";
import type { ModelRequest } from "#electron/providers/contract.ts";
import { createConversation } from "#electron/providers/wire/conversation.ts";
import { requestFor } from "#electron/testkit/provider-run.ts";
import { violationsOf } from "#electron/testkit/server/validate-request.ts";
import { type ResponsesOptions, toResponses } from "./to-wire.ts";

const maker = { provider: "openai", model: "gpt-6.2-sol" };
const ALL: ResponsesOptions = { encrypted: true, summary: true, cacheKey: true };

function send(messages: readonly Message[], more: Partial<ModelRequest> = {}, options = ALL) {
  const request = requestFor("openai-responses", messages, more);
  const body = toResponses(
    request,
    createConversation()(messages, { maker, blobs: new Map([["pic", "QUJD"]]), images: true, withoutThinking: false, refused: () => false }),
    options,
  );
  expect(violationsOf("openai-responses", JSON.parse(JSON.stringify(body)))).toEqual([]);
  return body;
}

const user = (...blocks: readonly Block[]): Message => ({ role: "user", blocks });
const assistant = (...blocks: readonly Block[]): Message => ({ role: "assistant", blocks });
const text = (words: string): Block => ({ type: "text", text: words });
const call = (id: string, item?: string): Block => ({
  type: "tool_use",
  id: CallId.parse(id),
  name: "read",
  input: { file_path: id },
  ...(item === undefined ? {} : { item }),
});
const result = (id: string, isError = false): Block => ({ type: "tool_result", id: CallId.parse(id), content: [{ type: "text", text: "ok" }], isError });
const reasoning: Block = { type: "opaque", by: maker, data: { id: "rs_1", type: "reasoning", summary: [], encrypted_content: "ENC" } };

describe("requests to OpenAI Responses", () => {
  it("store nothing, ask for encrypted reasoning and name the cache", () => {
    const { input: _, tools, ...rest } = send([user(text("hello"))]);
    expect(rest).toEqual({
      model: "gpt-6.2-sol",
      stream: true,
      store: false,
      max_output_tokens: 1_000,
      instructions: "You are a test.",
      include: ["reasoning.encrypted_content"],
      reasoning: { summary: "auto" },
      prompt_cache_key: "session-1",
      parallel_tool_calls: true,
    });
    expect(tools).toMatchObject([
      { type: "function", name: "read", strict: true, parameters: { required: ["file_path", "offset"], additionalProperties: false } },
    ]);
  });

  it("send tools from outside without strict", () => {
    const { tools } = send([user(text("x"))], {
      tools: [{ name: "mcp", description: "d", schema: { type: "object", properties: { a: { type: "string" } } }, strictAllowed: false }],
    });
    expect(tools).toEqual([
      { type: "function", name: "mcp", description: "d", parameters: { type: "object", properties: { a: { type: "string" } } }, strict: false },
    ]);
  });

  it("give reasoning back in its place, with calls under their own item ids", () => {
    expect(send([user(text("go")), assistant(reasoning, text("look"), call("c1", "fc_1")), user(result("c1"), text("and?"))]).input).toEqual([
      { type: "message", role: "user", content: [{ type: "input_text", text: "go" }] },
      { id: "rs_1", type: "reasoning", summary: [], encrypted_content: "ENC" },
      { type: "message", role: "assistant", content: "look" },
      { type: "function_call", call_id: "c1", name: "read", arguments: '{"file_path":"c1"}', id: "fc_1" },
      { type: "function_call_output", call_id: "c1", output: "ok" },
      { type: "message", role: "user", content: [{ type: "input_text", text: "and?" }] },
    ]);
  });

  it("drop the item id together with the foreign reasoning it belonged to", () => {
    const foreign: Block = { ...reasoning, by: { provider: "openai", model: "other" } };
    const { input } = send([user(text("go")), assistant(foreign, call("c1", "fc_1")), user(result("c1"))]);
    expect(JSON.stringify(input)).not.toMatch(/fc_1|ENC/);
  });

  it("leave out reasoning that led to nothing", () => {
    expect(JSON.stringify(send([user(text("go")), assistant(text("a"), reasoning), user(text("on"))]).input)).not.toContain("ENC");
  });

  it("tell an error in words, and send pictures of a result as parts", () => {
    const picture: Block = {
      type: "tool_result",
      id: CallId.parse("c2"),
      content: [
        { type: "text", text: "see" },
        { type: "image", ref: "pic", mediaType: "image/png" },
      ],
      isError: false,
    };
    const { input } = send([user(text("go")), assistant(call("c1"), call("c2")), user(result("c1", true), picture)]);
    expect(input).toContainEqual({ type: "function_call_output", call_id: "c1", output: "[error]\nok" });
    expect(input).toContainEqual({
      type: "function_call_output",
      call_id: "c2",
      output: [
        { type: "input_text", text: "see" },
        { type: "input_image", detail: "auto", image_url: "data:image/png;base64,QUJD" },
      ],
    });
  });

  it("say again which words were commentary", () => {
    const phase: Block = { type: "opaque", by: maker, data: { type: "phase", phase: "commentary" } };
    expect(send([user(text("go")), assistant(text("hm"), phase, call("c1")), user(result("c1"))]).input).toContainEqual({
      type: "message",
      role: "assistant",
      content: "hm",
      phase: "commentary",
    });
  });

  it("leave out what a server has refused", () => {
    const body = send([user(text("x"))], { cacheKey: "k" }, { encrypted: false, summary: false, cacheKey: false });
    for (const field of ["include", "reasoning", "prompt_cache_key"]) expect(body).not.toHaveProperty(field);
  });

  it("keep to the protocol's limits", () => {
    expect(send([user(text("x"))], { maxTokens: 1, cacheKey: "k".repeat(100) })).toMatchObject({ max_output_tokens: 16, prompt_cache_key: "k".repeat(64) });
  });
});
