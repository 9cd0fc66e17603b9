// Commands in a pty owned by the main process (T15). Every process started is ended, or named if it cannot be.
import type { CallId, SessionId } from "#shared/lib/ids.ts";
import type { AbortCause } from "#shared/loop/turn-end.ts";

export type ShellRequest = {
  readonly command: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  /** ends the command when nothing was printed for so long; undefined = no such limit */
  readonly silenceMs?: number;
  /** full output goes here; the file is only made when the output is too long for the model or asked for */
  readonly spoolFile: string;
  /** what it starts is ended with this session; undefined: with the app */
  readonly session?: SessionId;
};
/** A command that is followed by its handle. Without `timeoutMs` it may run for ever. */
export type ShellStart = Omit<ShellRequest, "timeoutMs"> & {
  readonly timeoutMs?: number;
  /** `none` (default): stdin is empty and no key can be read; `terminal`: `ShellRun.write` is what it reads */
  readonly input?: "none" | "terminal";
  /** raw text from the first byte on, one per frame at most; `ShellRun.onOutput` only hears what comes later */
  readonly onOutput?: (raw: string) => void;
};
export type ProcessName = { readonly pid: number; readonly name: string };
export type ShellResult = {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  /** which limit ended it when `timedOut` */
  readonly timeout?: "total" | "silence";
  /** undefined unless it was stopped */
  readonly stopped: AbortCause | undefined;
  /** cleaned for the model: no escapes, no secrets; head and tail when long */
  readonly clean: string;
  readonly totalBytes: number;
  /** where all of the output is; undefined when `clean` has all of it. `whole` is false past the size limit or on a full disk */
  readonly stored?: { readonly file: string; readonly whole: boolean };
  /** the end of the raw output for the eye, bounded */
  readonly raw: string;
  readonly ms: number;
  /** descendants alive after the command ended (background children) */
  readonly stillRunning: readonly ProcessName[];
  /** what could not be ended although it had to be */
  readonly unended?: readonly ProcessName[];
  /** programs that waited for keys which nobody can press, and were ended for it */
  readonly waitedForKeys?: readonly ProcessName[];
};
/** Output that is new since byte `from` of the raw stream. */
export type ShellOutput = {
  /** cleaned like `ShellResult.clean` */
  readonly clean: string;
  /** pass it as `from` to go on */
  readonly next: number;
};
export interface ShellRun {
  readonly id: string;
  readonly pid: number;
  readonly command: string;
  readonly session: SessionId | undefined;
  /** ms since the epoch */
  readonly startedAt: number;
  readonly input: "none" | "terminal";
  /** Resolves when the command has ended and its output is read; never rejects. */
  readonly done: Promise<ShellResult>;
  /** Set once `done` has resolved. */
  readonly result: ShellResult | undefined;
  /** Raw text, one per frame at most. Only what comes from now on. */
  onOutput(listener: (raw: string) => void): Disposable;
  /** Never rejects. */
  read(from: number): Promise<ShellOutput>;
  /** False when it takes no input or has ended. */
  write(text: string): boolean;
  resize(columns: number, rows: number): void;
  /** Ends it and all it started; `done` resolves within 5 s. */
  stop(cause: AbortCause): void;
  /** Takes the time limits away: it goes on in the background. */
  keepGoing(): void;
}
export type ShellFailure = { readonly kind: "failed"; readonly message: string };
/** A command, or what it left running, as the person may see and stop it. */
export type LivingShell = {
  readonly id: string;
  readonly command: string;
  readonly session: SessionId | undefined;
  readonly startedAt: number;
  readonly ended: boolean;
  readonly processes: readonly ProcessName[];
};

export interface ShellRunner {
  /** Never rejects; `failed` when the shell could not be started or the folder is gone. */
  run(
    request: ShellRequest,
    signal: AbortSignal,
    onOutput: (raw: string) => void,
  ): Promise<{ readonly kind: "done"; readonly result: ShellResult } | ShellFailure>;
  /** The same with a handle. Never rejects. */
  start(request: ShellStart): Promise<{ readonly kind: "started"; readonly run: ShellRun } | ShellFailure>;
  /** Everything alive: commands, and children that outlived theirs. Never rejects. */
  living(): Promise<readonly LivingShell[]>;
  /** Ends one command or what it left running; resolves with what could not be ended. Never rejects. */
  end(id: string): Promise<readonly ProcessName[]>;
  /** Ends everything of a session that is still alive. Never rejects. */
  endSession(session: SessionId): Promise<readonly ProcessName[]>;
  /** Ends everything it ever started that is still alive. */
  close(): Promise<void>;
}

/** Commands that go on beside the conversation, by short ids the model can say. */
export type BackgroundShell = { readonly id: string; readonly run: ShellRun };
export interface BackgroundShells {
  start(
    session: SessionId,
    request: Omit<ShellStart, "session" | "timeoutMs" | "silenceMs">,
  ): Promise<{ readonly kind: "started"; readonly shell: BackgroundShell } | ShellFailure>;
  find(session: SessionId, id: string): BackgroundShell | undefined;
  list(session: SessionId): readonly BackgroundShell[];
  /** New output since the last call for this shell. */
  readNew(shell: BackgroundShell): Promise<string>;
  /** A foreground call that may be sent to the background; dispose when it has ended. `moved` resolves only if it is sent. */
  offer(call: CallId, run: ShellRun): Disposable & { readonly moved: Promise<BackgroundShell> };
  /** The person sends a running call to the background; false when there is no such call. */
  moveToBackground(call: CallId): boolean;
  /** Those that have ended by themselves since this was last asked, and whose end nobody has read. */
  takeEnded(session: SessionId): readonly BackgroundShell[];
  /** Called when a command came to the background, and when one of them has ended. */
  follow(listener: (session: SessionId) => void): Disposable;
}
