// Settings (U10): one page with its sections at the left; every change is kept at once.
import { ArrowLeft } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { useServices } from "#renderer/stores/services.tsx";
import { Button } from "#renderer/ui/button.tsx";
import { isImeKey } from "#renderer/ui/ime.ts";
import { useDomEvent } from "#renderer/ui/use-dom-event.ts";
import { About } from "./about.tsx";
import { FolderHooks } from "./folder-hooks.tsx";
import { General } from "./general.tsx";
import { HooksList } from "./hooks-list.tsx";
import { KeysList } from "./keys-list.tsx";
import { Limits } from "./limits.tsx";
import { Rules } from "./rules.tsx";
import { Storage } from "./storage.tsx";
import { ThisComputer } from "./this-computer.tsx";

const SECTIONS = ["general", "model", "careful", "limits", "storage", "hooks", "keys", "about"] as const;

export function SettingsScreen({ connect }: { readonly connect: ReactNode }) {
  const { t } = useTranslation("settings");
  const { screen } = useServices();
  const section = useStore(screen, (state) => (state.kind === "settings" ? state.section : undefined));
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const target = section === undefined ? undefined : page.current?.querySelector<HTMLElement>(`#settings-${section}`);
    if (target instanceof HTMLElement && typeof target.scrollIntoView === "function") target.scrollIntoView({ block: "start" });
  }, [section]);
  const close = (): void => screen.setState({ kind: "work" }, true);
  const screenRef = useRef<HTMLElement>(null);
  useDomEvent(screenRef, "keydown", (event) => {
    // In an input, and where keys are asked for, Escape takes back what was begun there.
    if (event.key !== "Escape" || isImeKey(event) || event.target instanceof HTMLInputElement) return;
    if (event.target instanceof Element && event.target.closest("[data-keeps-escape]") !== null) return;
    event.preventDefault();
    close();
  });
  return (
    <main ref={screenRef} className="flex min-w-0 flex-1 bg-paper" data-testid="settings">
      <nav aria-label={t("sections")} className="grid w-[200px] shrink-0 content-start gap-px border-r border-line-soft px-3 py-5 text-ui">
        <Button look="ghost" size="small" className="mb-3 justify-self-start" onClick={close} data-testid="settings-close">
          <ArrowLeft size={14} aria-hidden /> {t("back")}
        </Button>
        <h2 className="px-2.5 pb-2 text-title font-strong">{t("title")}</h2>
        {SECTIONS.map((name) => (
          <button
            key={name}
            type="button"
            aria-current={section === name ? "true" : undefined}
            className="rounded-md px-2.5 py-1.5 text-left text-ink-2 hover:bg-sunken hover:text-ink aria-[current]:bg-sunken aria-[current]:text-ink"
            onClick={() => screen.setState({ kind: "settings", section: name }, true)}
          >
            {t(`${name}.title`)}
          </button>
        ))}
      </nav>
      <div ref={page} className="min-w-0 flex-1 overflow-y-auto px-9 pt-6 pb-[30vh]">
        <div className="grid max-w-[680px] gap-11">
          <Section name="general">
            <General />
            <ThisComputer />
          </Section>
          <Section name="model">{connect}</Section>
          <Section name="careful">
            <Rules />
          </Section>
          <Section name="limits">
            <Limits />
          </Section>
          <Section name="storage">
            <Storage />
          </Section>
          <Section name="hooks">
            <HooksList />
            <FolderHooks />
          </Section>
          <Section name="keys">
            <KeysList />
          </Section>
          <Section name="about">
            <About />
          </Section>
        </div>
      </div>
    </main>
  );
}

function Section({ name, children }: { readonly name: (typeof SECTIONS)[number]; readonly children: ReactNode }) {
  const { t } = useTranslation("settings");
  return (
    <section id={`settings-${name}`} aria-labelledby={`settings-${name}-title`} className="grid scroll-mt-6 gap-4">
      <header>
        <h3 id={`settings-${name}-title`} className="text-head font-strong">
          {t(`${name}.title`)}
        </h3>
        <p className="text-ink-2">{t(`${name}.text`)}</p>
      </header>
      {children}
    </section>
  );
}
