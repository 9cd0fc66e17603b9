// The terminal host of this operating system.
import type { Clock } from "#electron/lib/clock.ts";
import { createPosixPtyHost } from "./pty-posix.ts";
import { createWindowsPtyHost } from "./pty-windows.ts";
import type { PtyHost } from "./pty.ts";

export function createPtyHost(clock: Clock, platform: NodeJS.Platform = process.platform): PtyHost {
  return platform === "win32" ? createWindowsPtyHost(clock) : createPosixPtyHost(clock);
}
