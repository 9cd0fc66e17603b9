// Runs ripgrep: one child per search, its output read as it comes, killed when the caller has enough or gives up (T14).
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";

const MAX_STDERR_CHARS = 8_000;
/** A record longer than this is dropped: one minified line must not fill the memory. */
const MAX_RECORD_BYTES = 1_000_000;

export type RipgrepRequest = {
  readonly args: readonly string[];
  readonly cwd: string;
  /** the byte between two records: 10 for lines, 0 for names */
  readonly separator: 0 | 10;
  readonly signal: AbortSignal;
  /** false: enough, stop the search */
  readonly onRecord: (record: string) => boolean;
};
export type RipgrepEnd =
  /** `code`: 0 something found, 1 nothing, 2 something went wrong, perhaps beside results */
  | { readonly kind: "done"; readonly code: number; readonly stderr: string; readonly dropped: number }
  | { readonly kind: "enough"; readonly dropped: number }
  | { readonly kind: "aborted" }
  | { readonly kind: "failed"; readonly message: string };

export interface Ripgrep {
  /** Never rejects. */
  run(request: RipgrepRequest): Promise<RipgrepEnd>;
}

/** Path of the binary that was installed for this platform; throws when there is none. */
export function ripgrepPath(require: (id: string) => string = createRequire(import.meta.url).resolve): string {
  const home = path.dirname(require(`@vscode/ripgrep-${process.platform}-${process.arch}/package.json`));
  const binary = path.join(home, "bin", process.platform === "win32" ? "rg.exe" : "rg");
  // A binary cannot be started from inside the packed archive.
  return binary.replace(/app\.asar(?=[\\/])/, "app.asar.unpacked");
}

export function createRipgrep(binary: string): Ripgrep {
  return {
    run: (request) =>
      request.signal.aborted
        ? Promise.resolve({ kind: "aborted" })
        : // Starting it throws at once for arguments that no process can take.
          run(binary, request).catch(
            (error: unknown): RipgrepEnd => ({ kind: "failed", message: error instanceof Error ? error.message : "ripgrep could not be started" }),
          ),
  };
}

function run(binary: string, request: RipgrepRequest): Promise<RipgrepEnd> {
  const { signal } = request;
  return new Promise((resolve) => {
    const child = spawn(binary, ["--no-config", ...request.args], { cwd: request.cwd, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
    const reader = createRecordReader(request.separator, request.onRecord);
    let stderr = "";
    let enough = false;
    const stop = () => void child.kill("SIGKILL");
    signal.addEventListener("abort", stop, { once: true });
    const settle = (end: RipgrepEnd) => {
      signal.removeEventListener("abort", stop);
      resolve(end);
    };
    child.stdout.on("data", (chunk: Buffer) => {
      if (enough || reader.push(chunk)) return;
      enough = true;
      stop();
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr = `${stderr}${text}`.slice(0, MAX_STDERR_CHARS);
    });
    child.on("error", (error) => settle({ kind: "failed", message: error.message }));
    child.on("close", (code) => {
      if (signal.aborted) return settle({ kind: "aborted" });
      if (!enough && !reader.end()) enough = true;
      if (enough) return settle({ kind: "enough", dropped: reader.dropped() });
      if (code === null) return settle({ kind: "failed", message: "ripgrep was ended by a signal" });
      settle({ kind: "done", code, stderr, dropped: reader.dropped() });
    });
  });
}

/** Cuts a byte stream into records. `push` and `end` answer false when the receiver has enough. */
export function createRecordReader(separator: number, onRecord: (record: string) => boolean) {
  const split = String.fromCharCode(separator);
  let parts: Buffer[] = [];
  let size = 0;
  let skipping = false;
  let dropped = 0;
  const keep = (piece: Buffer) => {
    size += piece.length;
    if (size > MAX_RECORD_BYTES) {
      skipping = true;
      parts = [];
    }
    if (!skipping) parts.push(piece);
  };
  const flush = () => {
    const record = skipping ? undefined : Buffer.concat(parts).toString("utf8");
    if (skipping) dropped++;
    parts = [];
    size = 0;
    skipping = false;
    return record === undefined || record === "" || onRecord(record);
  };
  return {
    push(chunk: Buffer): boolean {
      const first = chunk.indexOf(separator);
      if (first < 0) {
        keep(chunk);
        return true;
      }
      keep(chunk.subarray(0, first));
      if (!flush()) return false;
      const last = chunk.lastIndexOf(separator);
      // Whole records are decoded together: a hundred thousand names would otherwise be as many small copies.
      for (const record of chunk.toString("utf8", first + 1, last).split(split)) if (record !== "" && !onRecord(record)) return false;
      if (last + 1 < chunk.length) keep(chunk.subarray(last + 1));
      return true;
    },
    end: () => (size > 0 ? flush() : true),
    dropped: () => dropped,
  };
}
