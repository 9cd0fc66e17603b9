// The strict checker of every request that would be sent: what a real provider refuses is a violation here.
// Rules: the next message answers each call, ids unique, no blank text, well-formed Unicode, signed thinking unchanged.
import { wellFormed } from "#shared/lib/text.ts";
import type { Protocol } from "./seen-request.ts";
import { anthropicViolations } from "./validate-anthropic.ts";
import { chatViolations } from "./validate-chat.ts";
import { responsesViolations } from "./validate-responses.ts";
import type { Signatures } from "./validate-rules.ts";

/** What is wrong with the body, in words; empty when a provider would accept it. */
export function violationsOf(protocol: Protocol, body: unknown, signatures?: Signatures): readonly string[] {
  const lone = loneSurrogatePaths(body, "body").map((path) => `${path} holds a lone surrogate`);
  switch (protocol) {
    case "anthropic":
      return [...lone, ...anthropicViolations(body, signatures)];
    case "openai-responses":
      return [...lone, ...responsesViolations(body, signatures)];
    case "openai-chat":
      return [...lone, ...chatViolations(body)];
  }
}

/** Throws with all violations when the body is one that a provider would refuse. */
export function assertValidRequest(protocol: Protocol, body: unknown, signatures?: Signatures): void {
  const violations = violationsOf(protocol, body, signatures);
  if (violations.length > 0) throw new Error(`A provider would refuse this ${protocol} request:\n${violations.join("\n")}`);
}

function loneSurrogatePaths(value: unknown, path: string): readonly string[] {
  if (typeof value === "string") return wellFormed(value) === value ? [] : [path];
  if (Array.isArray(value)) return value.flatMap((member, k) => loneSurrogatePaths(member, `${path}[${k}]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => loneSurrogatePaths(member, `${path}.${key}`));
}
