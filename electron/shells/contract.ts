// Commands in a pty owned by the main process (T15). Every process started is ended, or named if it cannot be.
import type { AbortCause } from "#shared/loop/turn-end.ts";

export type ShellRequest = {
  readonly command: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  /** ends the command when nothing was printed for so long; undefined = no such limit */
  readonly silenceMs?: number;
  /** full output goes here */
  readonly spoolFile: string;
};
export type ShellResult = {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  /** undefined unless it was stopped */
  readonly stopped: AbortCause | undefined;
  /** cleaned for the model: no escapes, no secrets; head and tail when long */
  readonly clean: string;
  readonly totalBytes: number;
  /** the end of the raw output for the eye, bounded */
  readonly raw: string;
  readonly ms: number;
  /** descendants alive after the command ended (background children) */
  readonly stillRunning: readonly { readonly pid: number; readonly name: string }[];
};
export interface ShellRunner {
  /** Never rejects; `failed` when the shell could not be started or the folder is gone. */
  run(
    request: ShellRequest,
    signal: AbortSignal,
    onOutput: (raw: string) => void,
  ): Promise<{ readonly kind: "done"; readonly result: ShellResult } | { readonly kind: "failed"; readonly message: string }>;
  /** Ends everything it ever started that is still alive. */
  close(): Promise<void>;
}
