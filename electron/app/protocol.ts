// The app's own pages, served from the built folder only, with the policy that keeps everything else out (R1).
import { readFile } from "node:fs/promises";
import { extname, join, normalize, sep } from "node:path";
import { protocol } from "electron";

export const SCHEME = "app";
export const HOME_URL = `${SCHEME}://cairn/index.html`;

const CSP = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "frame-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** What a built page is made of; anything else is not served. */
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
};

/** Must run before the app is ready. */
export function declareScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } }]);
}

/** The file under `root` that an app:// address means; undefined when it points anywhere else. Pure. */
export function fileFor(root: string, address: string): string | undefined {
  try {
    const path = decodeURIComponent(new URL(address).pathname);
    if (path.includes("\0")) return undefined;
    const file = normalize(join(root, path));
    return file.startsWith(root + sep) ? file : undefined;
  } catch {
    return undefined;
  }
}

export function servePages(root: string): void {
  protocol.handle(SCHEME, async (request) => {
    const file = fileFor(root, request.url);
    const type = file === undefined ? undefined : TYPES[extname(file)];
    // Read here: asking the network stack for a file of our own takes several times as long, and the first paint waits for it.
    const bytes = file === undefined || type === undefined ? undefined : await readFile(file).catch(() => undefined);
    if (bytes === undefined) return new Response("Not found", { status: 404 });
    return new Response(bytes, { headers: { "Content-Type": type ?? "", "Content-Security-Policy": CSP, "X-Content-Type-Options": "nosniff" } });
  });
}
