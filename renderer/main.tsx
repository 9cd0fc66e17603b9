// Entry of the window: waits for the port to the engine, then shows the app.
import "#renderer/app/polyfills.ts";
import "#renderer/theme/theme.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { I18nextProvider } from "react-i18next";
import { App } from "#renderer/app/app.tsx";
import { StartFailed } from "#renderer/app/start-failed.tsx";
import { startServices } from "#renderer/app/start-services.ts";
import { portTransport, waitForPort } from "#renderer/bridge/port.ts";
import { createI18n } from "#renderer/i18n/i18n.ts";
import { keptOnDisk } from "#renderer/stores/kept-on-disk.ts";
import { ServicesProvider } from "#renderer/stores/services.tsx";
import { languageFor } from "#shared/i18n/language.ts";
import { createClient } from "#shared/ipc/client.ts";
import { contract } from "#shared/ipc/contract.ts";

async function start(root: HTMLElement): Promise<void> {
  const port = await waitForPort(window);
  const client = createClient(contract, portTransport(port));
  const started = await startServices(
    client,
    keptOnDisk(window.localStorage, () => void client.app.keepWindowData({})),
  );
  const chosen = started.ok ? started.value.settings.getState().language : "system";
  const system = started.ok ? started.value.facts.systemLanguage : navigator.language;
  const i18n = await createI18n(chosen === "system" ? languageFor(system) : chosen);
  if (started.ok)
    window.addEventListener("pagehide", () =>
      [started.value.layout, started.value.drafts, started.value.models, started.value.taught, started.value.review, started.value.attachments].forEach(
        (store) => store.flush(),
      ),
    );
  createRoot(root).render(
    <StrictMode>
      <I18nextProvider i18n={i18n}>
        {started.ok ? (
          <ServicesProvider services={started.value}>
            <App />
          </ServicesProvider>
        ) : (
          <StartFailed message={started.error} />
        )}
      </I18nextProvider>
    </StrictMode>,
  );
}

const root = document.getElementById("root");
if (root !== null) void start(root);
