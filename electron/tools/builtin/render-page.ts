// A page's bytes as text for the model: the article of an HTML page as Markdown, other text as it is. Slow for big pages,
// so it is meant to run in a worker.
import type { Readability } from "@mozilla/readability";
import iconv from "iconv-lite";
import { z } from "zod";
import { headOf } from "#shared/lib/text.ts";
import { decodeText } from "#electron/lib/text-file.ts";

const META_BYTES = 2_048;
/** Longer pages are first cut: the article is near the beginning, and the parser's time grows with the length. */
const MAX_HTML_CHARS = 2_000_000;

export type RenderedPage = { readonly title: string; readonly text: string };

/** `type`: the content-type header. Undefined when the page is no text. */
export async function renderPage(page: { readonly bytes: Uint8Array; readonly type: string; readonly url: string }): Promise<RenderedPage | undefined> {
  const kind = page.type.split(";")[0]?.trim().toLowerCase() ?? "";
  if (!isText(kind)) return undefined;
  const text = decodePage(page.bytes, page.type);
  if (text === undefined) return undefined;
  const isHtml = kind.includes("html") || (kind === "" && /^\s*(?:<!doctype html|<html)/i.test(text));
  if (!isHtml) return { title: "", text };
  const html = headOf(text, MAX_HTML_CHARS);
  return nestingOf(html) > MAX_NESTING ? { title: "", text: withoutTags(html) } : htmlToMarkdown(html, page.url);
}

/** The libraries call themselves once per level; no honest page is this deep. */
const MAX_NESTING = 500;
const UNCLOSED = new Set("area base br col embed hr img input link meta source track wbr p li dt dd option tr td th".split(" "));

/** About how deep the elements lie in one another; elements that need no end are not counted. */
function nestingOf(html: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [, end, name = ""] of html.matchAll(/<(\/?)([a-z][a-z0-9-]*)/gi)) {
    if (UNCLOSED.has(name.toLowerCase())) continue;
    depth = Math.max(0, depth + (end === "/" ? -1 : 1));
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** In one pass; patterns over hostile text would go back and forth. */
function withoutTags(html: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let open = html.indexOf("<"); open >= 0; open = html.indexOf("<", from)) {
    parts.push(html.slice(from, open));
    const close = html.indexOf(">", open);
    if (close < 0) return tidy(parts);
    const raw = /^<(script|style)\b/i.exec(html.slice(open, open + 8))?.[1]?.toLowerCase();
    const end = raw === undefined ? close : html.indexOf(`</${raw}`, close);
    if (end < 0) return tidy(parts);
    from = end + (raw === undefined ? 1 : raw.length + 2);
  }
  return tidy([...parts, html.slice(from)]);
}

function tidy(parts: readonly string[]): string {
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join("\n");
}

function isText(kind: string): boolean {
  return kind === "" || kind.startsWith("text/") || /(?:json|xml|javascript|yaml|toml|x-sh|markdown|html)/.test(kind);
}

/** The header's word, then the page's own, then the bytes themselves. */
function decodePage(bytes: Uint8Array, type: string): string | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = buffer.subarray(0, META_BYTES).toString("latin1");
  const named = /charset=["']?([\w-]+)/i.exec(type)?.[1] ?? /<meta[^>]+charset=["']?([\w-]+)/i.exec(head)?.[1];
  if (named !== undefined && iconv.encodingExists(named)) return iconv.decode(buffer, named);
  const decoded = decodeText(buffer);
  return decoded.kind === "text" ? decoded.text : undefined;
}

/** What is used of a parsed page; the program has no types of a browser. */
type PageElement = {
  readonly getAttribute: (name: string) => string | null;
  readonly setAttribute: (name: string, value: string) => void;
  readonly textContent: string;
  readonly replaceWith: (text: string) => void;
};
type PageDocument = ConstructorParameters<typeof Readability>[0] & {
  readonly body: { readonly innerHTML: string };
  readonly querySelectorAll: (selector: string) => Iterable<PageElement>;
};
const PageDocument = z.custom<PageDocument>((value) => typeof value === "object" && value !== null && "querySelectorAll" in value && "body" in value);
const Article = z.object({ content: z.string(), textContent: z.string() });
/** A shorter "article" is a cookie banner or a menu; the whole page then says more. */
const MIN_ARTICLE_CHARS = 200;

async function htmlToMarkdown(html: string, url: string): Promise<RenderedPage> {
  const [{ DOMParser }, { Readability: Reader }, { default: TurndownService }] = await Promise.all([
    import("linkedom"),
    import("@mozilla/readability"),
    import("turndown"),
  ]);
  const page = PageDocument.parse(new DOMParser().parseFromString(asDocument(html), "text/html"));
  for (const link of page.querySelectorAll("a[href]")) absoluteLink(link, url);
  // Pictures would only be addresses; what they show is said by their text.
  for (const picture of page.querySelectorAll("img")) picture.replaceWith(picture.getAttribute("alt") ?? "");
  const title = takeTitle(page);
  const whole = page.body.innerHTML;
  const found = Article.safeParse(new Reader(page).parse());
  const article = found.success && found.data.textContent.trim().length >= MIN_ARTICLE_CHARS ? found.data.content : undefined;
  const turndown = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
  turndown.remove(["script", "style", "noscript", "iframe", "form"]);
  return { title, text: turndown.turndown(article ?? whole).trim() };
}

/** It is no part of the text. */
function takeTitle(page: PageDocument): string {
  const [element] = page.querySelectorAll("title");
  const title = element?.textContent.trim() ?? "";
  element?.replaceWith("");
  return title;
}

const FRAME_TAG = /<!doctype[^>]{0,500}>|<\/?(?:html|head|body)(?:\s[^>]{0,500})?>/gi;

/** HTML may leave out these tags, and this parser then finds neither title nor body: put whole, everything has its place. */
function asDocument(html: string): string {
  return `<!doctype html><html><head></head><body>${html.replace(FRAME_TAG, "")}</body></html>`;
}

/** Relative links would lead nowhere once the page is text; what is no address stays as it was written. */
function absoluteLink(link: PageElement, base: string): void {
  const href = link.getAttribute("href") ?? "";
  try {
    link.setAttribute("href", new URL(href, base).href);
  } catch {
    link.setAttribute("href", href);
  }
}
