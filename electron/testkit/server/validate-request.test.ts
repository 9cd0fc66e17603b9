import { describe, expect, it } from "vitest";
import { assertValidRequest, violationsOf } from "./validate-request.ts";

// Each case plants one fault in a good request; a checker that stays silent is no checker.
const tool = { name: "read", description: "d", input_schema: { type: "object", properties: {} } };
const use = (id: string, name = "read") => ({ type: "tool_use", id, name, input: {} });
const answer = (id: string, content: unknown = "ok") => ({ type: "tool_result", tool_use_id: id, content });
const say = (text: string) => ({ type: "text", text });

const anthropic = (messages: readonly object[], more: object = {}) => ({ model: "m", max_tokens: 10, stream: true, tools: [tool], messages, ...more });
const turn = (...content: readonly object[]) => ({ role: "user", content });
const reply = (...content: readonly object[]) => ({ role: "assistant", content });
const GOOD = [turn(say("go")), reply(say("look"), use("a"), use("b")), turn(answer("a"), answer("b"), say("and?"))];

describe("the checker of Anthropic requests", () => {
  it("takes a good request", () => {
    expect(violationsOf("anthropic", anthropic(GOOD))).toEqual([]);
  });

  it.each<[string, object, RegExp]>([
    ["a call without an answer", anthropic([turn(say("go")), reply(use("a"), use("b")), turn(answer("a"))]), /call b is not answered/],
    ["an answer without a call", anthropic([turn(say("go")), reply(say("x")), turn(answer("z"))]), /result z answers no call/],
    ["two answers to one call", anthropic([turn(say("go")), reply(use("a")), turn(answer("a"), answer("a"))]), /a is answered twice/],
    ["a repeated id", anthropic([turn(say("go")), reply(use("a")), turn(answer("a")), reply(use("a")), turn(answer("a"))]), /call id a is used twice/],
    ["an empty id", anthropic([turn(say("go")), reply(use("")), turn(answer(""))]), /a call id is empty/],
    ["a blank text", anthropic([turn(say(" \n"))]), /is blank/],
    ["a blank text in a result", anthropic([turn(say("go")), reply(use("a")), turn(answer("a", [say("")]))]), /is blank/],
    ["two user messages in a row", anthropic([turn(say("a")), turn(say("b"))]), /same role/],
    ["an end with the assistant", anthropic([turn(say("a")), reply(say("b"))]), /ends with an assistant/],
    ["a beginning with the assistant", anthropic([reply(say("a")), turn(say("b"))]), /first message/],
    ["results after text", anthropic([turn(say("go")), reply(use("a")), turn(say("x"), answer("a"))]), /results are not first/],
    ["a name that is not allowed", anthropic([turn(say("go")), reply(use("a", "my tool!")), turn(answer("a"))]), /call name "my tool!"/],
    ["half a character", anthropic([turn(say("a\ud83d"))]), /lone surrogate/],
    ["five marks", anthropic([turn(...[1, 2, 3, 4, 5].map((k) => ({ ...say(`t${k}`), cache_control: { type: "ephemeral" } })))]), /5 cache marks/],
    [
      "a mark on thinking",
      anthropic([turn(say("a")), reply({ type: "thinking", thinking: "t", signature: "S", cache_control: {} }, say("b")), turn(say("c"))]),
      /mark sits on thinking/,
    ],
    ["thinking without a signature", anthropic([turn(say("a")), reply({ type: "thinking", thinking: "t" }, say("b")), turn(say("c"))]), /without a signature/],
    ["a picture of a strange type", anthropic([turn({ type: "image", source: { type: "base64", media_type: "image/tiff", data: "A" } })]), /image\/tiff/],
    [
      "a picture that is too big",
      anthropic([turn({ type: "image", source: { type: "base64", media_type: "image/png", data: "A".repeat(6_000_000) } })]),
      /6000000 bytes/,
    ],
    ["two tools of one name", anthropic([turn(say("a"))], { tools: [tool, tool] }), /two tools are called read/],
    [
      "$schema in a schema",
      anthropic([turn(say("a"))], { tools: [{ ...tool, input_schema: { type: "object", properties: { a: { $schema: "x" } } } }] }),
      /has \$schema/,
    ],
    ["a body that is none", { model: "m" }, /does not parse/],
  ])("finds %s", (_name, body, wanted) => {
    expect(violationsOf("anthropic", body).join("\n")).toMatch(wanted);
    expect(() => assertValidRequest("anthropic", body)).toThrow(wanted);
  });

  it("knows its own signatures", () => {
    const body = (thinking: string, signature: string) =>
      anthropic([turn(say("a")), reply({ type: "thinking", thinking, signature }, say("b")), turn(say("c"))]);
    const given = new Map([["S", "plan"]]);
    expect(violationsOf("anthropic", body("plan", "S"), given)).toEqual([]);
    expect(violationsOf("anthropic", body("plan!", "S"), given)).toEqual(["messages[1].content[0]: signed thinking was changed"]);
    expect(violationsOf("anthropic", body("plan", "T"), given)).toEqual(["messages[1].content[0]: a signature this provider never gave"]);
  });
});

