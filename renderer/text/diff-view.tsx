// A change of one file, line by line, with numbers and signs: colour alone never says what was added or removed.
import { memo, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DiffHunk, DiffLine, FileDiff } from "#shared/tools/card.ts";
import { cx } from "#renderer/ui/class-names.ts";
import { VisibleText } from "#renderer/ui/visible-text.tsx";

type DiffViewProps = {
  readonly diff: FileDiff;
  /** lines shown before "show all" */
  readonly lines?: number;
  /** control characters as escapes: where the person decides on what they see */
  readonly exact?: boolean;
  /** said in place of "show all", where nothing can be pressed */
  readonly more?: string;
  /** what can be done to the hunk with this index */
  readonly hunkAction?: (index: number) => ReactNode;
};

const DEFAULT_LINES = 40;

export const DiffView = memo(function DiffView({ diff, lines = DEFAULT_LINES, exact = false, more, hunkAction }: DiffViewProps) {
  const { t } = useTranslation("cards");
  const [all, setAll] = useState(false);
  const total = diff.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  if (diff.binary === true) return <p className="px-3 py-2 text-small text-ink-3">{t("diff.binary")}</p>;
  if (total === 0) return <p className="px-3 py-2 text-small text-ink-3">{t("diff.empty")}</p>;
  const hunks = all ? diff.hunks : firstLines(diff.hunks, lines);
  return (
    <div className="selectable py-1.5 font-mono text-small leading-[20px]">
      <div>
        {hunks.map((hunk, index) => (
          <div key={index}>
            {index > 0 && <div className="px-3 text-ink-3 select-none">⋯</div>}
            {hunkAction !== undefined && <div className="flex justify-end px-1 font-sans">{hunkAction(index)}</div>}
            {hunk.lines.map((line, at) => (
              <Line key={at} line={line} exact={exact} />
            ))}
          </div>
        ))}
      </div>
      {!all && total > lines && <Rest total={total} more={more} onAll={() => setAll(true)} />}
      {diff.cut === true && <p className="px-3 pt-1 font-sans text-small text-ink-3">{t("diff.cut")}</p>}
    </div>
  );
});

type RestProps = { readonly total: number; readonly more: string | undefined; readonly onAll: () => void };

function Rest({ total, more, onAll }: RestProps) {
  const { t } = useTranslation("cards");
  if (more !== undefined) return <p className="px-3 font-sans text-micro text-ink-3">{more}</p>;
  return (
    <button type="button" className="px-3 pt-1 font-sans text-small text-agent hover:underline" onClick={onAll}>
      {t("diff.showAll", { count: total })}
    </button>
  );
}

const SIGNS = { same: " ", add: "+", del: "−" } as const;

function Line({ line, exact }: { readonly line: DiffLine; readonly exact: boolean }) {
  return (
    <div className={cx("flex pr-3 whitespace-pre-wrap", line.kind === "add" && "bg-add", line.kind === "del" && "bg-del")}>
      <span className={cx("w-11 shrink-0 pr-3 text-right select-none", line.kind === "same" ? "text-ink-3" : "text-ink-2")}>{line.new ?? line.old}</span>
      <span className={cx("w-4 shrink-0", line.kind === "add" && "text-add-ink", line.kind === "del" && "text-del-ink")}>{SIGNS[line.kind]}</span>
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{exact ? <VisibleText text={line.text} /> : line.text === "" ? " " : line.text}</span>
    </div>
  );
}

function firstLines(hunks: readonly DiffHunk[], max: number): readonly DiffHunk[] {
  const kept: DiffHunk[] = [];
  let left = max;
  for (const hunk of hunks) {
    if (left <= 0) break;
    kept.push(hunk.lines.length <= left ? hunk : { ...hunk, lines: hunk.lines.slice(0, left) });
    left -= hunk.lines.length;
  }
  return kept;
}
