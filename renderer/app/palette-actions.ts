// What the palette offers: every session, and every command of the table with its keys.
import type { PaletteAction } from "#renderer/features/palette/palette.tsx";
import { folderName } from "#renderer/features/sessions/group-sessions.ts";
import { openTab } from "#renderer/stores/layout.ts";
import type { Services } from "#renderer/stores/services.tsx";
import { chordText } from "#shared/commands/chord.ts";
import { CommandId, chordOf } from "#shared/commands/commands.ts";
import { isOffered, type Overlays, runCommand } from "./run-command.ts";

type Translate = (key: string) => string;

export function paletteActions(services: Services, overlays: Overlays, t: Translate): readonly PaletteAction[] {
  const { list, layout, screen, facts, settings } = services;
  const mac = facts.platform === "darwin";
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
  const commands = CommandId.options
    .filter((id) => isOffered(services, id))
    .map(
      (id): PaletteAction => ({
        id,
        group: "actions",
        title: t(`command.${id}`),
        hint: chordText(chordOf(id, settings.getState().keys), mac),
        run: () => runCommand(services, overlays, id),
      }),
    );
  return [...sessions, ...commands];
}
