// The whole window: theme and language around it, first start or work inside it.
import { lazy, Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { ConnectModel } from "#renderer/features/models/connect-model.tsx";
import { Announcer } from "#renderer/features/notifications/announcer.tsx";
import { Toaster } from "#renderer/features/notifications/toaster.tsx";
import { Onboarding } from "#renderer/features/onboarding/onboarding.tsx";
import { withRecent } from "#renderer/stores/recent-folders.ts";
import { useServices, useSettings } from "#renderer/stores/services.tsx";
import { FolderPicture } from "#renderer/stores/session-picture.tsx";
import { OpenLinkProvider } from "#renderer/text/open-link.tsx";
import { type DrawPicture, TextPictureProvider } from "#renderer/text/text-picture.tsx";
import { useTheme } from "#renderer/theme/use-theme.ts";
import { languageFor } from "#shared/i18n/language.ts";
import { newStart } from "./commands.ts";

// Conversations, trail and settings are most of the page; the first start does without them, and they are there before it ends.
const loadShell = () => import("./shell.tsx").then((part) => ({ default: part.Shell }));
const Shell = lazy(loadShell);

export function App() {
  const services = useServices();
  const { client, facts, settings, toasts } = services;
  const theme = useSettings((all) => all.theme);
  const language = useSettings((all) => all.language);
  const onboarded = useStore(settings, (all) => all.onboarded);
  useTheme(theme);
  useEffect(() => void loadShell(), []);
  useLanguage(language === "system" ? languageFor(facts.systemLanguage) : language);

  const openLink = (url: string): void => {
    void client.app.openExternal({ url }).then((result) => {
      if (!result.ok) toasts.show({ tone: "bad", notice: { key: "toast.linkRefused" }, detail: result.error.message });
    });
  };
  const onFolder = async (cwd: string): Promise<void> => {
    newStart(services, cwd);
    const saved = await client.settings.set({ patch: { onboarded: true, recentFolders: withRecent(settings.getState().recentFolders, cwd) } });
    if (saved.ok) settings.setState(saved.value, true);
  };
  return (
    <OpenLinkProvider value={openLink}>
      <TextPictureProvider value={drawPicture}>
        {onboarded ? (
          <Suspense fallback={null}>
            <Shell />
          </Suspense>
        ) : (
          <Onboarding connect={(onConnected) => <ConnectModel onConnected={onConnected} />} onFolder={(cwd) => void onFolder(cwd)} />
        )}
        <Announcer />
        <Toaster />
      </TextPictureProvider>
    </OpenLinkProvider>
  );
}

const drawPicture: DrawPicture = (path, alt) => <FolderPicture path={path} alt={alt} />;

function useLanguage(language: string): void {
  const { i18n } = useTranslation();
  useEffect(() => {
    document.documentElement.lang = language;
    if (i18n.language !== language) void i18n.changeLanguage(language);
  }, [i18n, language]);
}
