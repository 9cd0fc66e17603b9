// A session as a document (S3). Pure: view and words in, text out. Left branches are not part of it; calls are shown in one line each.
import { contentText, plainText } from "#shared/chat/blocks.ts";
import { assertNever } from "#shared/lib/assert-never.ts";
import { headOf, oneLine, visibleText } from "#shared/lib/text.ts";
import type { Row, SessionView } from "#shared/session/view.ts";

export const EXPORT_FORMATS = ["md", "html", "json"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
/** The document's own words, in the language of who exports. */
export type ExportWords = { readonly language: string } & Readonly<Record<"untitled" | "folder" | "model" | "begun" | "you" | "failed" | "wentBack", string>>;

const RESULT_CHARS = 2_000;
const LINE_CHARS = 120;

export function toMarkdown(view: SessionView, words: ExportWords): string {
  const head = [
    `# ${visibleText(view.title === "" ? words.untitled : view.title)}`,
    "",
    `${words.folder}: ${view.cwd}  `,
    `${words.model}: ${view.maker.model} (${view.maker.provider})  `,
    `${words.begun}: ${new Date(view.createdAt).toISOString()}`,
    "",
  ];
  const rows = view.rows.filter((row) => !row.left).map((row) => rowText(view, row, words));
  return `${[...head, ...rows.filter((part) => part !== "")].join("\n")}\n`;
}

export function toJson(view: SessionView): Readonly<Record<string, unknown>> {
  const { session, title, cwd, createdAt, updatedAt, maker, usage } = view;
  const rows = view.rows.filter((row) => !row.left).map((row) => (row.kind === "call" ? { ...row, detail: view.calls[row.call] } : row));
  return { session, title, cwd, createdAt, updatedAt, maker, usage, rows, checkpoints: view.trail.map((node) => node.checkpoint) };
}

function rowText(view: SessionView, row: Row, words: ExportWords): string {
  switch (row.kind) {
    case "prompt":
      return `## ${words.you}\n\n${plainText(row.blocks)}\n`;
    case "text":
      return `${row.text}\n`;
    case "call": {
      const call = view.calls[row.call];
      if (call === undefined) return "";
      const result = call.forModel === undefined ? "" : `\n\n${fenced(headOf(contentText(call.forModel), RESULT_CHARS))}`;
      return `> **${call.tool}** ${visibleText(oneLine(JSON.stringify(call.input) ?? "", LINE_CHARS))} — ${call.state}${result}\n`;
    }
    case "rolled_back":
      return `_${words.wentBack}_\n`;
    case "thinking":
    case "warning":
    case "compaction":
    case "turn_end":
      return "";
    default:
      return assertNever(row);
  }
}

// A fence longer than any inside, so that the text cannot close it.
function fenced(text: string): string {
  const longest = [...text.matchAll(/`+/g)].reduce((most, run) => Math.max(most, run[0].length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
