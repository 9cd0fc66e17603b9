// The trail (U6): one stone per checkpoint beside the conversation. A list for keyboard and screen reader, a drawing for the eye.
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "#renderer/stores/services.tsx";
import { useFormat } from "#renderer/i18n/format.ts";
import { cx } from "#renderer/ui/class-names.ts";
import type { CheckpointId } from "#shared/lib/ids.ts";
import { causeText } from "./cause-text.ts";
import { StoneTip } from "./stone-tip.tsx";
import { type Stone, TRAIL_WIDTH, trailOf } from "./trail-geometry.ts";

type TrailProps = { readonly selected: CheckpointId | undefined; readonly onSelect: (id: CheckpointId) => void };

const DEFAULT_ROOM_PX = 600;

export function TrailView({ selected, onSelect }: TrailProps) {
  const { t } = useTranslation("trail");
  const nodes = useSession((state) => state.view.trail);
  const current = useSession((state) => state.view.current);
  const missing = useSession((state) => state.view.missingCheckpoints);
  const box = useRef<HTMLDivElement>(null);
  const room = useRoom(box);
  const { stones, links, height } = useMemo(() => trailOf(nodes, room), [nodes, room]);
  const [hovered, setHovered] = useState<CheckpointId>();
  const newest = stones.at(-1)?.id;
  useEffect(() => {
    if (box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [newest]);
  const shown = stones.find((stone) => stone.id === hovered);
  return (
    <aside className="relative min-h-0 shrink-0 border-l border-line-soft" style={{ width: TRAIL_WIDTH }} aria-label={t("label")} data-testid="trail" onPointerLeave={() => setHovered(undefined)}>
      <div ref={box} className="h-full overflow-x-hidden overflow-y-auto [&::-webkit-scrollbar]:hidden">
        <div className="relative" style={{ height }}>
          <svg width={TRAIL_WIDTH} height={height} className="absolute inset-0" aria-hidden>
            {links.map((link) => (
              <path key={link.id} d={link.path} fill="none" stroke="var(--line)" strokeWidth="2" />
            ))}
          </svg>
          <ol aria-label={t("list")} onKeyDown={moveFocus}>
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
  const { t } = useTranslation("trail");
  const { moment } = useFormat();
  const { checkpoint, left } = stone.node;
  const colour = left ? "var(--agent-stone)" : stone.by === "you" ? "var(--you)" : stone.by === "agent" ? "var(--agent-stone)" : "var(--stone)";
  const label = t("stone", { time: moment(checkpoint.at), label: causeText(t, checkpoint.cause), count: checkpoint.changes.length, by: t(`by.${stone.by}`) });
  return (
    <li>
      <button
        type="button"
        data-testid="trail-stone"
        data-id={stone.id}
        data-current={current}
        data-left={left}
        aria-label={current ? t("currentStone", { stone: label }) : left ? t("leftStone", { stone: label }) : label}
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
        <svg width="36" height="28" viewBox="-18 -14 36 28" aria-hidden>
          {(current || selected) && <ellipse rx={stone.rx + 4.5} ry={stone.ry + 4.5} fill="none" stroke={current ? "var(--ask)" : "var(--line-strong)"} strokeWidth="2" />}
          <ellipse
            rx={stone.rx}
            ry={stone.ry}
            fill={left ? "var(--paper)" : colour}
            stroke={left ? colour : "var(--paper)"}
            strokeWidth={left ? 1.6 : 2}
            className={cx("transition-transform duration-100", !current && "group-hover:scale-112")}
          />
        </svg>
      </button>
    </li>
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

function moveFocus(event: KeyboardEvent<HTMLOListElement>): void {
  const step = STEPS[event.key];
  if (step === undefined) return;
  const stones = [...event.currentTarget.querySelectorAll<HTMLElement>("button")];
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
