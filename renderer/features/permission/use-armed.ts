// When an approval may be given: not in the first moment after the card appeared or moved, not by the click that only
// brought the window to the front, and later again whenever somebody is still typing (G15, decision P).
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

export const GRACE_MS = 500;

export type Armed = { readonly armed: boolean /** asked at the moment of a press: state may lag behind it */; readonly isArmed: () => boolean };

/** Disarmed for the grace time after `key` changes, after the window got focus, and after keys typed outside of `card`. */
export function useArmed(key: string, card: RefObject<HTMLElement | null>): Armed {
  const armedAt = useRef(Number.POSITIVE_INFINITY);
  const [armed, setArmed] = useState(false);

  useEffect(() => {
    let timer = 0;
    const disarm = (): void => {
      armedAt.current = performance.now() + GRACE_MS;
      setArmed(false);
      clearTimeout(timer);
      timer = window.setTimeout(() => setArmed(true), GRACE_MS);
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.target instanceof Node && card.current?.contains(event.target)) return;
      // The card's own menu lies elsewhere in the page, and in a menu nobody writes.
      if (event.target instanceof Element && event.target.closest("[role=menu]") !== null) return;
      disarm();
    };
    disarm();
    window.addEventListener("keydown", onKey, true);
    window.addEventListener("focus", disarm);
    const moved = watchPlace(card.current, disarm);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("keydown", onKey, true);
      window.removeEventListener("focus", disarm);
      moved();
    };
  }, [key, card]);

  const isArmed = useCallback(() => performance.now() >= armedAt.current, []);
  return { armed, isArmed };
}

/** Calls back when the element changes its size: its buttons are somewhere else then. */
function watchPlace(element: HTMLElement | null, onMove: () => void): () => void {
  if (element === null || typeof ResizeObserver === "undefined") return () => undefined;
  let first = true;
  const observer = new ResizeObserver(() => {
    if (!first) onMove();
    first = false;
  });
  observer.observe(element);
  return () => observer.disconnect();
}
