// Up to four panes, in columns and under each other. Where there is no room for all, the one with the keyboard has it alone: the
// others keep their places and come back with the room.
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Group, Panel, Separator } from "react-resizable-panels";
import { useStore } from "zustand";
import { columnsOf, type Layout } from "#renderer/stores/layout.ts";
import { useServices } from "#renderer/stores/services.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Pane } from "./pane.tsx";

const MIN_WIDTH_PX = 320;
const MIN_HEIGHT_PX = 240;
const LINE = "bg-line outline-none hover:bg-agent focus-visible:bg-agent data-[separator=active]:bg-agent";

type Columns = readonly (readonly string[])[];
type Room = { readonly width: number; readonly height: number };

export function Panes() {
  const { t } = useTranslation();
  const { layout } = useServices();
  const { panes, below, focused } = useStore(layout);
  const box = useRef<HTMLDivElement>(null);
  const room = useRoom(box);
  const all = columnsOf({ panes, below });
  const columns = fitting(all, panes[focused] ?? "", room);
  const hidden = panes.length - columns.flat().length;
  return (
    <div ref={box} className="flex min-h-0 min-w-0 flex-1 flex-col">
      {hidden > 0 && (
        <p role="status" className="border-b border-line-soft bg-panel px-[22px] py-1 text-small text-ink-2" data-testid="panes-hidden">
          {t("pane.hidden", { count: hidden })}
        </p>
      )}
      <Sized of={columns.map((column) => column[0] ?? "")} name={`${columns.length}`} orientation="horizontal">
        {columns.map((column, at) => (
          <Slot key={column[0]} id={column[0] ?? ""} first={at === 0} minSize={MIN_WIDTH_PX} line="w-px">
            <Sized of={column} name={`${at}:${column.length}`} orientation="vertical">
              {column.map((id, row) => (
                <Slot key={id} id={`${id} row`} first={row === 0} minSize={MIN_HEIGHT_PX} line="h-px">
                  <ErrorBoundary key={id} title={t("pane.failed")} retry={t("pane.retry")}>
                    <Pane id={id} index={panes.indexOf(id)} focused={panes[focused] === id} />
                  </ErrorBoundary>
                </Slot>
              ))}
            </Sized>
          </Slot>
        ))}
      </Sized>
    </div>
  );
}

/** What can be shown with room enough to read and write in: everything, or what is around the focused pane. */
function fitting(columns: Columns, focused: string, { width, height }: Room): Columns {
  const wide = Math.max(1, Math.floor(width / MIN_WIDTH_PX));
  const high = Math.max(1, Math.floor(height / MIN_HEIGHT_PX));
  const own = columns.findIndex((column) => column.includes(focused));
  const from = Math.max(0, Math.min(own, columns.length - wide));
  const shown = columns.slice(from, from + wide);
  return shown.map((column) => {
    const at = Math.max(0, column.indexOf(focused));
    const top = Math.max(0, Math.min(at, column.length - high));
    return column.slice(top, top + high);
  });
}

function useRoom(box: React.RefObject<HTMLDivElement | null>): Room {
  const [room, setRoom] = useState<Room>({ width: Number.POSITIVE_INFINITY, height: Number.POSITIVE_INFINITY });
  useEffect(() => {
    const element = box.current;
    if (element === null || typeof ResizeObserver === "undefined") return undefined;
    const watching = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {};
      if (width > 0 && height > 0) setRoom({ width, height });
    });
    watching.observe(element);
    return () => watching.disconnect();
  }, [box]);
  return room;
}

type SizedProps = {
  readonly of: readonly string[];
  readonly name: string;
  readonly orientation: "horizontal" | "vertical";
  readonly children: React.ReactNode;
};

/** Remembers what a person made of the room, by how many share it. */
function Sized({ of, name, orientation, children }: SizedProps) {
  const { layout } = useServices();
  const ids = orientation === "vertical" ? of.map((id) => `${id} row`) : of;
  const [before] = useState(() => sizesFor(layout.getState(), ids, name));
  return (
    <Group
      orientation={orientation}
      className="min-h-0 min-w-0 flex-1"
      {...(before === undefined ? {} : { defaultLayout: before })}
      onLayoutChanged={(sizes) => {
        const list = ids.map((id) => sizes[id] ?? 0);
        if (list.length > 1 && list.every((size) => size > 0)) layout.setState((state) => ({ ...state, sizes: { ...state.sizes, [name]: list } }));
      }}
    >
      {children}
    </Group>
  );
}

function sizesFor({ sizes }: Layout, ids: readonly string[], name: string): Record<string, number> | undefined {
  const kept = sizes[name];
  return kept?.length === ids.length && ids.length > 1 ? Object.fromEntries(ids.map((id, at) => [id, kept[at] ?? 0])) : undefined;
}

type SlotProps = {
  readonly id: string;
  readonly first: boolean;
  readonly minSize: number;
  readonly line: string;
  readonly children: React.ReactNode;
};

function Slot({ id, first, minSize, line, children }: SlotProps) {
  return (
    <>
      {!first && <Separator className={`${line} ${LINE}`} />}
      <Panel id={id} minSize={minSize} className="flex">
        <div className="flex min-h-0 min-w-0 flex-1 flex-col overflow-hidden">{children}</div>
      </Panel>
    </>
  );
}
