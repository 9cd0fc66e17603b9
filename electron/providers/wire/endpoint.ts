// Where requests go. Users give base URLs in many forms; here they become the one form the SDKs want.
import { type Result, err, ok } from "#shared/lib/result.ts";
import type { ProviderConfig } from "#electron/providers/contract.ts";

export type Endpoint = {
  /** without a trailing slash; Anthropic without /v1, OpenAI with it */
  readonly baseUrl: string;
  /** host and port, for messages and vendor profiles */
  readonly host: string;
  /** the vendor's own server, not a gateway or a local one */
  readonly official: boolean;
};

const OFFICIAL = { anthropic: "https://api.anthropic.com", openai: "https://api.openai.com/v1" } as const;

/**
 * Anthropic: the SDK adds /v1/messages, so a trailing /v1 is taken off. OpenAI: the base includes /v1, as in its SDK;
 * an address without any path gets it. Everything else is kept as given. The error is a sentence for the person.
 */
export function endpointOf(id: ProviderConfig["id"], baseUrl: string | undefined): Result<Endpoint, string> {
  const family = id === "anthropic" ? "anthropic" : "openai";
  const given = baseUrl?.trim() ?? "";
  const url = parseUrl(given === "" ? OFFICIAL[family] : given);
  if (url === undefined) return err(`the base URL ${JSON.stringify(given)} is not a web address; it should look like ${OFFICIAL[family]}`);
  const path = url.pathname.replace(/\/+$/, "");
  url.pathname = family === "anthropic" ? path.replace(/\/v1$/, "") : path === "" ? "/v1" : path;
  url.hash = "";
  const text = url.search === "" ? url.toString().replace(/\/+$/, "") : url.toString();
  return ok({ baseUrl: text, host: url.host, official: url.host === new URL(OFFICIAL[family]).host });
}

function parseUrl(text: string): URL | undefined {
  try {
    const url = new URL(text);
    return url.protocol === "https:" || url.protocol === "http:" ? url : undefined;
  } catch {
    return undefined;
  }
}
