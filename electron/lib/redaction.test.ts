import { describe, expect, it } from "vitest";
import { createRedactor } from "./redaction.ts";

const redact = (text: string) => createRedactor().redact(text);
const long = "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA2bC4";

describe("patterns", () => {
  it.each([
    [`key=sk-ant-api03-${long}`, "key=[secret]"],
    [`sk-proj-${long} end`, "[secret] end"],
    [`ghp_${long}`, "[secret]"],
    [`github_pat_11${long}`, "[secret]"],
    [`glpat-${long}`, "[secret]"],
    ["AKIAIOSFODNN7EXAMPLE", "[secret]"],
    [`AIza${long.slice(0, 35)}`, "[secret]"],
    [`xoxb-123456789012-${long}`, "[secret]"],
    [`npm_${long}`, "[secret]"],
    [`Authorization: Bearer ${long}`, "Authorization: Bearer [secret]"],
    [`authorization: basic ${long}==`, "authorization: basic [secret]"],
    [`eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${long}`, "[secret]"],
    ["-----BEGIN RSA PRIVATE KEY-----\nMIIE1x\nabc\n-----END RSA PRIVATE KEY-----", "-----BEGIN RSA PRIVATE KEY-----[secret]-----END RSA PRIVATE KEY-----"],
    ["-----BEGIN PRIVATE KEY-----\nMIIE1x cut", "-----BEGIN PRIVATE KEY-----[secret]"],
  ])("masks %s", (text, masked) => {
    expect(redact(text)).toBe(masked);
    expect(redact(masked)).toBe(masked);
  });

  it.each([
    'class="sk-loading-spinner-wrapper-large"',
    "Bearer ${token}",
    "Authorization: Bearer YOUR_ACCESS_TOKEN_GOES_HERE",
    "the task-force-of-the-company-was-here",
    "commit 7ed91c0aa1b2c3d4e5f60718293a4b5c6d7e8f90",
    "sk-short1",
  ])("leaves %s alone", (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe("literal values", () => {
  it("are masked wherever they stand, also escaped, encoded and one inside another", () => {
    const redactor = createRedactor(['p@ss"word/1', 'p@ss"word/1-long']);
    redactor.register("  later-key-value \n");
    const texts = [
      'x p@ss"word/1 y',
      JSON.stringify({ k: 'p@ss"word/1-long' }),
      encodeURIComponent('p@ss"word/1'),
      Buffer.from("later-key-value").toString("base64"),
      "later-key-value",
    ];
    expect(texts.map((text) => redactor.redact(text))).toEqual(["x [secret] y", '{"k":"[secret]"}', "[secret]", "[secret]", "[secret]"]);
  });

  it("that are too short to be secrets are not taken", () => {
    expect(createRedactor(["", "  ", "test"]).redact("a test")).toBe("a test");
  });

  it("holds for text of a megabyte in little time", () => {
    const started = performance.now();
    redact(`${"a-".repeat(300_000)}${"sk-".repeat(100_000)}${"-----BEGIN PRIVATE KEY-----".repeat(1_000)}`);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
