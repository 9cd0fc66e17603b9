// The menu of the app with every command of the table (U10). Its keys are shown, not taken: the page heeds them itself, so that an
// input method or an open card comes first.
import { app, Menu, type MenuItemConstructorOptions } from "electron";
import { acceleratorOf } from "#shared/commands/chord.ts";
import { type CommandGroup, CommandId, COMMANDS, chordOf, type KeyBindings } from "#shared/commands/commands.ts";
import type { AppTexts } from "./menu-texts.ts";

export type MenuDeps = {
  readonly texts: AppTexts;
  readonly keys: KeyBindings;
  readonly platform: string;
  readonly run: (id: CommandId) => void;
};

export function setMenu(deps: MenuDeps): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate([...menuTemplate(deps)]));
}

/** Pure but for the roles, which Electron fills in. */
export function menuTemplate({ texts, keys, platform, run }: MenuDeps): readonly MenuItemConstructorOptions[] {
  const mac = platform === "darwin";
  const { menu } = texts;
  const command = (id: CommandId): MenuItemConstructorOptions => {
    const chord = chordOf(id, keys);
    return { id, label: texts.command(id), click: () => run(id), ...(chord === "" ? {} : { accelerator: acceleratorOf(chord), registerAccelerator: false }) };
  };
  const group = (name: CommandGroup) => CommandId.options.filter((id) => COMMANDS[id].group === name).map(command);
  const separator: MenuItemConstructorOptions = { type: "separator" };
  const quit: MenuItemConstructorOptions = { role: "quit", label: menu("quit") };
  const edit: readonly MenuItemConstructorOptions[] = [
    { role: "undo", label: menu("undo") },
    { role: "redo", label: menu("redo") },
    separator,
    { role: "cut", label: menu("cut") },
    { role: "copy", label: menu("copy") },
    { role: "paste", label: menu("paste") },
    { role: "selectAll", label: menu("selectAll") },
  ];
  const view: readonly MenuItemConstructorOptions[] = [...group("view"), separator, { role: "togglefullscreen", label: menu("fullScreen") }];
  return [
    ...(mac ? [{ label: app.name, submenu: [{ role: "about" as const, label: menu("about") }, separator, ...group("app"), separator, quit] }] : []),
    { label: menu("file"), submenu: [...group("conversation"), ...(mac ? [] : [separator, ...group("app"), separator, quit])] },
    { label: menu("edit"), submenu: [...edit] },
    { label: menu("view"), submenu: [...view] },
    // Not the ready-made menu: its ⌘W would close the window, not the tab.
    ...(mac ? [{ label: menu("window"), submenu: [{ role: "minimize" as const }, { role: "zoom" as const }, { role: "front" as const }] }] : []),
  ];
}
