// The menu under the right button: what fits the place, spelling first. Built here because only this process hears of the spelling.
import { type BrowserWindow, clipboard, Menu, type MenuItemConstructorOptions } from "electron";
import type { MenuTexts } from "./menu-texts.ts";

const MOST_SUGGESTIONS = 5;

export function giveContextMenu(window: BrowserWindow, texts: () => MenuTexts): void {
  window.webContents.on("context-menu", (_event, params) => {
    const items = itemsFor(window, params, texts());
    if (items.length > 0) Menu.buildFromTemplate([...items]).popup({ window });
  });
}

function itemsFor(window: BrowserWindow, params: Electron.ContextMenuParams, say: MenuTexts): readonly MenuItemConstructorOptions[] {
  const { webContents } = window;
  const { misspelledWord, dictionarySuggestions, isEditable, selectionText, linkURL, editFlags } = params;
  const spelling: readonly MenuItemConstructorOptions[] =
    misspelledWord === ""
      ? []
      : [
          ...dictionarySuggestions.slice(0, MOST_SUGGESTIONS).map((word) => ({ label: word, click: () => webContents.replaceMisspelling(word) })),
          ...(dictionarySuggestions.length === 0 ? [{ label: say("noSuggestion"), enabled: false }] : []),
          { label: say("addWord"), click: () => void webContents.session.addWordToSpellCheckerDictionary(misspelledWord) },
          { type: "separator" as const },
        ];
  const link = /^(https?|mailto):/i.test(linkURL) ? [{ label: say("copyLink"), click: () => clipboard.writeText(linkURL) }] : [];
  if (isEditable) {
    return [
      ...spelling,
      { role: "cut", label: say("cut"), enabled: editFlags.canCut },
      { role: "copy", label: say("copy"), enabled: editFlags.canCopy },
      { role: "paste", label: say("paste"), enabled: editFlags.canPaste },
      { role: "selectAll", label: say("selectAll"), enabled: editFlags.canSelectAll },
    ];
  }
  return selectionText.trim() === "" ? link : [{ role: "copy", label: say("copy") }, ...link];
}
