import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { I18nextProvider } from "react-i18next";
import { beforeAll, describe, expect, it } from "vitest";
import { createI18n } from "#renderer/i18n/i18n.ts";
import { blocksOf } from "./block-stream.ts";
import { linkTarget, MarkdownBlock, safeUrl } from "./markdown.tsx";
import { OpenLinkProvider } from "./open-link.tsx";
import { TextPictureProvider } from "./text-picture.tsx";

let i18n: Awaited<ReturnType<typeof createI18n>>;
beforeAll(async () => {
  i18n = await createI18n("en");
});

function show(text: string) {
  const opened: string[] = [];
  const { container } = render(
    <I18nextProvider i18n={i18n}>
      <OpenLinkProvider value={(url) => void opened.push(url)}>
        {blocksOf(text).map((block, index) => (
          <MarkdownBlock key={index} text={block} />
        ))}
      </OpenLinkProvider>
    </I18nextProvider>,
  );
  return { container, opened };
}

const HOSTILE = [
  '<img src=x onerror="window.__pwn=1">',
  "<svg onload=__pwn=1>",
  '<iframe srcdoc="<script>parent.__pwn=1</script>">',
  "[x](javascript:window.__pwn=1)",
  "[x](JaVaScRiPt&#58;window.__pwn=1)",
  "[x](data:text/html,<script>__pwn=1</script>)",
  "[x](vbscript:1)",
  '<a href="x" onclick="__pwn=1">y</a>',
  "<form action=https://evil.invalid><input name=q></form>",
  "<style>*{display:none}</style>",
  '<base href="https://evil.invalid/">',
  '[t](https://a.invalid "\\" onmouseover=\\"__pwn=1")',
  "![track](https://evil.invalid/pixel.png)",
  "[f](file:///etc/passwd) [s](smb://evil/share) [m](ms-msdt:/id) [r](../../x)",
  '```html\n<img src=x onerror="window.__pwn=1">\n```',
  "```mermaid\n<script>__pwn=1</script>\n```",
  "- item\n\n  ```html\n  <script>__pwn=1</script>\n  ```",
];

describe("hostile Markdown (G03)", () => {
  it.each(HOSTILE)("shows %j as text that can do nothing", (text) => {
    const { container, opened } = show(text);
    expect(container.querySelectorAll("img, svg[onload], iframe, script, form, style, base, a, object, embed, link, meta")).toHaveLength(0);
    const attributes = [...container.querySelectorAll("*")].flatMap((element) => [...element.attributes].map((attribute) => attribute.name));
    expect(attributes.filter((name) => name.startsWith("on") || ["href", "src", "srcdoc", "action"].includes(name))).toEqual([]);
    for (const link of container.querySelectorAll("[role=link]")) fireEvent.click(link);
    expect(opened.every((url) => /^https:\/\/(a|evil)\.invalid/.test(url))).toBe(true);
    expect("__pwn" in window).toBe(false);
    expect(container.textContent?.trim()).not.toBe("");
  });
});

describe("links", () => {
  it("go to the opener, by click and by Enter, with their true target shown", () => {
    const { opened } = show("[bank](https://аpple.com/pay) and [other](https://ok.invalid@evil.invalid/)");
    const [first, second] = screen.getAllByRole("link");
    expect([first?.title, second?.title]).toEqual(["https://xn--pple-43d.com/pay", "https://evil.invalid"]);
    if (first !== undefined) fireEvent.click(first);
    if (second !== undefined) fireEvent.keyDown(second, { key: "Enter" });
    expect(opened).toEqual(["https://xn--pple-43d.com/pay", "https://ok.invalid@evil.invalid/"]);
    cleanup();
  });

  it.each([
    ["https://a.b", "https://a.b"],
    ["mailto:a@b.c", "mailto:a@b.c"],
    ["javascript:1", ""],
    ["file:///x", ""],
    ["src/app.ts:10", ""],
    ["#frag", ""],
    ["\\\\evil\\share", ""],
  ])("safeUrl(%j) is %j", (url, safe) => {
    expect(safeUrl(url)).toBe(safe);
  });

  it("names a mail address as it is", () => {
    expect(linkTarget("mailto:a@b.c")).toBe("mailto:a@b.c");
  });
});

