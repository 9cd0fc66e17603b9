// The web_fetch tool (T16): one page as text. Each site is approved by the person, once or for good.
import { z } from "zod";
import type { Result } from "#shared/lib/result.ts";
import { err } from "#shared/lib/result.ts";
import { isBlank, oneLine } from "#shared/lib/text.ts";
import type { ToolFailure } from "#shared/tools/failure.ts";
import type { Tool, ToolContext, ToolReturn } from "#electron/tools/contract.ts";
import { defineTool } from "#electron/tools/define.ts";
import { FETCH_RESULT_CHARS } from "#electron/tools/result-limit.ts";
import { FETCH_MAX_BYTES, fetchPage, type Fetched, type FetchPowers, type Page } from "./fetch-page.ts";
import { sizeText } from "./file-kind.ts";
import { renderPage, type RenderedPage } from "./render-page.ts";
import { hostOf, parseAddress } from "./web-address.ts";
import { pageText, WEB_FETCH_TEXT } from "./web-fetch.text.ts";

export const FETCH_TIMEOUT_MS = 30_000;
const MAX_TITLE_CHARS = 200;

export type WebFetchDeps = FetchPowers & {
  /** bytes → text; here unless a worker does it, because a big page takes longer than this thread may be held (R2) */
  readonly render?: (page: { readonly bytes: Uint8Array; readonly type: string; readonly url: string }) => Promise<RenderedPage | undefined>;
};

const Address = z.string().superRefine((text, cx) => {
  const parsed = parseAddress(text);
  if (!parsed.ok) cx.addIssue({ code: "custom", message: parsed.error });
});
const Input = z.strictObject({ url: Address });
type Input = z.infer<typeof Input>;

/** Throws for what is no address, which the schema has kept out. */
function addressOf(input: Input): URL {
  const parsed = parseAddress(input.url);
  if (!parsed.ok) throw new TypeError(parsed.error);
  return parsed.value;
}
const siteOf = (input: Input) => hostOf(addressOf(input));

export function createWebFetchTool(deps: WebFetchDeps): Tool {
  return defineTool({
    name: "web_fetch",
    aliases: ["webfetch", "fetch", "fetch_url", "read_url"],
    schemaVersion: 1,
    input: Input,
    text: WEB_FETCH_TEXT,
    maxResultChars: FETCH_RESULT_CHARS,
    display: "summary",
    reproducible: true,
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    isDestructive: () => false,
    effects: (input) => [{ kind: "network", target: siteOf(input) }],
    conflictKeys: () => [],
    permissionTarget: (input) => `domain:${siteOf(input)}`,
    suggestRules: (input) => [`web_fetch(domain:${siteOf(input)})`],
    observable: (input) => ({ ...input, url: addressOf(input).href }),
    askCard: async (input) => ({
      verb: "fetch_page",
      subject: siteOf(input),
      detail: { kind: "json", json: JSON.stringify({ url: addressOf(input).href }, null, 2) },
    }),
    call: (input, cx) => callFetch(deps, input, cx),
  });
}

async function callFetch(deps: WebFetchDeps, input: Input, cx: ToolContext): Promise<ToolReturn> {
  const fetched = await withinTime(cx, (signal) => fetchPage(addressOf(input), deps, signal));
  if (!fetched.ok) return { ok: false, failure: fetched.error };
  if (fetched.value.kind === "moved")
    return { ok: true, ...said(`[The address leads to another site: ${fetched.value.to}. Call web_fetch with that address if you need it.]`) };
  const { page } = fetched.value;
  const rendered = await (deps.render ?? renderPage)({ bytes: page.bytes, type: page.type, url: page.url.href });
  return rendered === undefined ? { ok: false, failure: notText(page) } : { ok: true, ...said(textOf(page, rendered), page.url.href) };
}

function textOf(page: Page, rendered: RenderedPage): string {
  const text = isBlank(rendered.text) ? "(no text on this page; it may be made by a program in the browser)" : rendered.text;
  const cut = page.cut ? `\n[The page is longer than ${sizeText(FETCH_MAX_BYTES)}; the rest was not fetched.]` : "";
  return `${pageText(oneLine(rendered.title, MAX_TITLE_CHARS), text)}${cut}`;
}

/** `address`: where a text really came from, after redirects (P8). */
function said(text: string, address?: string) {
  const from = address === undefined ? {} : { from: `web ${address}` };
  return { forModel: [{ type: "text", text, ...from }], view: { kind: "text", text: text.slice(0, FETCH_RESULT_CHARS) } } as const;
}

function notText(page: Page): ToolFailure {
  return {
    kind: "tool_error",
    retryable: false,
    message: `${page.url.href} is ${page.type === "" ? "no text" : page.type}, ${sizeText(page.bytes.length)}, and cannot be shown as text. To keep it as a file, download it with a command.`,
  };
}

async function withinTime(cx: ToolContext, run: (signal: AbortSignal) => Promise<Result<Fetched, ToolFailure>>): Promise<Result<Fetched, ToolFailure>> {
  const scope = cx.scope.child("fetch");
  const timer = cx.clock.schedule(FETCH_TIMEOUT_MS, () => scope.abort({ by: "tool_timeout" }));
  try {
    const fetched = await run(scope.signal);
    if (fetched.ok || !scope.signal.aborted) return fetched;
    if (scope.cause?.by !== "tool_timeout") return err({ kind: "aborted", retryable: false, message: "The page was not fetched: the call was stopped." });
    return err({
      kind: "timeout",
      retryable: true,
      message: `The page did not come within ${FETCH_TIMEOUT_MS / 1000} s. Try again once, then another address.`,
    });
  } finally {
    timer[Symbol.dispose]();
    await scope.close({ by: "shutdown" });
  }
}
