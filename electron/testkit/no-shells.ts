// A board of shells on which nothing ever runs.
import type { ShellBoard } from "#electron/bridge/contract.ts";

export const noShells: ShellBoard = {
  list: async () => [],
  follow: () => ({ [Symbol.dispose]() {} }),
  moveToBackground: async () => false,
  stop: async () => undefined,
};
