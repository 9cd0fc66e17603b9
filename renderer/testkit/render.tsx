// Renders a part of the window with everything around it: engine in memory, stores, texts.
import { act, render } from "@testing-library/react";
import type { ReactNode } from "react";
import { I18nextProvider } from "react-i18next";
import { startServices } from "#renderer/app/start-services.ts";
import { createI18n } from "#renderer/i18n/i18n.ts";
import { ServicesProvider, SessionProvider, type Services } from "#renderer/stores/services.tsx";
import type { SessionId } from "#shared/lib/ids.ts";
import { memoryStorage } from "./memory-storage.ts";
import { createFakeEngine, type FakeEngine } from "./fake-engine.ts";

export type Rendered = { readonly engine: FakeEngine; readonly services: Services; readonly container: HTMLElement };

type RenderOptions = { readonly engine?: FakeEngine; readonly session?: SessionId; readonly language?: "en" | "zh-CN" };

export async function renderWindow(content: ReactNode, { engine = createFakeEngine(), session, language = "en" }: RenderOptions = {}): Promise<Rendered> {
  const started = await startServices(engine.client, memoryStorage());
  if (!started.ok) throw new Error(started.error);
  const i18n = await createI18n(language);
  const { container } = render(
    <I18nextProvider i18n={i18n}>
      <ServicesProvider services={started.value}>
        {session === undefined ? content : <SessionProvider id={session}>{content}</SessionProvider>}
      </ServicesProvider>
    </I18nextProvider>,
  );
  await settle();
  return { engine, services: started.value, container };
}

/** Time for what is under way to reach the store. */
const UNDER_WAY_MS = 20;

/** Lets promises, frames and effects of the moment finish; frames are counted, so that a busy machine only makes it slower. */
export async function settle(ms = UNDER_WAY_MS): Promise<void> {
  await act(async () => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    for (let frame = 0; frame < FRAMES; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    await new Promise((resolve) => setTimeout(resolve, 0));
  });
}

/** One applies what was gathered, one more what the first set off. */
const FRAMES = 2;
