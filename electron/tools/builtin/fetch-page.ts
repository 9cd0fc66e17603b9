// Gets one page: bounded in size, time and redirects, and never from where the person did not agree to (T16).
import { lookup } from "node:dns/promises";
import { z } from "zod";
import type { Result } from "#shared/lib/result.ts";
import { err, ok } from "#shared/lib/result.ts";
import type { ToolFailure } from "#shared/tools/failure.ts";
import { hostOf, isNeverFetched, isPlainlyLocal, isPrivateAddress, isSameSite, parseAddress } from "./web-address.ts";

export const FETCH_MAX_BYTES = 5 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const MAX_REASON_CHARS = 200;

export type FetchPowers = {
  /** must honour `redirect: "manual"`, as Node's own does */
  readonly fetch: typeof globalThis.fetch;
  /** all addresses of a host; rejects when it has none */
  readonly lookup: (host: string) => Promise<readonly string[]>;
};
/** The system's own answer, as the request itself will get it. */
export async function lookupHost(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map((one) => one.address);
}

/** `cut`: the page was longer than what is read of one. */
export type Page = { readonly url: URL; readonly type: string; readonly bytes: Buffer; readonly cut: boolean };
/** A redirect to another site is an answer, not a step: that site needs a question of its own. */
export type Fetched = { readonly kind: "page"; readonly page: Page } | { readonly kind: "moved"; readonly to: string };

export async function fetchPage(start: URL, powers: FetchPowers, signal: AbortSignal): Promise<Result<Fetched, ToolFailure>> {
  let url = start;
  for (let step = 0; step <= MAX_REDIRECTS; step++) {
    const refused = await refusedHost(url, powers, isPlainlyLocal(hostOf(start)));
    if (refused !== undefined) return err(refused);
    const response = await get(url, powers, signal);
    if (!response.ok) return response;
    const target = redirectOf(response.value, url);
    if (target === undefined) return readPage(response.value, url);
    await response.value.body?.cancel();
    if (!target.ok) return target;
    if (!isSameSite(target.value, start)) return movedTo(target.value, powers);
    url = target.value;
  }
  return err(failure(`${start.href} redirects more than ${MAX_REDIRECTS} times. Try another address.`));
}

async function get(url: URL, powers: FetchPowers, signal: AbortSignal): Promise<Result<Response, ToolFailure>> {
  try {
    const headers = {
      accept: "text/html,application/xhtml+xml,text/markdown,text/plain,application/json;q=0.9,*/*;q=0.5",
      "user-agent": "Mozilla/5.0 (compatible; Cairn)",
    };
    return ok(await powers.fetch(url.href, { redirect: "manual", signal, headers, credentials: "omit" }));
  } catch (error) {
    return err(networkFailure(url, error));
  }
}

/** A public name may stand for a private address; what the person agreed to was the name. */
async function refusedHost(url: URL, powers: FetchPowers, localAgreed: boolean): Promise<ToolFailure | undefined> {
  const host = hostOf(url);
  if (isNeverFetched(host)) return denied(`${host} is an address where machines keep their keys; it is never fetched.`);
  if (localAgreed && isPlainlyLocal(host)) return undefined;
  if (isPlainlyLocal(host)) return denied(`${host} is on this machine or its private network, and the address asked for was not.`);
  try {
    const found = await powers.lookup(host);
    const inside = found.find(isPrivateAddress);
    return inside === undefined ? undefined : denied(`${host} leads to ${inside} on a private network. Nothing was fetched.`);
  } catch {
    return failure(`The host ${host} could not be found. Check the address; there may be no network.`);
  }
}

function redirectOf(response: Response, from: URL): Result<URL, ToolFailure> | undefined {
  const location = response.headers.get("location");
  if (response.status < 300 || response.status > 399 || location === null) return undefined;
  let target: URL;
  try {
    target = new URL(location, from);
  } catch {
    return err(failure(`${from.href} redirects to something that is no address.`));
  }
  const parsed = parseAddress(target.href);
  if (!parsed.ok) return err(failure(`${from.href} redirects to an address that is not fetched: ${parsed.error}.`));
  if (from.protocol === "https:" && parsed.value.protocol === "http:")
    return err(failure(`${from.href} redirects to ${parsed.value.href}, which is not encrypted.`));
  return parsed;
}

async function movedTo(target: URL, powers: FetchPowers): Promise<Result<Fetched, ToolFailure>> {
  const refused = await refusedHost(target, powers, false);
  return refused === undefined ? ok({ kind: "moved", to: target.href }) : err(refused);
}

async function readPage(response: Response, url: URL): Promise<Result<Fetched, ToolFailure>> {
  try {
    const { bytes, cut } = await readBody(response);
    if (response.status >= 400)
      return err(
        failure(
          `${url.href} answered ${response.status} ${response.statusText}.${response.status === 429 ? " Wait before you ask again." : " Check the address or try another one."}`,
        ),
      );
    return ok({ kind: "page", page: { url, type: response.headers.get("content-type") ?? "", bytes, cut } });
  } catch (error) {
    return err(networkFailure(url, error));
  }
}

const Chunk = z.object({ value: z.instanceof(Uint8Array).optional() });

async function readBody(response: Response): Promise<{ readonly bytes: Buffer; readonly cut: boolean }> {
  const reader = response.body?.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  while (reader !== undefined && size <= FETCH_MAX_BYTES) {
    const { value } = Chunk.parse(await reader.read());
    if (value === undefined) break;
    parts.push(value);
    size += value.length;
  }
  // Whatever is still to come is not waited for.
  if (size > FETCH_MAX_BYTES) await reader?.cancel();
  return { bytes: Buffer.concat(parts).subarray(0, FETCH_MAX_BYTES), cut: size > FETCH_MAX_BYTES };
}

function networkFailure(url: URL, error: unknown): ToolFailure {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : error instanceof Error ? error.message : "unknown error";
  return {
    kind: "tool_error",
    retryable: true,
    message: `${url.href} could not be fetched: ${cause.slice(0, MAX_REASON_CHARS)}. Try again once, then another address.`,
  };
}

function failure(message: string): ToolFailure {
  return { kind: "tool_error", retryable: false, message };
}

function denied(message: string): ToolFailure {
  return { kind: "permission_denied", retryable: false, message: `${message} Do not try to get around this; tell the person what you need.` };
}
