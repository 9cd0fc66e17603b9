import { describe, expect, it } from "vitest";
import { endpointOf } from "./endpoint.ts";

const base = (id: "anthropic" | "openai" | "openai-chat", url: string | undefined) => {
  const found = endpointOf(id, url);
  return found.ok ? found.value.baseUrl : found.error;
};

describe("base URLs", () => {
  it.each([
    [undefined, "https://api.anthropic.com"],
    ["", "https://api.anthropic.com"],
    ["http://127.0.0.1:1234", "http://127.0.0.1:1234"],
    ["http://127.0.0.1:1234/", "http://127.0.0.1:1234"],
    ["http://127.0.0.1:1234/v1", "http://127.0.0.1:1234"],
    ["http://127.0.0.1:1234/v1/", "http://127.0.0.1:1234"],
    [" https://gateway.example/anthropic ", "https://gateway.example/anthropic"],
  ])("Anthropic: %s", (given, wanted) => {
    expect(base("anthropic", given)).toBe(wanted);
  });

  it.each([
    [undefined, "https://api.openai.com/v1"],
    ["http://127.0.0.1:1234/v1", "http://127.0.0.1:1234/v1"],
    ["http://127.0.0.1:1234/v1/", "http://127.0.0.1:1234/v1"],
    ["http://127.0.0.1:1234", "http://127.0.0.1:1234/v1"],
    ["http://127.0.0.1:1234/", "http://127.0.0.1:1234/v1"],
    ["https://openrouter.ai/api/v1", "https://openrouter.ai/api/v1"],
    ["https://x.openai.azure.com/openai/v1?api-version=preview", "https://x.openai.azure.com/openai/v1?api-version=preview"],
  ])("OpenAI: %s", (given, wanted) => {
    expect(base("openai", given)).toBe(wanted);
    expect(base("openai-chat", given)).toBe(wanted);
  });

  it("says what an address should look like when it is none", () => {
    expect(base("anthropic", "127.0.0.1:80")).toBe('the base URL "127.0.0.1:80" is not a web address; it should look like https://api.anthropic.com');
    expect(base("openai", "ftp://x")).toContain("https://api.openai.com/v1");
  });

  it("knows the vendor's own server", () => {
    expect(endpointOf("anthropic", undefined)).toMatchObject({ value: { official: true, host: "api.anthropic.com" } });
    expect(endpointOf("openai", "http://localhost:11434")).toMatchObject({ value: { official: false, host: "localhost:11434" } });
  });
});
