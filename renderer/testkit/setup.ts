// What jsdom lacks for the window's components: sizes, observers, scrolling. Nothing here changes what the code does.
import "#renderer/app/polyfills.ts";
import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";

const VIEWPORT = { width: 800, height: 600 };
const ROW_HEIGHT = 24;

/** Reports a viewport for scrolling boxes and one row's height for everything else, once, right after observing. */
class ResizeObserverStandIn implements ResizeObserver {
  readonly #callback: ResizeObserverCallback;
  constructor(callback: ResizeObserverCallback) {
    this.#callback = callback;
  }
  observe(target: Element): void {
    const scrolls = target instanceof HTMLElement && (target.style.overflowY === "auto" || target.style.overflow === "auto");
    const contentRect = new DOMRect(0, 0, VIEWPORT.width, scrolls ? VIEWPORT.height : ROW_HEIGHT);
    queueMicrotask(() => this.#callback([{ target, contentRect, borderBoxSize: [], contentBoxSize: [], devicePixelContentBoxSize: [] }], this));
  }
  unobserve(): void {}
  disconnect(): void {}
}

class DomRectStandIn {
  constructor(
    readonly x = 0,
    readonly y = 0,
    readonly width = 0,
    readonly height = 0,
  ) {}
}

if (typeof window !== "undefined") {
  if (!("DOMRect" in window)) Object.defineProperty(window, "DOMRect", { value: DomRectStandIn });
  Object.defineProperty(window, "ResizeObserver", { value: ResizeObserverStandIn, writable: true });
  Object.defineProperty(HTMLElement.prototype, "offsetParent", { configurable: true, get: parentOf });
  Object.defineProperty(window, "matchMedia", { writable: true, value: () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }) });
  Element.prototype.scrollIntoView = () => undefined;
  Element.prototype.hasPointerCapture = () => false;
  Element.prototype.setPointerCapture = () => undefined;
  Element.prototype.releasePointerCapture = () => undefined;
}

function parentOf(this: HTMLElement): Element | null {
  return this.parentElement;
}

afterEach(cleanup);
