// The difference of one file to be reviewed: one under the other or side by side, with a way to comment on every line (U7).
import { MessageSquarePlus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "#renderer/ui/class-names.ts";
import type { DiffHunk, DiffLine, FileDiff } from "#shared/tools/card.ts";
import { type LinePlace, placeOf, type SidePair, sidePairs } from "./side-pairs.ts";

export type ReviewDiffProps = {
  readonly diff: FileDiff;
  readonly split: boolean;
  /** lines shown before "show all" */
  readonly lines: number;
  readonly hunkAction?: (index: number) => ReactNode;
  readonly onComment: (place: LinePlace) => void;
  /** below the line: what was said of it, or where it is being said */
  readonly below: (place: LinePlace) => ReactNode;
};

export function ReviewDiff(props: ReviewDiffProps) {
  const { diff, split, lines, hunkAction } = props;
  const { t } = useTranslation("cards");
  const [all, setAll] = useState(false);
  const total = diff.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  if (diff.binary === true) return <p className="px-3 py-2 text-small text-ink-3">{t("diff.binary")}</p>;
  if (total === 0) return <p className="px-3 py-2 text-small text-ink-3">{t("diff.empty")}</p>;
  const hunks = all ? diff.hunks : firstHunks(diff.hunks, lines);
  return (
    <div className="selectable py-1.5 font-mono text-small leading-[20px]" data-testid="review-diff" data-split={split}>
      {hunks.map((hunk, index) => (
        <div key={index}>
          {index > 0 && <div className="px-3 text-ink-3 select-none">⋯</div>}
          {hunkAction !== undefined && <div className="flex justify-end px-1 font-sans">{hunkAction(index)}</div>}
          {split ? <SplitHunk hunk={hunk} {...props} /> : hunk.lines.map((line, at) => <UnifiedLine key={at} line={line} {...props} />)}
        </div>
      ))}
      {!all && total > lines && (
        <button type="button" className="px-3 pt-1 font-sans text-small text-agent hover:underline" onClick={() => setAll(true)}>
          {t("diff.showAll", { count: total })}
        </button>
      )}
      {diff.cut === true && <p className="px-3 pt-1 font-sans text-small text-ink-3">{t("diff.cut")}</p>}
    </div>
  );
}

const SIGNS = { same: " ", add: "+", del: "−" } as const;

function UnifiedLine({ line, ...rest }: ReviewDiffProps & { readonly line: DiffLine }) {
  const place = placeOf(line);
  return (
    <>
      <div className={cx("group/line relative flex pr-3 whitespace-pre-wrap", line.kind === "add" && "bg-add", line.kind === "del" && "bg-del")}>
        <LineNumber line={line} place={place} onComment={rest.onComment} />
        <span className={cx("w-4 shrink-0", line.kind === "add" && "text-add-ink", line.kind === "del" && "text-del-ink")}>{SIGNS[line.kind]}</span>
        <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{line.text === "" ? " " : line.text}</span>
      </div>
      {place !== undefined && rest.below(place)}
    </>
  );
}

function SplitHunk({ hunk, ...rest }: ReviewDiffProps & { readonly hunk: DiffHunk }) {
  return (
    <div className="grid">
      {sidePairs(hunk).map((pair, index) => (
        <SplitRow key={index} pair={pair} {...rest} />
      ))}
    </div>
  );
}

function SplitRow({ pair, ...rest }: ReviewDiffProps & { readonly pair: SidePair }) {
  const places = [pair.left, pair.right].flatMap((line) => (line === undefined ? [] : (placeOf(line) ?? [])));
  const own = pair.left === pair.right ? places.slice(0, 1) : places;
  return (
    <>
      <div className="grid grid-cols-2">
        <Half line={pair.left} side="old" {...rest} />
        <Half line={pair.right} side="new" {...rest} />
      </div>
      {own.map((place) => (
        <div key={`${place.side} ${place.line}`}>{rest.below(place)}</div>
      ))}
    </>
  );
}

function Half({ line, side, onComment }: ReviewDiffProps & { readonly line: DiffLine | undefined; readonly side: "old" | "new" }) {
  const edge = side === "old" ? "border-r border-line-soft" : "";
  if (line === undefined) return <div className={cx("bg-sunken/40", edge)} />;
  // An unchanged line is commented on where it stands now.
  const place = line.kind === "same" && side === "old" ? undefined : placeOf(line);
  return (
    <div
      data-half={side}
      className={cx("group/line relative flex min-w-0 pr-2 whitespace-pre-wrap", edge, line.kind === "add" && "bg-add", line.kind === "del" && "bg-del")}
    >
      <LineNumber line={line} place={place} number={side === "old" ? line.old : line.new} onComment={onComment} />
      <span className={cx("w-3 shrink-0", line.kind === "add" && "text-add-ink", line.kind === "del" && "text-del-ink")}>{SIGNS[line.kind]}</span>
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{line.text === "" ? " " : line.text}</span>
    </div>
  );
}

type LineNumberProps = {
  readonly line: DiffLine;
  readonly place: LinePlace | undefined;
  readonly number?: number | undefined;
  readonly onComment: (place: LinePlace) => void;
};

function LineNumber({ line, place, number = line.new ?? line.old, onComment }: LineNumberProps) {
  const { t } = useTranslation();
  return (
    <span className={cx("relative w-11 shrink-0 pr-3 text-right select-none", line.kind === "same" ? "text-ink-3" : "text-ink-2")}>
      {number}
      {place !== undefined && (
        <button
          type="button"
          tabIndex={-1}
          aria-label={t(place.side === "old" ? "changes.commentOld" : "changes.commentNew", { line: place.line })}
          title={t("changes.comment")}
          className="absolute inset-y-0 left-1 hidden w-5 items-center justify-center rounded-sm bg-agent text-on-primary group-hover/line:flex focus-visible:flex"
          onClick={() => onComment(place)}
          data-testid="comment-line"
          data-line={`${place.side} ${place.line}`}
        >
          <MessageSquarePlus size={12} aria-hidden />
        </button>
      )}
    </span>
  );
}

function firstHunks(hunks: readonly DiffHunk[], max: number): readonly DiffHunk[] {
  const kept: DiffHunk[] = [];
  let left = max;
  for (const hunk of hunks) {
    if (left <= 0) break;
    kept.push(hunk.lines.length <= left ? hunk : { ...hunk, lines: hunk.lines.slice(0, left) });
    left -= hunk.lines.length;
  }
  return kept;
}
