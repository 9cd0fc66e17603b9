// Commands by their names in the composer: those of the window, and what the engine itself reads at the beginning of a message (U8).
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { SlashCommand } from "#renderer/features/composer/suggest.tsx";
import { useServices } from "#renderer/stores/services.tsx";
import type { CommandId } from "#shared/commands/commands.ts";
import { runCommand, useOverlays } from "./run-command.ts";

const OFFERED: readonly CommandId[] = ["new", "changes", "split", "needing", "background", "settings", "keys", "palette"];

export function useSlashCommands(): readonly SlashCommand[] {
  const { t } = useTranslation();
  const services = useServices();
  const overlays = useOverlays();
  return useMemo(
    () => [
      { name: "goal", title: t("composer.goal") },
      ...OFFERED.map((id): SlashCommand => ({ name: id, title: t(`command.${id}`), run: () => runCommand(services, overlays, id) })),
    ],
    [t, services, overlays],
  );
}
