// A command and what it printed, in the look of a terminal. Long output shows its end; the rest is one click away.
import { memo, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "#renderer/ui/class-names.ts";
import { type AnsiLine, type AnsiPiece, ansiLines } from "./ansi.ts";

const SHOWN_LINES = 16;
/** So few lines more are shown as well: the line that offers them would take as much room. */
const SLACK_LINES = 4;
const EXPANDED_LINES = 2_000;

type TerminalOutputProps = { readonly command: string | undefined; readonly output: string; readonly live?: boolean };

export const TerminalOutput = memo(function TerminalOutput({ command, output, live = false }: TerminalOutputProps) {
  const { t } = useTranslation("cards");
  const [expanded, setExpanded] = useState(false);
  const lines = useMemo(() => ansiLines(output), [output]);
  const limit = expanded ? EXPANDED_LINES : lines.length <= SHOWN_LINES + SLACK_LINES ? SHOWN_LINES + SLACK_LINES : SHOWN_LINES;
  const shown = lines.slice(-limit);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (live && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [live, output]);
  return (
    <div
      ref={box}
      className={cx(
        "selectable bg-term px-3 py-2.5 font-mono text-small whitespace-pre-wrap text-term-ink [overflow-wrap:anywhere]",
        expanded && "max-h-[420px] overflow-y-auto",
      )}
    >
      {command !== undefined && <div className="text-term-dim">{`$ ${command}`}</div>}
      {lines.length > shown.length && (
        <button type="button" className="text-term-dim underline underline-offset-2 hover:text-term-ink" onClick={() => setExpanded(true)} disabled={expanded}>
          {t("shell.earlier", { count: lines.length - shown.length })}
        </button>
      )}
      {shown.map((line, index) => (
        <TerminalLine key={lines.length - shown.length + index} line={line} />
      ))}
      {expanded && (
        <button type="button" className="text-term-dim underline underline-offset-2 hover:text-term-ink" onClick={() => setExpanded(false)}>
          {t("shell.less")}
        </button>
      )}
    </div>
  );
});

function TerminalLine({ line }: { readonly line: AnsiLine }) {
  return (
    <div className="min-h-[18px]">
      {line.map((piece, index) => (
        <span key={index} style={styleOf(piece)}>
          {piece.text}
        </span>
      ))}
    </div>
  );
}

function styleOf(piece: AnsiPiece) {
  return {
    color: typeof piece.color === "number" ? `var(--ansi-${piece.color})` : piece.color,
    fontWeight: piece.bold ? 600 : undefined,
    opacity: piece.dim ? 0.7 : undefined,
    fontStyle: piece.italic ? "italic" : undefined,
    textDecoration: piece.underline ? "underline" : undefined,
  };
}
