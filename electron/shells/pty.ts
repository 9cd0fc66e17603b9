// The port behind which terminals of the operating system sit. Late or senseless calls are ignored, never thrown (F15).
import type { Environment } from "#electron/lib/child-environment.ts";

export type TerminalSize = { readonly columns: number; readonly rows: number };
export type PtySpec = {
  readonly file: string;
  readonly args: readonly string[];
  /** must exist */
  readonly cwd: string;
  readonly env: Environment;
  /** `none`: an empty stdin and no way to read keys; `terminal`: the program reads what is written here */
  readonly input: "none" | "terminal";
  readonly size?: TerminalSize;
};
export type PtyExit = { readonly exitCode: number | null; readonly signal: string | null };

export interface Pty {
  readonly pid: number;
  /** the device's path; undefined on Windows */
  readonly device: string | undefined;
  /** the first process has ended; its output may not have been read yet */
  readonly exited: Promise<PtyExit>;
  /** nobody holds the terminal any longer, or it was disposed */
  readonly closed: Promise<void>;
  write(text: string): void;
  /** sizes are clamped to sane values */
  resize(size: TerminalSize): void;
  /** back-pressure: the program waits once the system's buffer is full */
  pause(): void;
  resume(): void;
  /** After the exit: resolves when all that was printed before has been handed on, within 2 s. Never rejects. */
  drain(): Promise<void>;
  /** Stops reading and frees the descriptors; ends no process. Idempotent. */
  dispose(): Promise<void>;
}
export type OpenedPty = { readonly kind: "open"; readonly pty: Pty } | { readonly kind: "failed"; readonly message: string };
export interface PtyHost {
  /** Never rejects. A chunk is only valid during the call of `onData`. */
  open(spec: PtySpec, onData: (chunk: Uint8Array) => void): Promise<OpenedPty>;
}
