// The conversation as a virtual list: rows of the session, then what is being written right now.
import { ArrowDown } from "lucide-react";
import { Fragment, memo, type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { VList } from "virtua";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import { Button } from "#renderer/ui/button.tsx";
import { cx } from "#renderer/ui/class-names.ts";
import type { TranscriptActions } from "./actions.ts";
import { callsIn, createSplitter, type Item, itemsOf, withLive } from "./items.ts";
import { LeftRows, LookedAround, Thinking, Writing } from "./folds.tsx";
import { PromptRow } from "./prompt-row.tsx";
import { CompactionRow, RolledBackRow, TextBlock, TurnEndRow, WarningRow } from "./rows.tsx";
import { Working } from "./working.tsx";
import { FindBar } from "./find-bar.tsx";
import { useFind } from "./use-find.ts";
import { useFollowTail } from "./use-follow-tail.ts";

/** Rows mounted beyond the edges; less shows blank strips when scrolling fast. */
const BUFFER_PX = 1_000;

export function Transcript(actions: TranscriptActions) {
  const { t } = useTranslation();
  const { scrollPlaces } = useServices();
  const session = useSession((state) => state.view.session);
  const rows = useSession((state) => state.view.rows);
  const calls = useSession((state) => state.view.calls);
  const live = useSession((state) => state.live);
  const { finished } = live;
  const split = useMemo(createSplitter, []);
  const settled = useMemo(() => itemsOf(rows, calls, (row) => split(row, finished)), [rows, calls, split, finished]);
  const shown = useMemo(() => callsIn(settled), [settled]);
  const items = useMemo(() => withLive(settled, shown, live), [settled, shown, live]);
  // The list asks by position: nothing is built for what is not on screen.
  const places = useMemo(() => ({ length: items.length }), [items]);
  const sent = useMemo(() => rows.filter((row) => row.kind === "prompt").length, [rows]);
  const tail = useFollowTail({ count: items.length, version: items, sent, places: scrollPlaces, place: session });
  const { letGo } = tail;
  const find = useFind({ session, items: settled, calls, box: tail.box, list: tail.list, letGo });
  return (
    <div className="relative min-h-0 flex-1" data-transcript data-testid="transcript" role="log" aria-live="off" aria-label={t("transcript.label")}>
      <div ref={tail.box} className="h-full">
        <VList
          ref={tail.list}
          data={places}
          {...(tail.cache === undefined ? {} : { cache: tail.cache })}
          bufferSize={BUFFER_PX}
          onScroll={tail.onScroll}
          onResize={tail.onResize}
          className="h-full pr-[11px] pb-2 pl-[22px] [scrollbar-gutter:stable]"
          tabIndex={0}
        >
          {(_: unknown, index: number) => {
            const item = items.at(index);
            return item === undefined ? <Fragment /> : <ItemView key={item.key} item={item} actions={actions} />;
          }}
        </VList>
      </div>
      {find.finding !== undefined && (
        <FindBar session={session} finding={find.finding} found={find.found} onStep={find.step} onClose={() => (find.close(), actions.onFindClosed())} />
      )}
      {!tail.following && (
        <Button size="small" className="rise absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full shadow-float" onClick={tail.jump}>
          <ArrowDown size={14} aria-hidden /> {t("transcript.jump")}
        </Button>
      )}
    </div>
  );
}

const ItemView = memo(
  function ItemView({ item, actions }: { readonly item: Item; readonly actions: TranscriptActions }) {
    return (
      <div data-item={item.key} className={cx("measure", gapOf(item))}>
        {contentOf(item, actions)}
      </div>
    );
  },
  (before, after) => sameItem(before.item, after.item),
);

function gapOf(item: Item): string {
  if (item.kind === "prompt") return "pt-6";
  if (item.kind === "text") return item.first ? "pt-3.5" : "pt-2.5";
  if (item.kind === "turn_end") return "pt-2.5";
  return "pt-3";
}

function sameItem(a: Item, b: Item): boolean {
  if (a === b) return true;
  if ("row" in a && "row" in b) return a.row === b.row;
  if (a.kind === "text" && b.kind === "text") return a.text === b.text && a.growing === b.growing;
  if (a.kind === "working") return b.kind === "working";
  if (a.kind === "call" && b.kind === "call") return a.call === b.call;
  return a.kind === "looked_around" && b.kind === "looked_around" && a.calls.join() === b.calls.join();
}

function contentOf(item: Item, actions: TranscriptActions): ReactNode {
  switch (item.kind) {
    case "prompt":
      return <PromptRow row={item.row} actions={actions} />;
    case "text":
      return <TextBlock text={item.text} growing={item.growing} />;
    case "thinking":
      return <Thinking text={item.text} growing={item.growing} />;
    case "call":
      return actions.renderCall(item.call);
    case "looked_around":
      return <LookedAround calls={item.calls} renderCall={actions.renderCall} />;
    case "warning":
      return <WarningRow row={item.row} />;
    case "compaction":
      return <CompactionRow row={item.row} />;
    case "turn_end":
      return <TurnEndRow row={item.row} onReview={actions.onReview} onUndoTurn={actions.onUndoTurn} onAct={actions.onAct} onResend={actions.onResend} />;
    case "rolled_back":
      return <RolledBackRow row={item.row} />;
    case "left":
      return <LeftRows rows={item.rows} renderCall={actions.renderCall} />;
    case "writing":
      return <Writing tool={item.tool} chars={item.chars} />;
    case "working":
      return <Working />;
  }
}
