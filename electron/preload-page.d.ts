// The little of a page that preload.ts touches; the rest of this program has no DOM.
interface PreloadPage {
  addEventListener(type: "message", listener: (event: { readonly source: unknown; readonly data: unknown }) => void): void;
  postMessage(message: unknown, origin: string, transfer: readonly unknown[]): void;
}
declare const window: PreloadPage;
