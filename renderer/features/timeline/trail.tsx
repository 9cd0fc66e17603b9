// The trail (U6): one stone per checkpoint beside the conversation. A list for keyboard and screen reader, a drawing for the eye.
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "#renderer/stores/services.tsx";
import { useFormat } from "#renderer/i18n/format.ts";
import { causeText } from "#renderer/text/cause-text.ts";
import { cx } from "#renderer/ui/class-names.ts";
import { useDomEvent } from "#renderer/ui/use-dom-event.ts";
import type { CheckpointId } from "#shared/lib/ids.ts";
import { StoneTip } from "./stone-tip.tsx";
import { type Stone, TRAIL_WIDTH, trailOf } from "./trail-geometry.ts";

type TrailProps = { readonly selected: CheckpointId | undefined; readonly onSelect: (id: CheckpointId) => void };

const DEFAULT_ROOM_PX = 600;

export function TrailView({ selected, onSelect }: TrailProps) {
  const { t } = useTranslation("trail");
  const title = useSession((state) => state.view.title);
  const nodes = useSession((state) => state.view.trail);
  const current = useSession((state) => state.view.current);
  const missing = useSession((state) => state.view.missingCheckpoints);
  const box = useRef<HTMLDivElement>(null);
  const room = useRoom(box);
  const list = useRef<HTMLOListElement>(null);
  useDomEvent(list, "keydown", (event) => moveFocus(list.current, event));
  const { stones, links, height } = useMemo(() => trailOf(nodes, room), [nodes, room]);
  const [hovered, setHovered] = useState<CheckpointId>();
  const newest = stones.at(-1)?.id;
  useEffect(() => {
    if (box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [newest]);
  const shown = stones.find((stone) => stone.id === hovered);
  return (
    <aside
      className="relative min-h-0 shrink-0 border-l border-line-soft"
      style={{ width: TRAIL_WIDTH }}
      aria-label={t("label", { title })}
      data-testid="trail"
      onPointerLeave={() => setHovered(undefined)}
    >
      <div ref={box} className="h-full overflow-x-hidden overflow-y-auto [&::-webkit-scrollbar]:hidden">
        <div className="relative" style={{ height }}>
          <svg width={TRAIL_WIDTH} height={height} className="absolute inset-0" aria-hidden>
            {links.map((link) => (
              <path key={link.id} d={link.path} fill="none" stroke="var(--line)" strokeWidth="2" />
            ))}
          </svg>
          <ol ref={list} aria-label={t("list")}>
            {stones.map((stone) => (
              <StoneButton
                key={stone.id}
                stone={stone}
                current={stone.id === current}
                selected={stone.id === selected}
                reachable={stone.id === (selected ?? current ?? newest)}
                onHover={setHovered}
                onSelect={onSelect}
              />
            ))}
          </ol>
        </div>
      </div>
      {shown !== undefined && shown.id !== selected && <StoneTip stone={shown} top={shown.y - (box.current?.scrollTop ?? 0)} room={room} />}
      {missing.length > 0 && <MissingNote why={missing.at(-1)?.why ?? ""} />}
      {stones.length === 0 && <p className="absolute inset-x-0 bottom-4 px-1.5 text-center text-micro text-ink-3">{t("empty")}</p>}
    </aside>
  );
}

type StoneButtonProps = {
  readonly stone: Stone;
  readonly current: boolean;
  readonly selected: boolean;
  readonly reachable: boolean;
  readonly onHover: (id: CheckpointId | undefined) => void;
  readonly onSelect: (id: CheckpointId) => void;
};

function StoneButton({ stone, current, selected, reachable, onHover, onSelect }: StoneButtonProps) {
  return (
    <li>
      <button
        type="button"
        data-testid="trail-stone"
        data-id={stone.id}
        data-current={current}
        data-left={stone.node.left}
        aria-label={useStoneWords(stone, current)}
        aria-current={current ? "step" : undefined}
        aria-haspopup="dialog"
        aria-expanded={selected}
        tabIndex={reachable ? 0 : -1}
        onPointerEnter={() => onHover(stone.id)}
        onFocus={(event) => event.currentTarget.matches(":focus-visible") && onHover(stone.id)}
        onBlur={() => onHover(undefined)}
        onClick={() => onSelect(stone.id)}
        className="group absolute flex h-7 w-9 -translate-x-1/2 -translate-y-1/2 items-center justify-center rounded-full"
        style={{ left: stone.x, top: stone.y }}
      >
        <StonePicture stone={stone} ring={current ? "var(--ask)" : selected ? "var(--line-strong)" : undefined} />
      </button>
    </li>
  );
}

/** Everything a stone shows, in words. */
function useStoneWords(stone: Stone, current: boolean): string {
  const { t } = useTranslation("trail");
  const { moment } = useFormat();
  const { checkpoint, parent, left, pinned = false } = stone.node;
  const key = checkpoint.changes.length > 0 ? "stone" : parent === undefined ? "stoneStart" : "stoneSame";
  const made = t(key, { time: moment(checkpoint.at), label: causeText(t, stone.node), count: checkpoint.changes.length, by: t(`by.${stone.by}`) });
  const words = pinned ? t("pinnedStone", { stone: made }) : made;
  if (current) return t("currentStone", { stone: words });
  return left ? t("leftStone", { stone: words }) : words;
}

const COLOURS = { you: "var(--you)", agent: "var(--agent-stone)", start: "var(--stone)" } as const;

/** Hollow when on a path that was left; ringed where one is. */
function StonePicture({ stone, ring }: { readonly stone: Stone; readonly ring: string | undefined }) {
  const { rx, ry, by, node } = stone;
  const look = node.left ? { fill: "var(--paper)", stroke: COLOURS[by], strokeWidth: 1.6 } : { fill: COLOURS[by], stroke: "var(--paper)", strokeWidth: 2 };
  return (
    <svg width="36" height="28" viewBox="-18 -14 36 28" aria-hidden>
      {ring !== undefined && <ellipse rx={rx + 4.5} ry={ry + 4.5} fill="none" stroke={ring} strokeWidth="2" />}
      <ellipse rx={rx} ry={ry} {...look} className={cx("transition-transform duration-100", ring === undefined && "group-hover:scale-112")} />
    </svg>
  );
}

function MissingNote({ why }: { readonly why: string }) {
  const { t } = useTranslation("trail");
  return (
    <p className="absolute inset-x-0 bottom-1 px-1 text-center text-[10px] leading-3 text-bad" title={why} data-testid="checkpoint-missing">
      {t("missing")}
    </p>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, Home: Number.NEGATIVE_INFINITY, End: Number.POSITIVE_INFINITY };

function moveFocus(list: HTMLElement | null, event: KeyboardEvent): void {
  const step = STEPS[event.key];
  if (step === undefined || list === null) return;
  const stones = [...list.querySelectorAll<HTMLElement>("button")];
  const at = stones.findIndex((stone) => stone === document.activeElement);
  const next = stones[Math.max(0, Math.min(stones.length - 1, at + step))];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}

function useRoom(box: { readonly current: HTMLDivElement | null }): number {
  const [room, setRoom] = useState(DEFAULT_ROOM_PX);
  useEffect(() => {
    const element = box.current;
    if (element === null || typeof ResizeObserver === "undefined") return undefined;
    const observer = new ResizeObserver(() => setRoom(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return room;
}
