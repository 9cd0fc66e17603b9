// Tabs above, library at the left, panes in the middle.
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Group, Panel, Separator } from "react-resizable-panels";
import { useStore } from "zustand";
import { CheatSheet } from "#renderer/features/keys/cheat-sheet.tsx";
import { ConnectModel } from "#renderer/features/models/connect-model.tsx";
import { Palette } from "#renderer/features/palette/palette.tsx";
import { Library } from "#renderer/features/sessions/library.tsx";
import { SettingsScreen } from "#renderer/features/settings/settings-screen.tsx";
import { withRecent } from "#renderer/stores/recent-folders.ts";
import { useServices } from "#renderer/stores/services.tsx";
import { useFolderPick } from "#renderer/stores/use-folder-pick.ts";
import { newStart } from "./commands.ts";
import { EmptyPanes } from "./empty-panes.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { useKeymap } from "./keymap.ts";
import { paletteActions } from "./palette-actions.ts";
import { Pane } from "./pane.tsx";
import { type Overlays, OverlaysProvider } from "./run-command.ts";
import { TopBar } from "./top-bar.tsx";
import { useFork } from "./use-fork.ts";
import { useWindowCommands } from "./use-window-commands.ts";

const MIN_PANE_PX = 360;

export function Shell() {
  const { t } = useTranslation();
  const services = useServices();
  const { layout, screen, client, settings, toasts } = services;
  const fork = useFork();
  const { panes, focused, sidebar } = useStore(layout);
  const settingsOpen = useStore(screen, (state) => state.kind === "settings");
  const [over, setOver] = useState<"palette" | "keys">();
  const overlays = useMemo((): Overlays => ({ palette: () => setOver("palette"), keys: () => setOver("keys") }), []);
  const closeOver = (): void => setOver(undefined);
  useKeymap(overlays);
  useWindowCommands(overlays);

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
        <div className="flex min-h-0 flex-1">
          {sidebar && (
            <Library onFork={(id) => void fork(id, { kind: "end" }, false)} onNew={(cwd) => newStart(services, cwd)} onOpenFolder={() => void pick()} />
          )}
          {settingsOpen ? (
            <SettingsScreen connect={<ConnectModel onConnected={() => toasts.show({ notice: { key: "toast.modelConnected" } })} />} />
          ) : (
            <main className="flex min-w-0 flex-1">
              {panes.length === 0 ? (
                <EmptyPanes onNew={() => newStart(services, undefined)} />
              ) : (
                <Group orientation="horizontal" className="min-w-0 flex-1" id="panes">
                  {panes.map((id, index) => (
                    <PaneSlot key={id} id={id} index={index} focused={index === focused} title={t("pane.failed")} retry={t("pane.retry")} />
                  ))}
                </Group>
              )}
            </main>
          )}
        </div>
        {over === "palette" && <Palette actions={paletteActions(services, overlays, t)} onClose={closeOver} />}
        {over === "keys" && <CheatSheet onClose={closeOver} />}
      </div>
    </OverlaysProvider>
  );
}

type PaneSlotProps = { readonly id: string; readonly index: number; readonly focused: boolean; readonly title: string; readonly retry: string };

function PaneSlot({ id, index, focused, title, retry }: PaneSlotProps) {
  return (
    <>
      {index > 0 && <Separator className="w-px bg-line outline-none hover:bg-agent focus-visible:bg-agent data-[separator=active]:bg-agent" />}
      <Panel id={id} minSize={MIN_PANE_PX}>
        <ErrorBoundary key={id} title={title} retry={retry}>
          <Pane id={id} index={index} focused={focused} />
        </ErrorBoundary>
      </Panel>
    </>
  );
}
