// Stays at the end while the reader is there, and where the reader is otherwise (U3, G02). Only the reader's own
// movement lets go: growth, late pictures and re-measuring never do.
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { VListHandle } from "virtua";
import { useDomEvent } from "#renderer/ui/use-dom-event.ts";

const AT_END_PX = 12;
/** A scroll counts as the reader's for this long after a wheel, key or press. */
const INTENT_MS = 400;

export type FollowTail = {
  readonly list: RefObject<VListHandle | null>;
  readonly following: boolean;
  readonly jump: () => void;
  readonly onScroll: (offset: number) => void;
  readonly onResize: () => void;
  /** around the list: hears of the reader's own movements */
  readonly box: RefObject<HTMLDivElement | null>;
};

/** `count` items, `version` changes whenever any of them may have grown, `sent` counts the person's messages. */
export function useFollowTail(count: number, version: unknown, sent: number): FollowTail {
  const list = useRef<VListHandle>(null);
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const lastOffset = useRef(0);
  const intentAt = useRef(Number.NEGATIVE_INFINITY);
  const [following, setFollowing] = useState(true);

  const onIntent = (): void => {
    intentAt.current = performance.now();
  };
  useDomEvent(box, "wheel", onIntent);
  useDomEvent(box, "pointerdown", onIntent);
  useDomEvent(box, "keydown", onIntent);

  const set = useCallback((next: boolean) => {
    follows.current = next;
    setFollowing(next);
  }, []);
  const toEnd = useCallback(() => {
    if (follows.current && count > 0) list.current?.scrollToIndex(count - 1, { align: "end" });
  }, [count]);

  useLayoutEffect(toEnd, [toEnd, version]);
  useEffect(() => {
    set(true);
  }, [set, sent]);
  useEffect(() => {
    const onSelect = (): void => {
      const selection = document.getSelection();
      const inside = selection?.anchorNode?.parentElement?.closest("[data-transcript]");
      if (selection !== null && !selection.isCollapsed && inside) set(false);
    };
    document.addEventListener("selectionchange", onSelect);
    return () => document.removeEventListener("selectionchange", onSelect);
  }, [set]);

  const onScroll = (offset: number): void => {
    const handle = list.current;
    if (handle === null) return;
    const byReader = performance.now() - intentAt.current < INTENT_MS;
    const atEnd = offset + handle.viewportSize >= handle.scrollSize - AT_END_PX;
    if (byReader && offset < lastOffset.current && !atEnd) set(false);
    else if (byReader && atEnd && offset > lastOffset.current) set(true);
    lastOffset.current = offset;
  };
  const jump = (): void => {
    set(true);
    if (count > 0) list.current?.scrollToIndex(count - 1, { align: "end" });
  };
  return { list, following, jump, onScroll, onResize: toEnd, box };
}
