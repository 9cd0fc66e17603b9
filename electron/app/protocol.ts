// The app's own pages, served from the built folder only, with the policy that keeps everything else out (R1).
import { join, normalize, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { net, protocol } from "electron";

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
    if (file === undefined) return new Response("Not found", { status: 404 });
    const found = await net.fetch(pathToFileURL(file).href).catch(() => undefined);
    if (found === undefined) return new Response("Not found", { status: 404 });
    const headers = new Headers(found.headers);
    headers.set("Content-Security-Policy", CSP);
    headers.set("X-Content-Type-Options", "nosniff");
    return new Response(found.body, { status: found.status, headers });
  });
}
