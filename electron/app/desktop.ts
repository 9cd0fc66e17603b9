// Dialogs, links and files of the desktop.
import { type BrowserWindow, dialog, session, shell } from "electron";
import type { Desktop } from "#electron/bridge/contract.ts";
import type { WindowCommands } from "./window-commands.ts";

/** `chosen`: a folder to answer instead of a dialog, so that the app can be driven without hands. */
export function createDesktop(window: () => BrowserWindow | undefined, chosen: string | undefined, commands: WindowCommands): Desktop {
  return {
    followCommands: commands.follow,
    keepWindowData: () => session.defaultSession.flushStorageData(),
    async pickFolder() {
      if (chosen !== undefined) return chosen;
      const parent = window();
      const options = { properties: ["openDirectory" as const, "createDirectory" as const] };
      const picked = parent === undefined ? await dialog.showOpenDialog(options) : await dialog.showOpenDialog(parent, options);
      return picked.filePaths[0];
    },
    openExternal: (url) => shell.openExternal(url),
    async showFile(path) {
      const problem = await shell.openPath(path);
      if (problem !== "") throw new Error(problem);
    },
  };
}
