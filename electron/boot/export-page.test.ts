import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { text } from "#shared/chat/blocks.ts";
import { EntryId, SessionId, TurnId } from "#shared/lib/ids.ts";
import { emptyView } from "#shared/session/empty-view.ts";
import type { Row } from "#shared/session/view.ts";
import { exportDocument, fileNameFor } from "#electron/sessions/export-document.ts";

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
    const page = parseHTML(html).document;
    expect([...page.querySelectorAll("script, img, svg, iframe, form, base, link, object")].map((one) => one.outerHTML)).toEqual([]);
    expect(page.querySelectorAll("style").length).toBe(1);
    const attributes = [...page.querySelectorAll("*")].flatMap((one) => [...one.attributes].map(({ name }) => name));
    expect(attributes.filter((name) => name.startsWith("on") || name === "src" || name === "srcdoc")).toEqual([]);
    expect([...new Set([...page.querySelectorAll("a")].map((link) => link.getAttribute("href")))]).toEqual(["https://a.invalid/"]);
    expect(page.querySelector("meta[http-equiv]")?.getAttribute("content")).toContain("default-src 'none'");
    expect(page.title).toBe("</title><script>__pwn=1</script>");
  });

  it("masks keys before they become markup, in every format", async () => {
    const view = viewWith(["the key is sk-secret&1"], "sk-secret&1");
    for (const format of ["md", "html", "json"] as const) {
      const made = await exportDocument(view, { format, language: "en", redact });
      expect([made.includes("sk-secret"), made.includes("[masked]")], format).toEqual([false, true]);
    }
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
