// A session as one page that needs nothing else and can do nothing: no script, no picture, no address but links of the web (S3, G03).
// What people, models and tools wrote is only ever text in it, and a policy in its head holds even where that should fail.
import { Marked } from "marked";
import { contentText, plainText } from "#shared/chat/blocks.ts";
import { assertNever } from "#shared/lib/assert-never.ts";
import { headOf, visibleText } from "#shared/lib/text.ts";
import type { Row, SessionView } from "#shared/session/view.ts";
import type { ExportWords } from "./export.ts";

const RESULT_CHARS = 20_000;
const LINK_SCHEMES = ["https:", "http:", "mailto:"];
const STYLE = `
:root{color-scheme:light dark;--paper:#fbfaf8;--ink:#26241f;--soft:#6b665c;--line:#e2ded5;--you:#eef2ee;--sunken:#f3f1ec}
@media(prefers-color-scheme:dark){:root{--paper:#1d1c1a;--ink:#e9e6df;--soft:#a39d91;--line:#3a3834;--you:#252b27;--sunken:#272522}}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.6 system-ui,sans-serif}
main{max-width:46rem;margin:0 auto;padding:2.5rem 1.25rem 4rem;overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.3;margin:0 0 .5rem}
header{border-bottom:1px solid var(--line);margin-bottom:1.5rem;padding-bottom:1rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:0;color:var(--soft);font-size:.875rem}dd{margin:0}
.you{background:var(--you);border-radius:.6rem;padding:.6rem .9rem;margin:1.75rem 0 1rem;white-space:pre-wrap}
.who{font-size:.75rem;color:var(--soft);font-weight:600;margin:0}
details{border:1px solid var(--line);border-radius:.5rem;margin:.75rem 0;padding:.4rem .75rem;font-size:.875rem}
summary{cursor:pointer}.failed{color:#b3261e}@media(prefers-color-scheme:dark){.failed{color:#ff8a80}}
pre{background:var(--sunken);border-radius:.5rem;padding:.7rem .9rem;overflow-x:auto;white-space:pre-wrap;font-size:.8125rem}
code{font-family:ui-monospace,SFMono-Regular,Consolas,monospace;font-size:.9em}
table{border-collapse:collapse}td,th{border:1px solid var(--line);padding:.25rem .6rem}
blockquote{border-left:3px solid var(--line);margin-left:0;padding-left:1rem;color:var(--soft)}
.note{color:var(--soft);font-style:italic}`;

/** `redact`: masks keys; it sees every text before it becomes markup, so that nothing hides behind an escape (R3). */
export function toHtml(view: SessionView, words: ExportWords, redact: (text: string) => string): string {
  const safe = (text: string) => escapeHtml(visibleText(redact(text)));
  const title = safe(view.title === "" ? words.untitled : view.title);
  const facts = [
    [words.folder, safe(view.cwd)],
    [words.model, safe(`${view.maker.model} (${view.maker.provider})`)],
    [words.begun, escapeHtml(new Date(view.createdAt).toISOString())],
  ];
  const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
  const rows = view.rows.filter((row) => !row.left).map((row) => rowHtml(view, row, { words, safe, redact }));
  return `<!doctype html>
<html lang="${words.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body><main>
<header><h1>${title}</h1><dl>${facts.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join("")}</dl></header>
${rows.filter((part) => part !== "").join("\n")}
</main></body>
</html>
`;
}

type Writing = { readonly words: ExportWords; readonly safe: (text: string) => string; readonly redact: (text: string) => string };

function rowHtml(view: SessionView, row: Row, { words, safe, redact }: Writing): string {
  switch (row.kind) {
    case "prompt":
      return `<section class="you"><p class="who">${words.you}</p>${safe(plainText(row.blocks))}</section>`;
    case "text":
      return `<section>${markdownHtml(redact(row.text))}</section>`;
    case "call": {
      const call = view.calls[row.call];
      if (call === undefined) return "";
      const state = call.state === "failed" ? ` <span class="failed">${words.failed}</span>` : "";
      const result = call.forModel === undefined ? "" : `<pre>${safe(headOf(contentText(call.forModel), RESULT_CHARS))}</pre>`;
      return `<details><summary><strong>${safe(call.tool)}</strong>${state}</summary><pre>${safe(JSON.stringify(call.input, null, 2) ?? "")}</pre>${result}</details>`;
    }
    case "rolled_back":
      return `<p class="note">${words.wentBack}</p>`;
    case "thinking":
    case "warning":
    case "compaction":
    case "turn_end":
      return "";
    default:
      return assertNever(row);
  }
}

const MARKED = new Marked({
  gfm: true,
  async: false,
  renderer: {
    html: ({ text }) => escapeHtml(text),
    image: ({ text, href }) => escapeHtml(text === "" ? href : text),
    link({ href, tokens }) {
      const inner = this.parser.parseInline(tokens);
      const target = webAddress(href);
      return target === undefined ? inner : `<a href="${escapeHtml(target)}" title="${escapeHtml(target)}" rel="noopener noreferrer">${inner}</a>`;
    },
  },
});

function markdownHtml(text: string): string {
  const html = MARKED.parse(visibleText(text));
  return typeof html === "string" ? html : "";
}

function webAddress(href: string): string | undefined {
  try {
    const url = new URL(href);
    return LINK_SCHEMES.includes(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char);
}
