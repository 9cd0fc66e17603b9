// Stays at the end while the reader is there, and where the reader is otherwise (U3, G02). Only the reader's own
// movement lets go: growth, late pictures and re-measuring never do.
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { CacheSnapshot, VListHandle } from "virtua";
import type { ScrollPlaces } from "#renderer/stores/scroll-places.ts";
import { useDomEvent } from "#renderer/ui/use-dom-event.ts";

const AT_END_PX = 12;
/** A scroll counts as the reader's for this long after a wheel, key or release. */
const INTENT_MS = 400;

export type FollowTail = {
  readonly list: RefObject<VListHandle | null>;
  readonly following: boolean;
  readonly jump: () => void;
  /** the reader goes to another place by other means than scrolling */
  readonly letGo: () => void;
  readonly onScroll: (offset: number) => void;
  readonly onResize: () => void;
  /** around the list: hears of the reader's own movements */
  readonly box: RefObject<HTMLDivElement | null>;
  /** measured sizes of the last visit, if the list is as it was then */
  readonly cache: CacheSnapshot | undefined;
};

type FollowInput = {
  readonly count: number;
  /** changes whenever an item may have grown */
  readonly version: unknown;
  /** the person's messages so far: a new one goes to the end */
  readonly sent: number;
  readonly places: ScrollPlaces;
  readonly place: string;
};

export function useFollowTail({ count, version, sent, places, place }: FollowInput): FollowTail {
  const list = useRef<VListHandle>(null);
  const box = useRef<HTMLDivElement>(null);
  const [before] = useState(() => places.get(place));
  const follows = useRef(before === undefined);
  const [following, setFollowing] = useState(before === undefined);
  const lastOffset = useRef(before?.offset ?? 0);

  const set = useCallback((next: boolean) => {
    follows.current = next;
    setFollowing(next);
  }, []);
  const toEnd = useCallback(() => {
    const scroller = box.current?.firstElementChild;
    // Not the list's own scrollToIndex: that goes on aiming for a while and would pull a reader back who has just scrolled up.
    if (follows.current && scroller instanceof HTMLElement) scroller.scrollTop = scroller.scrollHeight;
  }, []);
  // Upward is upward: it lets go at once, not when a busy window gets round to the scroll event.
  const byReader = useReaderIntent(
    box,
    useCallback(() => {
      const handle = list.current;
      if (handle !== null && handle.scrollSize > handle.viewportSize) set(false);
    }, [set]),
  );
  const jump = useCallback(() => {
    set(true);
    toEnd();
  }, [set, toEnd]);

  useLayoutEffect(() => {
    if (before !== undefined) list.current?.scrollTo(before.offset);
  }, [before]);
  useLayoutEffect(toEnd, [toEnd, version]);
  useNothingBelow(
    version,
    useCallback(() => {
      const handle = list.current;
      if (!follows.current && handle !== null && handle.scrollSize <= handle.viewportSize) set(true);
    }, [set]),
  );
  useSent(sent, jump);
  useSelection(set);
  useRememberPlace({ places, place, count, list, follows, lastOffset });

  const atEnd = (offset: number): boolean => list.current === null || offset + list.current.viewportSize >= list.current.scrollSize - AT_END_PX;
  const onScroll = (offset: number): void => {
    if (byReader() && offset < lastOffset.current && !atEnd(offset)) set(false);
    else if (byReader() && offset > lastOffset.current && atEnd(offset)) set(true);
    lastOffset.current = offset;
  };
  // What the reader opened grows where it is; everything else that grows is followed.
  const onResize = (): void => {
    if (follows.current && byReader() && !atEnd(list.current?.scrollOffset ?? 0)) set(false);
    else toEnd();
  };
  const letGo = useCallback(() => set(false), [set]);
  return { list, following, jump, letGo, onScroll, onResize, box, cache: before?.count === count ? before.cache : undefined };
}

const UPWARD_KEYS: ReadonlySet<string> = new Set(["ArrowUp", "PageUp", "Home"]);

/** True shortly after a wheel or key in the box, and while a button is held down in it (dragging the scroll bar). */
function useReaderIntent(box: RefObject<HTMLDivElement | null>, onUpward: () => void): () => boolean {
  const until = useRef(Number.NEGATIVE_INFINITY);
  const note = (): void => {
    until.current = performance.now() + INTENT_MS;
  };
  useDomEvent(box, "wheel", (event) => {
    note();
    if (event.deltaY < 0 && !event.ctrlKey) onUpward();
  });
  useDomEvent(box, "keydown", (event) => {
    note();
    if (UPWARD_KEYS.has(event.key)) onUpward();
  });
  useDomEvent(box, "pointerdown", () => {
    until.current = Number.POSITIVE_INFINITY;
  });
  useEffect(() => {
    const onUp = (): void => {
      if (until.current === Number.POSITIVE_INFINITY) until.current = performance.now() + INTENT_MS;
    };
    window.addEventListener("pointerup", onUp, true);
    window.addEventListener("pointercancel", onUp, true);
    return () => {
      window.removeEventListener("pointerup", onUp, true);
      window.removeEventListener("pointercancel", onUp, true);
    };
  }, []);
  return useCallback(() => performance.now() <= until.current, []);
}

type Remembered = Pick<FollowInput, "places" | "place" | "count"> & {
  readonly list: RefObject<VListHandle | null>;
  readonly follows: RefObject<boolean>;
  readonly lastOffset: RefObject<number>;
};

/** Leaves behind where the reader was, for the next time the conversation is shown. */
function useRememberPlace({ places, place, count, list, follows, lastOffset }: Remembered): void {
  const latestCount = useRef(count);
  useLayoutEffect(() => {
    latestCount.current = count;
  });
  useLayoutEffect(
    () => () => {
      const cache = list.current?.cache;
      if (follows.current || cache === undefined) places.delete(place);
      else places.set(place, { offset: lastOffset.current, count: latestCount.current, cache });
    },
    [places, place, list, follows, lastOffset],
  );
}

/** One's own new message is where one wants to be. */
function useSent(sent: number, jump: () => void): void {
  const known = useRef(sent);
  useEffect(() => {
    if (known.current === sent) return;
    known.current = sent;
    jump();
  }, [sent, jump]);
}

/** After going back there may be nothing left to scroll to. Looked at once the list has measured what is new. */
function useNothingBelow(version: unknown, look: () => void): void {
  useEffect(() => {
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(look);
    });
    return () => cancelAnimationFrame(frame);
  }, [version, look]);
}

/** Text that is being selected must not move away. */
function useSelection(set: (following: boolean) => void): void {
  useEffect(() => {
    const onSelect = (): void => {
      const selection = document.getSelection();
      const inside = selection?.anchorNode?.parentElement?.closest("[data-transcript]");
      if (selection !== null && !selection.isCollapsed && inside) set(false);
    };
    document.addEventListener("selectionchange", onSelect);
    return () => document.removeEventListener("selectionchange", onSelect);
  }, [set]);
}
