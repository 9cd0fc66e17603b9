import { describe, expect, it } from "vitest";
import { Settings } from "#shared/settings/settings.ts";
import { type ChoiceFacts, chooseProvider } from "./choose-provider.ts";

const DEFAULT_SETTINGS = Settings.parse({});
const none: ChoiceFacts = { flag: undefined, baseUrlFlag: undefined, settings: DEFAULT_SETTINGS, environment: {}, hasKey: () => false };

const errorOf = (facts: ChoiceFacts) => {
  const chosen = chooseProvider(facts);
  return chosen.ok ? "" : chosen.error;
};

describe("the model of a headless run", () => {
  it.each([
    ["a flag with its vendor's key", { ...none, flag: "openai" as const, hasKey: () => true }, { provider: "openai", baseUrl: undefined }],
    ["a key of the environment", { ...none, hasKey: (name: string) => name === "anthropic" }, { provider: "anthropic", baseUrl: undefined }],
    [
      "the stored choice",
      { ...none, settings: { ...DEFAULT_SETTINGS, provider: "openai-chat" as const, baseUrls: { "openai-chat": "http://127.0.0.1:1/v1" } } },
      { provider: "openai-chat", baseUrl: "http://127.0.0.1:1/v1" },
    ],
    [
      "a server without a key",
      { ...none, flag: "openai-chat" as const, baseUrlFlag: "http://127.0.0.1:9/v1" },
      { provider: "openai-chat", baseUrl: "http://127.0.0.1:9/v1" },
    ],
    [
      "a base URL of the environment",
      { ...none, environment: { ANTHROPIC_BASE_URL: "http://127.0.0.1:9" } },
      { provider: "anthropic", baseUrl: "http://127.0.0.1:9" },
    ],
    ["the demo, when asked for", { ...none, flag: "demo" as const }, { provider: "demo", baseUrl: undefined }],
  ])("%s", (_name, facts, expected) => {
    expect(chooseProvider(facts)).toEqual({ ok: true, value: expected });
  });

  it("is never a silent demo, and a missing key says which", () => {
    expect(errorOf(none)).toContain("ANTHROPIC_API_KEY");
    expect(errorOf({ ...none, flag: "openai" })).toContain("OPENAI_API_KEY");
  });
});
