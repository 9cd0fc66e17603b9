// Letters that answer, only when the card itself has the focus, on purpose; its buttons take Enter and Space like any button (G15).
import type { RefObject } from "react";
import { isImeKey } from "#renderer/ui/ime.ts";
import { useDomEvent } from "#renderer/ui/use-dom-event.ts";

export function useCardKeys(card: RefObject<HTMLElement | null>, keys: Readonly<Record<string, () => void>>): void {
  useDomEvent(card, "keydown", (event) => {
    if (event.repeat || isImeKey(event)) return void (event.repeat && event.preventDefault());
    if (event.target !== event.currentTarget || hasModifier(event)) return;
    const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
    if (act === undefined) return;
    act();
    event.preventDefault();
  });
}

export function hasModifier(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey;
}
