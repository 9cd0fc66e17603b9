// What a stone holds, in a glance: cause, time, who, files.
import { type RefObject, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "#renderer/i18n/format.ts";
import { causeText } from "#renderer/text/cause-text.ts";
import { LineCounts } from "#renderer/ui/counts.tsx";
import { StoneDiff } from "./stone-diff.tsx";
import type { Stone } from "./trail-geometry.ts";

const FILES_SHOWN = 6;
const EDGE_PX = 12;
const EXPECTED_HEIGHT_PX = 190;

type StoneTipProps = { readonly stone: Stone; readonly top: number; readonly room: number };

/** The tip grows when its lines come; it stays in sight all the same. */
function useHeight(box: RefObject<HTMLDivElement | null>): number {
  const [height, setHeight] = useState(EXPECTED_HEIGHT_PX);
  useEffect(() => {
    const element = box.current;
    if (element === null || typeof ResizeObserver === "undefined") return undefined;
    const observer = new ResizeObserver(() => setHeight(element.offsetHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return height;
}

/** A stone without changes says what its files are instead of counting none. */
function factsKey({ node }: Stone): string {
  if (node.checkpoint.changes.length > 0) return "facts";
  return node.parent === undefined ? "factsStart" : "factsSame";
}

export function StoneTip({ stone, top, room }: StoneTipProps) {
  const { t } = useTranslation("trail");
  const { moment } = useFormat();
  const { checkpoint, left } = stone.node;
  const box = useRef<HTMLDivElement>(null);
  const height = useHeight(box);
  const y = Math.max(EDGE_PX, Math.min(top - height / 2, room - height - EDGE_PX));
  return (
    <div
      ref={box}
      role="tooltip"
      data-testid="trail-tip"
      className="rise pointer-events-none absolute right-[52px] z-30 grid max-h-[calc(100%-24px)] w-[320px] gap-1.5 overflow-hidden rounded-lg border border-line bg-raised px-3.5 py-3 text-ui shadow-float"
      style={{ top: y }}
    >
      <strong className="font-strong [overflow-wrap:anywhere]">{causeText(t, stone.node)}</strong>
      <span className="text-ink-2">
        {t(factsKey(stone), { time: moment(checkpoint.at), by: t(`by.${stone.by}`), count: checkpoint.changes.length })}
        {left && ` · ${t("left")}`}
        {stone.node.pinned === true && ` · ${t("pinned")}`}
      </span>
      {checkpoint.changes.slice(0, FILES_SHOWN).map((change) => (
        <span key={change.path} className="flex items-center gap-2 font-mono text-small">
          <span className="min-w-0 flex-1 truncate">{change.path}</span>
          {change.by === "person" && <span className="font-sans text-micro text-you">{t("byYou")}</span>}
          <LineCounts added={change.added} removed={change.removed} />
        </span>
      ))}
      {checkpoint.changes.length > FILES_SHOWN && (
        <span className="text-small text-ink-3">{t("moreFiles", { count: checkpoint.changes.length - FILES_SHOWN })}</span>
      )}
      <StoneDiff stone={stone} />
      {checkpoint.uncoveredCount > 0 && <span className="text-small text-ink-3">{t("uncovered", { count: checkpoint.uncoveredCount })}</span>}
      <span className="text-small text-ink-3">{t("clickHint")}</span>
    </div>
  );
}
