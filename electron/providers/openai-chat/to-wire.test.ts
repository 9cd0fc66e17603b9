import { describe, expect, it } from "vitest";
import type { Block, Message } from "#shared/chat/blocks.ts";
import { CallId } from "#shared/lib/ids.ts";
import { createConversation } from "#electron/providers/wire/conversation.ts";
import { READ_TOOL, requestFor } from "#electron/testkit/provider-run.ts";
import { violationsOf } from "#electron/testkit/server/validate-request.ts";
import { PROFILES, profileFor } from "./profiles.ts";
import { toChat } from "./to-wire.ts";

const maker = { provider: "openai-chat", model: "local-model" };

function send(messages: readonly Message[], profile: string) {
  const request = requestFor("openai-chat", messages);
  const body = toChat(
    request,
    createConversation()(messages, { maker, blobs: new Map([["pic", "QUJD"]]), images: true, withoutThinking: false, refused: () => false }),
    profileFor("", profile),
  );
  expect(violationsOf("openai-chat", JSON.parse(JSON.stringify(body)))).toEqual([]);
  return body;
}

const user = (...blocks: readonly Block[]): Message => ({ role: "user", blocks });
const assistant = (...blocks: readonly Block[]): Message => ({ role: "assistant", blocks });
const text = (words: string): Block => ({ type: "text", text: words });
const thought: Block = { type: "thinking", text: "r", by: maker };
const call: Block = { type: "tool_use", id: CallId.parse("c1"), name: "read", input: { file_path: "a" } };
const result: Block = { type: "tool_result", id: CallId.parse("c1"), content: [{ type: "text", text: "ok" }], isError: false };

describe("requests to Chat Completions", () => {
  it("have plain strings, a tool message for each result and a usage chunk", () => {
    expect(send([user(text("go")), assistant(text("look"), call), user(result, text("and?"))], "generic")).toEqual({
      model: "local-model",
      stream: true,
      max_tokens: 1_000,
      stream_options: { include_usage: true },
      tools: [{ type: "function", function: { name: "read", description: "Reads a file.", parameters: READ_TOOL.schema } }],
      messages: [
        { role: "system", content: "You are a test." },
        { role: "user", content: "go" },
        { role: "assistant", content: "look", tool_calls: [{ id: "c1", type: "function", function: { name: "read", arguments: '{"file_path":"a"}' } }] },
        { role: "tool", tool_call_id: "c1", content: "ok" },
        { role: "user", content: "and?" },
      ],
    });
  });

  it("speak to each vendor in its own way", () => {
    expect(send([user(text("x"))], "openai")).toMatchObject({
      max_completion_tokens: 1_000,
      prompt_cache_key: "session-1",
      messages: [{ role: "developer" }, { role: "user" }],
    });
    expect(send([user(text("x"))], "deepseek")).not.toHaveProperty("prompt_cache_key");
  });

  it("echo reasoning only where the profile wants it, and only with calls (A12)", () => {
    const history = [user(text("go")), assistant(thought, call), user(result)];
    expect(send(history, "deepseek").messages[2]).toMatchObject({ reasoning_content: "r", content: null });
    expect(send(history, "moonshot").messages[2]).toMatchObject({ reasoning_content: "r" });
    expect(send(history, "openai").messages[2]).not.toHaveProperty("reasoning_content");
    expect(send(history, "generic").messages[2]).not.toHaveProperty("reasoning_content");
    expect(send([user(text("go")), assistant(thought, text("done")), user(text("more"))], "deepseek").messages[2]).not.toHaveProperty("reasoning_content");
  });

  it("give signed reasoning back to gateways", () => {
    const details: Block = { type: "opaque", by: maker, data: { reasoning_details: [{ type: "reasoning.encrypted", data: "E" }] } };
    const history = [user(text("go")), assistant(details, call), user(result)];
    expect(send(history, "openrouter").messages[2]).toMatchObject({ reasoning_details: [{ type: "reasoning.encrypted", data: "E" }] });
    expect(send(history, "generic").messages[2]).not.toHaveProperty("reasoning_details");
  });

  it("carry pictures of results in the message after them", () => {
    const picture: Block = { type: "tool_result", id: CallId.parse("c1"), content: [{ type: "image", ref: "pic", mediaType: "image/png" }], isError: true };
    expect(send([user(text("go")), assistant(call), user(picture)], "generic").messages.slice(-2)).toEqual([
      { role: "tool", tool_call_id: "c1", content: "[error]\n[image below]" },
      { role: "user", content: [{ type: "image_url", image_url: { url: "data:image/png;base64,QUJD" } }] },
    ]);
  });
});

describe("vendor profiles", () => {
  it.each([
    ["api.openai.com", "openai"],
    ["x.openai.azure.com", "openai"],
    ["api.deepseek.com", "deepseek"],
    ["api.moonshot.cn", "moonshot"],
    ["dashscope-intl.aliyuncs.com", "qwen"],
    ["openrouter.ai", "openrouter"],
    ["127.0.0.1:11434", "ollama"],
    ["localhost:1234", "lmstudio"],
    ["openrouter.ai:443", "openrouter"],
    ["my-gateway.example", "generic"],
    ["notdeepseek.com", "generic"],
    ["deepseek.com.evil.example", "generic"],
  ])("%s speaks like %s", (host, name) => {
    expect(profileFor(host).name).toBe(name);
  });

  it("can be named, and have one each", () => {
    expect(profileFor("127.0.0.1:5000", "deepseek").name).toBe("deepseek");
    expect(profileFor("api.openai.com", "unknown-name").name).toBe("generic");
    expect(new Set(PROFILES.map((profile) => profile.name)).size).toBe(PROFILES.length);
  });
});
