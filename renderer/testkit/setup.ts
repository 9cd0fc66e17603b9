// What jsdom lacks for the window's components: sizes, observers, scrolling. Nothing here changes what the code does.
import "#renderer/app/polyfills.ts";
import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";

const VIEWPORT = { width: 800, height: 600 };
const ROW_HEIGHT = 24;

function rect(width: number, height: number): DOMRectReadOnly {
  return { x: 0, y: 0, top: 0, left: 0, right: width, bottom: height, width, height, toJSON: () => ({ width, height }) };
}

/** Reports a viewport for scrolling boxes and one row's height for everything else, once, right after observing. */
class ResizeObserverStandIn implements ResizeObserver {
  readonly #callback: ResizeObserverCallback;
  constructor(callback: ResizeObserverCallback) {
    this.#callback = callback;
  }
  observe(target: Element): void {
    const scrolls = target instanceof HTMLElement && (target.style.overflowY === "auto" || target.style.overflow === "auto");
    const contentRect = rect(VIEWPORT.width, scrolls ? VIEWPORT.height : ROW_HEIGHT);
    queueMicrotask(() => this.#callback([{ target, contentRect, borderBoxSize: [], contentBoxSize: [], devicePixelContentBoxSize: [] }], this));
  }
  unobserve(): void {}
  disconnect(): void {}
}

if (typeof window !== "undefined") {
  Object.defineProperty(window, "ResizeObserver", { value: ResizeObserverStandIn, writable: true });
  Object.defineProperty(HTMLElement.prototype, "offsetParent", { configurable: true, get: parentOf });
  Object.defineProperty(window, "matchMedia", {
    writable: true,
    value: () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }),
  });
  standInForScrolling();
  Element.prototype.scrollIntoView = () => undefined;
  Element.prototype.hasPointerCapture = () => false;
  Element.prototype.setPointerCapture = () => undefined;
  Element.prototype.releasePointerCapture = () => undefined;
}

/** jsdom lays nothing out, but a list reads back where it was told to scroll to, within its content, and hears of it. */
function standInForScrolling(): void {
  const tops = new WeakMap<HTMLElement, number>();
  Object.defineProperty(HTMLElement.prototype, "scrollHeight", { configurable: true, get: contentHeight });
  Object.defineProperty(HTMLElement.prototype, "scrollTop", {
    configurable: true,
    get(this: HTMLElement) {
      return tops.get(this) ?? 0;
    },
    set(this: HTMLElement, top: number) {
      const next = Math.max(0, Math.min(top, this.scrollHeight - VIEWPORT.height));
      if (next === (tops.get(this) ?? 0)) return;
      tops.set(this, next);
      queueMicrotask(() => this.dispatchEvent(new Event("scroll")));
    },
  });
  Element.prototype.scrollTo = scrollTo;
}

function scrollTo(this: Element, where?: ScrollToOptions | number): void {
  if (typeof where === "object" && where.top !== undefined) this.scrollTop = where.top;
}

/** A list's content says its height in its style. */
function contentHeight(this: HTMLElement): number {
  const content = this.firstElementChild;
  return content instanceof HTMLElement ? Number.parseFloat(content.style.height) || 0 : 0;
}

function parentOf(this: HTMLElement): Element | null {
  return this.parentElement;
}

afterEach(cleanup);
