// Joins the find bar to the list: counts over the whole stored conversation, goes to a place that may not be mounted, marks it.
import { type RefObject, useCallback, useDeferredValue, useEffect, useMemo, useRef } from "react";
import type { VListHandle } from "virtua";
import { useStore } from "zustand";
import { closeFind, type Finding, setFind } from "#renderer/stores/finds.ts";
import { useServices } from "#renderer/stores/services.tsx";
import type { SessionView } from "#shared/session/view.ts";
import type { Found } from "./find-bar.tsx";
import { itemWith, markWords, type Marked } from "./find-highlight.ts";
import { type FindMatch, findIn, matchAt } from "./find-matches.ts";
import type { Item } from "./items.ts";

/** A list item that is far away is measured only once it is there. */
const FRAMES_TO_SHOW = 40;
const MARGIN_PX = 72;

type FindInput = {
  readonly session: string;
  readonly items: readonly Item[];
  readonly calls: SessionView["calls"];
  readonly box: RefObject<HTMLDivElement | null>;
  readonly list: RefObject<VListHandle | null>;
  readonly letGo: () => void;
};
export type Find = {
  readonly finding: Finding | undefined;
  readonly found: Found;
  readonly step: (by: number) => void;
  readonly close: () => void;
};

export function useFind({ session, items, calls, box, list, letGo }: FindInput): Find {
  const { finds } = useServices();
  const finding = useStore(finds, (all) => all[session]);
  const query = useDeferredValue(finding?.query ?? "");
  const every = useMemo(() => (query === "" ? [] : findIn(items, calls, query)), [items, calls, query]);
  const matches = useMemo(() => (finding?.folded === true ? every : every.filter((match) => !match.folded)), [every, finding?.folded]);
  const at = placeAmong(matches, finding, items, list);
  const current = matches[at];
  useShown({ box, list, letGo, query, current, asked: finding?.asked });
  useMarks(box, finding === undefined ? "" : query, current);
  const step = useCallback(
    (by: number) => matches.length > 0 && setFind(finds, session, { at: (Math.max(0, at) + by + matches.length) % matches.length, place: undefined }),
    [finds, session, matches.length, at],
  );
  useEffect(() => {
    // Where one is stays where it is while more comes in below, and the keys go on from it.
    if (finding !== undefined && finding.at === undefined && at >= 0) setFind(finds, session, { at });
  }, [finds, session, finding, at]);
  useSteps(finding?.steps, step);
  return {
    finding,
    found: { count: matches.length, at, folded: every.length - matches.length },
    step,
    close: useCallback(() => closeFind(finds, session), [finds, session]),
  };
}

/** Keys of the window ask for a step; each is taken once. */
function useSteps(steps: Finding["steps"] | undefined, step: (by: number) => void): void {
  const taken = useRef(steps?.count ?? 0);
  useEffect(() => {
    if (steps === undefined || steps.count === taken.current) return;
    taken.current = steps.count;
    step(steps.by);
  }, [steps, step]);
}

function placeAmong(matches: readonly FindMatch[], finding: Finding | undefined, items: readonly Item[], list: RefObject<VListHandle | null>): number {
  if (finding === undefined || matches.length === 0) return -1;
  if (finding.at !== undefined) return Math.min(finding.at, matches.length - 1);
  const wanted = finding.place === undefined ? -1 : matchAt(matches, items, finding.place);
  if (wanted >= 0) return wanted;
  const handle = list.current;
  const top = handle === null ? 0 : handle.findItemIndex(handle.scrollOffset);
  return Math.max(
    0,
    matches.findIndex((match) => match.index >= top),
  );
}

type Showing = Pick<FindInput, "box" | "list" | "letGo"> & {
  readonly query: string;
  readonly current: FindMatch | undefined;
  readonly asked: number | undefined;
};

/** Brings the place into view: first its list item, then, once that is there, the line; what is folded is opened. */
function useShown({ box, list, letGo, query, current, asked }: Showing): void {
  const { index, key, nth, folded } = current ?? {};
  useEffect(() => {
    if (index === undefined || key === undefined || nth === undefined) return undefined;
    letGo();
    list.current?.scrollToIndex(index, { align: "center" });
    let left = FRAMES_TO_SHOW;
    let frame = 0;
    const look = (): void => {
      const root = box.current;
      const item = root === null ? undefined : itemWith(root, key);
      if (folded === true) item?.querySelector<HTMLElement>("[aria-expanded=false]")?.click();
      if (root && item && intoView(root, query, { key, nth })) return;
      left -= 1;
      if (left > 0) frame = requestAnimationFrame(look);
    };
    frame = requestAnimationFrame(look);
    return () => cancelAnimationFrame(frame);
  }, [box, list, letGo, query, index, key, nth, folded, asked]);
}

/** True when the place is there to be seen. */
function intoView(root: HTMLElement, query: string, at: { readonly key: string; readonly nth: number }): boolean {
  using marked = markWords(root, query, at);
  const scroller = root.firstElementChild;
  if (marked.current === undefined || scroller === null) return false;
  const [place, view] = [marked.current.getBoundingClientRect(), scroller.getBoundingClientRect()];
  if (place.top >= view.top + MARGIN_PX && place.bottom <= view.bottom - MARGIN_PX) return true;
  scroller.scrollTop += place.top - view.top - view.height / 2;
  return true;
}

/** Marks what is on screen, and again whenever that changes; once a frame at most. */
function useMarks(box: RefObject<HTMLDivElement | null>, query: string, current: FindMatch | undefined): void {
  const { key, nth } = current ?? {};
  useEffect(() => {
    const root = box.current;
    if (query === "" || root === null) return undefined;
    let marked: Marked | undefined;
    let frame = 0;
    const mark = (): void => {
      frame = 0;
      marked?.[Symbol.dispose]();
      marked = markWords(root, query, key === undefined || nth === undefined ? undefined : { key, nth });
    };
    const soon = (): void => {
      if (frame === 0) frame = requestAnimationFrame(mark);
    };
    const watching = new MutationObserver(soon);
    watching.observe(root, { childList: true, subtree: true, characterData: true });
    soon();
    return () => {
      watching.disconnect();
      cancelAnimationFrame(frame);
      marked?.[Symbol.dispose]();
    };
  }, [box, query, key, nth]);
}
