// Dialogs, links and files of the desktop.
import { type BrowserWindow, dialog, session, shell } from "electron";
import type { Desktop } from "#electron/bridge/contract.ts";
import type { WindowCommands } from "./window-commands.ts";

/** Answers to give instead of dialogs, so that the app can be driven without hands: a folder, and where to save a file. */
export type Chosen = { readonly pickFolder: string | undefined; readonly saveFile: string | undefined };

export function createDesktop(window: () => BrowserWindow | undefined, chosen: Chosen, commands: WindowCommands): Desktop {
  return {
    followCommands: commands.follow,
    keepWindowData: () => session.defaultSession.flushStorageData(),
    async pickFolder() {
      if (chosen.pickFolder !== undefined) return chosen.pickFolder;
      const parent = window();
      const options = { properties: ["openDirectory" as const, "createDirectory" as const] };
      const picked = parent === undefined ? await dialog.showOpenDialog(options) : await dialog.showOpenDialog(parent, options);
      return picked.filePaths[0];
    },
    async pickSave(name) {
      if (chosen.saveFile !== undefined) return chosen.saveFile;
      const parent = window();
      const options = { defaultPath: name };
      const picked = parent === undefined ? await dialog.showSaveDialog(options) : await dialog.showSaveDialog(parent, options);
      return picked.canceled || picked.filePath === "" ? undefined : picked.filePath;
    },
    openExternal: (url) => shell.openExternal(url),
    async showFile(path) {
      const problem = await shell.openPath(path);
      if (problem !== "") throw new Error(problem);
    },
  };
}
