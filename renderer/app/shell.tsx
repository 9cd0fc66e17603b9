// Tabs above, library at the left, panes in the middle.
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { CheatSheet } from "#renderer/features/keys/cheat-sheet.tsx";
import { ConnectModel } from "#renderer/features/models/connect-model.tsx";
import { Palette } from "#renderer/features/palette/palette.tsx";
import { Library } from "#renderer/features/sessions/library.tsx";
import { SearchPanel } from "#renderer/features/sessions/search-panel.tsx";
import { SettingsScreen } from "#renderer/features/settings/settings-screen.tsx";
import { withRecent } from "#renderer/stores/recent-folders.ts";
import { useServices } from "#renderer/stores/services.tsx";
import { cx } from "#renderer/ui/class-names.ts";
import { useFolderPick } from "#renderer/stores/use-folder-pick.ts";
import { newStart, NARROW_PX } from "./commands.ts";
import { EmptyPanes } from "./empty-panes.tsx";
import { useKeymap } from "./keymap.ts";
import { paletteActions } from "./palette-actions.ts";
import { Panes } from "./panes.tsx";
import { type Overlays, OverlaysProvider } from "./run-command.ts";
import { TopBar } from "./top-bar.tsx";
import { useFork } from "./use-fork.ts";
import { useNarrow } from "./use-narrow.ts";
import { useSeen } from "./use-seen.ts";
import { useWindowCommands } from "./use-window-commands.ts";

type Over = { readonly kind: "palette" | "keys" } | { readonly kind: "search"; readonly query: string };

export function Shell() {
  const { t } = useTranslation();
  const services = useServices();
  const { layout, screen, client, settings, toasts } = services;
  const fork = useFork();
  const { panes, sidebar, sidebarOver } = useStore(layout);
  const narrow = useNarrow(NARROW_PX);
  const settingsOpen = useStore(screen, (state) => state.kind === "settings");
  const [over, setOver] = useState<Over>();
  const overlays = useMemo(
    (): Overlays => ({
      palette: () => setOver({ kind: "palette" }),
      keys: () => setOver({ kind: "keys" }),
      search: (query) => setOver({ kind: "search", query }),
    }),
    [],
  );
  const closeOver = (): void => setOver(undefined);
  useKeymap(overlays);
  useWindowCommands(overlays);
  useSeen();

  const startIn = (cwd: string): void => {
    newStart(services, cwd);
    void client.settings.set({ patch: { recentFolders: withRecent(settings.getState().recentFolders, cwd) } });
  };
  const { problem, pick } = useFolderPick(startIn);
  useEffect(() => {
    if (problem !== undefined) toasts.show({ tone: "bad", notice: { key: `folder.${problem.kind}`, params: { path: problem.path } } });
  }, [problem, toasts]);
  return (
    <OverlaysProvider value={overlays}>
      <div className="flex h-full flex-col">
        <TopBar />
        <div className="relative flex min-h-0 flex-1">
          {(narrow ? sidebarOver : sidebar) && (
            <div className={cx("flex min-h-0", narrow && "absolute inset-y-0 left-0 z-30 shadow-float")}>
              <Library
                onFork={(id) => void fork(id, { kind: "end" }, false)}
                onNew={(cwd) => newStart(services, cwd)}
                onOpenFolder={() => void pick()}
                onSearch={overlays.search}
              />
            </div>
          )}
          {settingsOpen ? (
            <SettingsScreen connect={<ConnectModel onConnected={() => toasts.show({ notice: { key: "toast.modelConnected" } })} />} />
          ) : (
            <main className="flex min-w-0 flex-1">{panes.length === 0 ? <EmptyPanes onNew={() => newStart(services, undefined)} /> : <Panes />}</main>
          )}
        </div>
        {over?.kind === "palette" && <Palette actions={paletteActions(services, overlays, t)} onClose={closeOver} onSearch={overlays.search} />}
        {over?.kind === "keys" && <CheatSheet onClose={closeOver} />}
        {over?.kind === "search" && <SearchPanel initial={over.query} onClose={closeOver} />}
      </div>
    </OverlaysProvider>
  );
}
