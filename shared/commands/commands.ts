// Every command of the window with its keys: the one table behind keymap, menu, palette, cheat sheet and settings (UX 1).
import { z } from "zod";

export const CommandId = z.enum([
  "new",
  "palette",
  "needing",
  "focus_card",
  "stop",
  "background",
  "find",
  "find_next",
  "find_previous",
  "search_all",
  "split",
  "split_down",
  "close_pane",
  "close_tab",
  "next_tab",
  "previous_tab",
  "sidebar",
  "changes",
  "zoom_in",
  "zoom_out",
  "zoom_reset",
  "settings",
  "keys",
]);
export type CommandId = z.infer<typeof CommandId>;

export const COMMAND_GROUPS = ["conversation", "view", "app"] as const;
export type CommandGroup = (typeof COMMAND_GROUPS)[number];

export type CommandInfo = {
  readonly group: CommandGroup;
  /** see chord.ts; "" has none until the person gives it one */
  readonly chord: string;
};

/** In the order in which people meet them. */
export const COMMANDS: Readonly<Record<CommandId, CommandInfo>> = {
  new: { group: "conversation", chord: "Mod+N" },
  needing: { group: "conversation", chord: "Mod+Shift+U" },
  focus_card: { group: "conversation", chord: "Mod+Shift+A" },
  stop: { group: "conversation", chord: "Escape" },
  background: { group: "conversation", chord: "Mod+Shift+B" },
  find: { group: "conversation", chord: "Mod+F" },
  find_next: { group: "conversation", chord: "Mod+G" },
  find_previous: { group: "conversation", chord: "Mod+Shift+G" },
  search_all: { group: "conversation", chord: "Mod+Shift+F" },
  changes: { group: "view", chord: "Mod+Shift+R" },
  split: { group: "view", chord: "Mod+D" },
  split_down: { group: "view", chord: "Mod+Shift+D" },
  close_pane: { group: "view", chord: "Mod+\\" },
  close_tab: { group: "view", chord: "Mod+W" },
  next_tab: { group: "view", chord: "Ctrl+Tab" },
  previous_tab: { group: "view", chord: "Ctrl+Shift+Tab" },
  sidebar: { group: "view", chord: "Mod+B" },
  zoom_in: { group: "view", chord: "Mod+=" },
  zoom_out: { group: "view", chord: "Mod+-" },
  zoom_reset: { group: "view", chord: "Mod+0" },
  palette: { group: "app", chord: "Mod+K" },
  settings: { group: "app", chord: "Mod+," },
  keys: { group: "app", chord: "Mod+/" },
};

/** The person's own keys; "" takes a command's keys away. */
export const KeyBindings = z.partialRecord(CommandId, z.string().max(40));
export type KeyBindings = z.infer<typeof KeyBindings>;

/** The keys of a command as things stand. */
export function chordOf(id: CommandId, own: KeyBindings): string {
  return own[id] ?? COMMANDS[id].chord;
}
