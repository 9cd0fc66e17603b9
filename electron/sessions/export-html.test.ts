import { describe, expect, it } from "vitest";
import { text } from "#shared/chat/blocks.ts";
import { EntryId, SessionId, TurnId } from "#shared/lib/ids.ts";
import { emptyView } from "#shared/session/empty-view.ts";
import type { Row } from "#shared/session/view.ts";
import { exportDocument, fileNameFor } from "./export-document.ts";

const HOSTILE = [
  '<img src=x onerror="window.__pwn=1">',
  "<svg onload=__pwn=1>",
  '<iframe srcdoc="<script>parent.__pwn=1</script>">',
  "[x](javascript:window.__pwn=1)",
  "[x](JaVaScRiPt&#58;window.__pwn=1)",
  "[x](data:text/html,<script>__pwn=1</script>)",
  '[t](https://a.invalid "\\" onmouseover=\\"__pwn=1")',
  "![p](https://evil.invalid/p.png)",
  "<style>*{display:none}</style>",
  "```html\n</code></pre><script>__pwn=1</script>\n```",
];
const ALLOWED = new Set("!doctype html head meta title style body main header h1 dl dt dd section p a pre code details summary strong span".split(" "));
const base = { turn: TurnId.parse("t"), entry: EntryId.parse("e"), at: 0, left: false } as const;
const viewWith = (words: readonly string[], title: string) => {
  const rows: readonly Row[] = words.flatMap((said, at) => [
    { kind: "prompt", id: `${at}`, blocks: [text(said)], ...base } as const,
    { kind: "text", id: `${at}.0`, text: said, ...base } as const,
  ]);
  return { ...emptyView(SessionId.parse("s")), title, cwd: "/home/me", rows };
};
const redact = (said: string) => said.replaceAll("sk-secret&1", "[masked]");

describe("a session as a page (S3, G03)", () => {
  it("keeps hostile text text: no tag, no handler, no address but the web's", async () => {
    const html = await exportDocument(viewWith(HOSTILE, "</title><script>__pwn=1</script>"), { format: "html", language: "en", redact });
    // Whatever is markup begins with a bare "<": nothing that was said may.
    const tags = [...html.matchAll(/<([^>]*)>/g)].map((tag) => tag[1] ?? "");
    const names = new Set(tags.map((tag) => /^\/?(!?\w+)/.exec(tag)?.[1]?.toLowerCase()));
    expect([...names].filter((name) => !ALLOWED.has(name ?? ""))).toEqual([]);
    expect(
      tags.filter((tag) => /\s(?:on\w+|src|srcdoc|action)\s*=\s*[^"]|\s(?:on\w+|src|srcdoc)="/i.test(tag.replace(/"[^"]*"/g, '""').replace(/title=""/g, ""))),
    ).toEqual([]);
    expect([...html.matchAll(/href="([^"]*)"/g)].map((match) => match[1])).toEqual(["https://a.invalid/"]);
    expect(html).toContain(`content="default-src 'none'`);
    expect(html).toContain("<title>&lt;/title&gt;&lt;script&gt;");
  });

  it("masks keys before they become markup, in every format", async () => {
    const view = viewWith(["the key is sk-secret&1"], "sk-secret&1");
    const documents = await Promise.all((["md", "html", "json"] as const).map((format) => exportDocument(view, { format, language: "en", redact })));
    expect(documents.map((one) => [one.includes("sk-secret"), one.includes("[masked]")])).toEqual([
      [false, true],
      [false, true],
      [false, true],
    ]);
  });

  it("speaks the reader's language, renders Markdown and names files safely", async () => {
    const html = await exportDocument(viewWith(["**strong**"], ""), { format: "html", language: "zh-CN", redact });
    expect(html).toContain('<html lang="zh-CN">');
    expect(html).toContain("<strong>strong</strong>");
    expect(html).toContain("文件夹");
    expect(fileNameFor('../a/b: "c"?', "id", "md")).toBe("a b c.md");
    expect(fileNameFor(" .. ", "id", "html")).toBe("id.html");
  });
});
