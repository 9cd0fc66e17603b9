import { describe, expect, it } from "vitest";
import english from "#shared/i18n/notices.en.json" with { type: "json" };
import chinese from "#shared/i18n/notices.zh-CN.json" with { type: "json" };
import type { ProviderFailureKind } from "#electron/providers/contract.ts";
import { failedEnd, NOTICE_KEYS } from "./notices.ts";

const parameters = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? "").toSorted((a, b) => a.localeCompare(b));

describe("what the loop says to the person", () => {
  it("has exactly these texts, in both languages, with the same parameters", () => {
    expect(Object.keys(english)).toEqual(Object.keys(chinese));
    expect(Object.keys(english).sort()).toEqual([...NOTICE_KEYS].sort());
    expect(Object.values(english).map(parameters)).toEqual(Object.values(chinese).map(parameters));
  });

  it("has a text with all its parameters for every way a request can fail", () => {
    const kinds: readonly ProviderFailureKind[] = [
      "auth",
      "forbidden",
      "model_not_found",
      "not_found",
      "too_large",
      "quota",
      "rate_limit",
      "overloaded",
      "network",
      "timeout",
      "bad_request",
      "context_window",
      "server",
      "protocol",
      "aborted",
    ];
    const texts = new Map(Object.entries(english));
    for (const kind of kinds) {
      const { notice, action } = failedEnd({ kind, retryable: false, message: "words" }, 3);
      const text = texts.get(notice?.key.slice("notices.".length) ?? "");
      expect([kind, text === undefined]).toEqual([kind, false]);
      expect([kind, ...parameters(text ?? "").filter((name) => notice?.params?.[name] === undefined)]).toEqual([kind]);
      expect([kind, action === undefined]).toEqual([kind, false]);
    }
  });
});