const responses = (input: readonly object[], more: object = {}) => ({ model: "m", stream: true, store: false, input, ...more });
const words = { role: "user", content: "go" };
const fc = (call_id: string, args = "{}") => ({ type: "function_call", call_id, name: "read", arguments: args });
const out = (call_id: string) => ({ type: "function_call_output", call_id, output: "ok" });
const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "E" };

describe("the checker of Responses requests", () => {
  it("takes a good request", () => {
    expect(violationsOf("openai-responses", responses([words, reasoning, fc("a"), fc("b"), out("a"), out("b")]))).toEqual([]);
  });

  it.each<[string, object, RegExp]>([
    ["a call without an answer", responses([words, fc("a"), fc("b"), out("a"), words]), /call b is not answered/],
    ["an answer that comes too late", responses([words, fc("a"), words, { role: "assistant", content: "x" }, out("a")]), /call a is not answered/],
    ["a repeated id", responses([words, fc("a"), out("a"), fc("a"), out("a")]), /used twice/],
    ["broken arguments", responses([words, fc("a", '{"x"'), out("a")]), /not JSON/],
    ["arguments that are a list", responses([words, fc("a", "[]"), out("a")]), /not an object/],
    ["reasoning that led to nothing", responses([words, reasoning, words]), /without the item/],
    ["stored replies", { ...responses([words]), store: true }, /does not parse/],
    [
      "a schema that strict mode refuses",
      responses([words], {
        tools: [
          { type: "function", name: "t", strict: true, parameters: { type: "object", properties: { a: { type: "string", default: "" } }, required: [] } },
        ],
      }),
      /does not require a[\s\S]*additional properties|default/,
    ],
    ["an end with the assistant", responses([words, { role: "assistant", content: "x" }]), /ends with an assistant/],
  ])("finds %s", (_name, body, wanted) => {
    expect(violationsOf("openai-responses", body).join("\n")).toMatch(wanted);
  });

  it("finds reasoning it never gave", () => {
    expect(violationsOf("openai-responses", responses([words, reasoning, fc("a"), out("a")]), new Map())).toEqual([
      "input[1]: reasoning this provider never gave",
    ]);
  });
});

const chat = (messages: readonly object[], more: object = {}) => ({ model: "m", stream: true, messages, ...more });
const calls = (...ids: readonly string[]) => ({
  role: "assistant",
  content: null,
  tool_calls: ids.map((id) => ({ id, type: "function", function: { name: "read", arguments: "{}" } })),
});
const tooled = (tool_call_id: string, content = "ok") => ({ role: "tool", tool_call_id, content });

describe("the checker of Chat Completions requests", () => {
  it("takes a good request", () => {
    expect(violationsOf("openai-chat", chat([{ role: "system", content: "s" }, words, calls("a", "b"), tooled("a"), tooled("b"), words]))).toEqual([]);
  });

  it.each<[string, object, RegExp]>([
    ["a call without an answer", chat([words, calls("a", "b"), tooled("a"), words]), /call b is not answered/],
    ["a tool message after the user's", chat([words, tooled("a")]), /follows no call/],
    ["a blank result", chat([words, calls("a"), tooled("a", " ")]), /is blank/],
    ["a reply of nothing", chat([words, { role: "assistant", content: null }, words]), /has no content/],
    ["a system message in the middle", chat([words, { role: "system", content: "s" }, words]), /in the middle/],
    ["a repeated id", chat([words, calls("a"), tooled("a"), calls("a"), tooled("a")]), /used twice/],
    ["an end with the assistant", chat([words, { role: "assistant", content: "x" }]), /ends with an assistant/],
  ])("finds %s", (_name, body, wanted) => {
    expect(violationsOf("openai-chat", body).join("\n")).toMatch(wanted);
  });
});
