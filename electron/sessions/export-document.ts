// A session in one of the formats it can leave the machine in, keys masked: older sessions may hold what today would have been masked
// on its way in (R3, S3).
import { say } from "#shared/i18n/say.ts";
import en from "#shared/i18n/export.en.json" with { type: "json" };
import zh from "#shared/i18n/export.zh-CN.json" with { type: "json" };
import type { Language } from "#shared/i18n/language.ts";
import type { SessionView } from "#shared/session/view.ts";
import { redactAll } from "#electron/lib/redaction.ts";
import { type ExportFormat, type ExportWords, toJson, toMarkdown } from "./export.ts";

export type Exporting = { readonly format: ExportFormat; readonly language: Language; readonly redact: (text: string) => string };

export async function exportDocument(view: SessionView, { format, language, redact }: Exporting): Promise<string> {
  switch (format) {
    case "md":
      return redact(toMarkdown(view, wordsIn(language)));
    case "json":
      return `${JSON.stringify(redactAll(toJson(view), redact))}\n`;
    case "html": {
      // The Markdown parser is only needed here.
      const { toHtml } = await import("./export-html.ts");
      return toHtml(view, wordsIn(language), redact);
    }
  }
}

function wordsIn(language: Language): ExportWords {
  const word = (key: string) => say(language === "en" ? en : zh, { key: `export.${key}` });
  return {
    language,
    untitled: word("untitled"),
    folder: word("folder"),
    model: word("model"),
    begun: word("begun"),
    you: word("you"),
    failed: word("failed"),
    wentBack: word("wentBack"),
  };
}

/** Safe on every file system, and still to be recognised. */
export function fileNameFor(title: string, fallback: string, format: ExportFormat): string {
  const name = title
    .replace(/[\\/:*?"<>|\p{Cc}\p{Cf}]+/gu, " ")
    .replace(/\s+/g, " ")
    .replace(/^[ .]+|[ .]+$/g, "")
    .slice(0, 60)
    .trim();
  return `${name === "" ? fallback : name}.${format}`;
}
