// A block of code: language, copy, and no more lines mounted than one can look at.
import { Check, Copy } from "lucide-react";
import { memo, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Token } from "#renderer/text/highlight/protocol.ts";
import { useHighlight } from "#renderer/text/highlight/use-highlight.ts";
import { IconButton } from "#renderer/ui/button.tsx";

const SHOWN_LINES = 400;
const CHUNK_LINES = 100;
const COPIED_MS = 1_500;

type CodeBlockProps = { readonly code: string; readonly language: string; readonly growing?: boolean };

export const CodeBlock = memo(function CodeBlock({ code, language, growing = false }: CodeBlockProps) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const lines = code.replace(/\n$/, "").split("\n");
  // While it grows its end is what one reads; afterwards its beginning.
  const coloured = useHighlight(code, language, growing);
  const shown = all ? lines : growing ? lines.slice(-SHOWN_LINES) : lines.slice(0, SHOWN_LINES);
  return (
    <div className="overflow-hidden rounded-md border border-line bg-raised" data-code-block>
      <div className="flex h-8 items-center border-b border-line-soft pr-1 pl-3 text-micro text-ink-3">
        <span className="flex-1 truncate">{language === "" ? t("code.plain") : language}</span>
        <CopyButton text={code} label={t("code.copy")} />
      </div>
      <div
        className="selectable overflow-x-auto py-2 font-mono text-small -outline-offset-2"
        tabIndex={0}
        role="group"
        aria-label={language === "" ? t("code.plain") : language}
      >
        {chunks(shown).map((chunk, index) => (
          <CodeChunk key={index} text={chunk} tokens={coloured?.slice(index * CHUNK_LINES, (index + 1) * CHUNK_LINES)} />
        ))}
      </div>
      {lines.length > shown.length && (
        <button type="button" className="w-full border-t border-line-soft py-1.5 text-small text-agent hover:underline" onClick={() => setAll(true)}>
          {t("code.showAll", { count: lines.length })}
        </button>
      )}
    </div>
  );
});

type CodeChunkProps = { readonly text: string; readonly tokens: readonly (readonly Token[])[] | undefined };

const CodeChunk = memo(
  function CodeChunk({ text, tokens }: CodeChunkProps) {
    return (
      <pre className="w-max min-w-full px-3 leading-[19px]">
        {tokens === undefined ? text : tokens.map((line, index) => <Line key={index} tokens={line} last={index === tokens.length - 1} />)}
      </pre>
    );
  },
  // The slice is made anew with each drawing; what it holds comes once and stays.
  (a, b) => a.text === b.text && (a.tokens === undefined) === (b.tokens === undefined),
);

function Line({ tokens, last }: { readonly tokens: readonly Token[]; readonly last: boolean }) {
  return (
    <>
      {tokens.map(([text, tone], index) =>
        tone === undefined ? (
          text
        ) : (
          <span key={index} style={{ color: `var(--code-${tone})` }}>
            {text}
          </span>
        ),
      )}
      {last ? "" : "\n"}
    </>
  );
}

function chunks(lines: readonly string[]): readonly string[] {
  const parts: string[] = [];
  for (let at = 0; at < lines.length; at += CHUNK_LINES) parts.push(lines.slice(at, at + CHUNK_LINES).join("\n"));
  return parts;
}

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = window.setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <IconButton label={copied ? t("code.copied") : label} onClick={copy}>
      {copied ? <Check size={14} className="text-ok" /> : <Copy size={14} />}
    </IconButton>
  );
}

/** A fenced block's language and content; undefined when the text is no fenced block. */
export function readFence(block: string): { readonly language: string; readonly code: string } | undefined {
  const open = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\s`]*)[^\n]*(?:\n|$)/.exec(block);
  if (open === null) return undefined;
  const mark = open[1] ?? "```";
  const body = block.slice(open[0].length);
  const close = new RegExp(`(?:^|\\n) {0,3}${mark[0]}{${mark.length},}\\s*$`).exec(body);
  return { language: open[2] ?? "", code: close === null ? body : body.slice(0, close.index) };
}
