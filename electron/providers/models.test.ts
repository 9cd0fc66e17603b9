import { describe, expect, it } from "vitest";
import { DEFAULT_MODELS, describeModel, knownModel } from "./models.ts";

describe("what is known of models", () => {
  it("goes by the longest name that fits", () => {
    expect(knownModel("anthropic", "claude-sonnet-5-5-20260928")?.prefix).toBe("claude-sonnet-5-5");
    expect(knownModel("anthropic", "claude-sonnet-5-20260630")?.prefix).toBe("claude-sonnet-5");
    expect(knownModel("openai", "gpt-5.4-mini")?.prefix).toBe("gpt-5.4-mini");
    expect(knownModel("openai", "gpt-5.4")?.prefix).toBe("gpt-5.4");
  });

  it("has all that is needed for each default", () => {
    for (const id of ["anthropic", "openai"] as const) {
      const info = describeModel(id, DEFAULT_MODELS[id], {});
      expect(info.prices).toBeDefined();
      expect(info.pricesAsOf).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(info.window).toBeGreaterThan(100_000);
    }
  });

  it("knows nothing of an unknown model and does not pretend to (E10)", () => {
    expect(describeModel("openai-chat", "my-model", {})).toEqual({
      window: undefined,
      maxOutput: 8_192,
      maxOutputCeiling: 32_000,
      dialect: "openai_loose",
      images: false,
      prices: undefined,
    });
  });

  it("takes the person's own window before the table, and keeps the reply within half of it", () => {
    expect(describeModel("anthropic", "claude-sonnet-5-5", { "claude-sonnet-5-5": 150_000 }).window).toBe(150_000);
    expect(describeModel("openai-chat", "tiny", { tiny: 8_192 })).toMatchObject({ window: 8_192, maxOutput: 4_096, maxOutputCeiling: 4_096 });
  });

  it("understands names of gateways, but not their prices", () => {
    expect(describeModel("openai-chat", "anthropic/claude-sonnet-5-5", {})).toMatchObject({ window: 1_000_000, images: true, prices: undefined });
  });

  it("sees images in open models by their name only", () => {
    expect(describeModel("openai-chat", "qwen2.5-vl:7b", {}).images).toBe(true);
    expect(describeModel("openai-chat", "qwen3-coder", {}).images).toBe(false);
  });

  it("speaks each provider's dialect", () => {
    expect(describeModel("openai", "gpt-6.2-sol", {}).dialect).toBe("openai_strict");
    expect(describeModel("anthropic", "claude-sonnet-5-5", {}).dialect).toBe("anthropic");
    expect(describeModel("demo", "demo", {}).prices).toEqual({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 });
  });
});
