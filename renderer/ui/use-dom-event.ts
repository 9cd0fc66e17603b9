// Listens on an element that is no control itself (a list, a panel) for keys and presses of what is inside it.
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/** Calls the newest `handler`; it runs before React's own handlers of the elements inside. */
export function useDomEvent<K extends keyof HTMLElementEventMap>(
  ref: RefObject<HTMLElement | null>,
  type: K,
  handler: (event: HTMLElementEventMap[K]) => void,
): void {
  const newest = useRef(handler);
  useLayoutEffect(() => {
    newest.current = handler;
  });
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const listen = (event: HTMLElementEventMap[K]): void => newest.current(event);
    element.addEventListener(type, listen);
    return () => element.removeEventListener(type, listen);
  }, [ref, type]);
}
