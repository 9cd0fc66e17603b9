// A terminal on Windows (ConPTY). The system has no process groups and no way to print without a console, so `input: "none"` only
// means that nothing is ever typed.
import * as nodePty from "node-pty";
import type { Clock } from "#electron/lib/clock.ts";
import type { OpenedPty, Pty, PtyExit, PtyHost, PtySpec } from "./pty.ts";
import { clampSize } from "./terminal-size.ts";

const DRAIN_MS = 200;

export function createWindowsPtyHost(clock: Clock): PtyHost {
  return {
    open(spec, onData): Promise<OpenedPty> {
      try {
        return Promise.resolve({ kind: "open", pty: openTerminal(spec, onData, clock) });
      } catch (error) {
        return Promise.resolve({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
      }
    },
  };
}

function openTerminal(spec: PtySpec, onData: (chunk: Uint8Array) => void, clock: Clock): Pty {
  const { columns, rows } = clampSize(spec.size);
  const terminal = nodePty.spawn(spec.file, [...spec.args], { cwd: spec.cwd, env: { ...spec.env }, cols: columns, rows });
  let over = false;
  const data = terminal.onData((text) => onData(Buffer.from(text)));
  const exited = new Promise<PtyExit>((resolve) => {
    terminal.onExit(({ exitCode }) => {
      over = true;
      resolve({ exitCode, signal: null });
    });
  });
  const whileOpen = (act: () => void) => {
    if (over) return;
    try {
      act();
    } catch {
      // It ended a moment ago.
    }
  };
  return {
    pid: terminal.pid,
    device: undefined,
    exited,
    closed: exited.then(() => undefined),
    write: (text) => whileOpen(() => terminal.write(text)),
    resize: (size) => whileOpen(() => terminal.resize(clampSize(size).columns, clampSize(size).rows)),
    pause: () => whileOpen(() => terminal.pause()),
    resume: () => whileOpen(() => terminal.resume()),
    drain: () => clock.sleep(DRAIN_MS),
    dispose() {
      whileOpen(() => terminal.kill());
      over = true;
      data.dispose();
      return Promise.resolve();
    },
  };
}
