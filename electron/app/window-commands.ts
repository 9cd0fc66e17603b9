// Commands on their way to the page. What comes before the page listens waits for it; the newest is enough.
import type { WindowCommand } from "#shared/commands/window-command.ts";

export interface WindowCommands {
  send(command: WindowCommand): void;
  follow(listener: (command: WindowCommand) => void): Disposable;
}

export function createWindowCommands(): WindowCommands {
  const listeners = new Set<(command: WindowCommand) => void>();
  let waiting: WindowCommand | undefined;
  return {
    send(command) {
      if (listeners.size === 0) waiting = command;
      for (const listener of listeners) listener(command);
    },
    follow(listener) {
      listeners.add(listener);
      if (waiting !== undefined) listener(waiting);
      waiting = undefined;
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  };
}
