// What the palette offers: every session, and every command of the shell with its keys.
import type { PaletteAction } from "#renderer/features/palette/palette.tsx";
import { folderName } from "#renderer/features/sessions/group-sessions.ts";
import { openTab } from "#renderer/stores/layout.ts";
import type { Services } from "#renderer/stores/services.tsx";
import { closeFocusedPane, closeFocusedTab, goToNeeding, newStart, splitRight, stepTab, toggleChanges, toggleSettings, toggleSidebar } from "./commands.ts";

type Translate = (key: string) => string;

export function paletteActions(services: Services, t: Translate): readonly PaletteAction[] {
  const { list, layout, screen, facts } = services;
  const mod = facts.platform === "darwin" ? "⌘" : "Ctrl+";
  const shift = facts.platform === "darwin" ? "⇧" : "Shift+";
  const sessions = list.getState().map(
    (session): PaletteAction => ({
      id: session.id,
      group: "sessions",
      title: session.title === "" ? t("session.untitled") : session.title,
      hint: folderName(session.cwd),
      run: () => {
        screen.setState({ kind: "work" }, true);
        layout.setState((state) => openTab(state, { kind: "session", id: session.id }));
      },
    }),
  );
  const action = (id: string, hint: string, run: () => void): PaletteAction => ({ id, group: "actions", title: t(`command.${id}`), hint, run });
  return [
    ...sessions,
    action("new", `${mod}N`, () => newStart(services, undefined)),
    action("needing", `${mod}${shift}U`, () => void goToNeeding(services)),
    ...(screen.getState().kind === "work" ? [action("changes", `${mod}${shift}R`, toggleChanges)] : []),
    action("split", `${mod}D`, () => splitRight(services)),
    action("close_pane", `${mod}\\`, () => closeFocusedPane(services)),
    action("close_tab", `${mod}W`, () => closeFocusedTab(services)),
    action("next_tab", "Ctrl+Tab", () => stepTab(services, 1)),
    action("sidebar", `${mod}B`, () => toggleSidebar(services)),
    action("settings", `${mod},`, () => toggleSettings(services)),
  ];
}