describe("Markdown", () => {
  it("shows tables, lists and code with its language", () => {
    const { container } = show("| a | b |\n|---|---|\n| 1 | 2 |\n\n- one\n- two\n\n```ts\nconst x = 1;\n```");
    expect(container.querySelectorAll("td")).toHaveLength(2);
    expect(container.querySelectorAll("li")).toHaveLength(2);
    expect(container.querySelector("[data-code-block]")?.textContent).toContain("const x = 1;");
    expect(container.querySelector("[data-code-block]")?.textContent).toContain("ts");
  });

  it("mounts only the beginning of a huge code block until one asks for all of it", () => {
    const code = Array.from({ length: 3_000 }, (_, index) => `line ${index}`).join("\n");
    const { container } = show(`\`\`\`\n${code}\n\`\`\``);
    expect(container.textContent).not.toContain("line 2999");
    fireEvent.click(screen.getByText("Show all 3000 lines"));
    expect(container.textContent).toContain("line 2999");
  });
});

describe("formulas", () => {
  it("are drawn as MathML, in a line and on their own, also in a fence", async () => {
    const { container } = show("So \\(a_1 + \\frac{b_2}{c}\\) and $x^2$:\n\n\\[\n\\sum_{i=1}^n i\n\\]\n\n```math\n\\sqrt{2}\n```\n\nIt costs $5 or $10.");
    await waitFor(() => expect(container.querySelectorAll("[data-formula] > math")).toHaveLength(4));
    expect(container.querySelectorAll("mfrac")).toHaveLength(1);
    expect(container.querySelector("msub")?.textContent).toBe("a1");
    expect(container.querySelectorAll("math[display=block]")).toHaveLength(2);
    expect(container.querySelector("mfrac")?.namespaceURI).toBe("http://www.w3.org/1998/Math/MathML");
    expect(container.textContent).toContain("It costs $5 or $10.");
    cleanup();
  });

  it("that cannot be read, or never end, are shown as they are written; none loads, links or styles (R1)", async () => {
    const hostile = [
      "\\frac{",
      "\\def\\a{\\a\\a}\\a",
      "\\href{javascript:window.__pwn=1}{x}",
      "\\includegraphics{https://evil.invalid/x.png}",
      "\\htmlStyle{position:fixed}{x}",
      "\\url{https://evil.invalid}",
      "\\text{<img src=x onerror=__pwn=1>}",
      "\\rule{9999em}{9999em}",
    ];
    const { container } = show(hostile.map((tex) => `- \\(${tex}\\)`).join("\n"));
    await waitFor(() => expect(container.querySelectorAll("[data-formula], li code")).toHaveLength(hostile.length));
    await waitFor(() => expect(container.querySelectorAll("[data-formula]").length).toBeGreaterThan(0));
    expect(container.querySelectorAll("math a, math img, img, [href], [src], [style], annotation")).toHaveLength(0);
    expect([...container.querySelectorAll("li code")].map((code) => code.textContent)).toContain("\\frac{");
    expect("__pwn" in window).toBe(false);
    cleanup();
  });
});

describe("pictures", () => {
  it("of the folder are drawn by the window; others stay their words and a link (R1)", () => {
    const drawn: string[][] = [];
    const text =
      "![a plot](out/plot%201.png) ![](./b.png) ![w](C:/w.png) ![f](file:///home/me/f.png) ![net](https://evil.invalid/x.png) ![d](data:image/png;base64,AA) ![u](//host/x.png) ![s](smb://host/x.png) ![h](file://host/x.png)";
    const { container } = render(
      <TextPictureProvider value={(path, alt) => (drawn.push([path, alt]), "drawn ")}>
        <MarkdownBlock text={text} />
      </TextPictureProvider>,
    );
    expect(drawn).toEqual([
      ["out/plot 1.png", "a plot"],
      ["./b.png", "./b.png"],
      ["C:/w.png", "w"],
      ["/home/me/f.png", "f"],
    ]);
    expect([...container.querySelectorAll("[role=link]")].map((link) => link.textContent)).toEqual(["net"]);
    expect(container.textContent).toContain("drawn");
    expect(container.querySelectorAll("img, [src], [href]")).toHaveLength(0);
    cleanup();
  });
});
