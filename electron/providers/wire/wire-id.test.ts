import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ANTHROPIC_IDS, CHAT_IDS, RESPONSES_IDS, wireId } from "./wire-id.ts";

describe("call ids on the wire", () => {
  it("leaves an id alone that the protocol takes", () => {
    expect(wireId("toolu_01AbC-x", ANTHROPIC_IDS)).toBe("toolu_01AbC-x");
    expect(wireId("functions.read:0", RESPONSES_IDS)).toBe("functions.read:0");
  });

  it("makes any other id fit, always the same way", () => {
    for (const rule of [ANTHROPIC_IDS, RESPONSES_IDS, CHAT_IDS]) {
      fc.assert(
        fc.property(fc.string({ minLength: 1, maxLength: 200 }), (id) => {
          const sent = wireId(id, rule);
          expect(sent).toMatch(rule.allowed);
          expect(sent.length).toBeLessThanOrEqual(rule.max);
          expect(wireId(id, rule)).toBe(sent);
        }),
      );
    }
  });

  it("keeps ids apart that only differ in what is refused", () => {
    expect(wireId("bash:0", ANTHROPIC_IDS)).not.toBe(wireId("bash.0", ANTHROPIC_IDS));
    expect(wireId(`${"x".repeat(80)}a`, CHAT_IDS)).not.toBe(wireId(`${"x".repeat(80)}b`, CHAT_IDS));
  });
});
