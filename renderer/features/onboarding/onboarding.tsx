// First start (U1, UX 8): language, model, how careful, folder. Four small screens, each with one question and a way back.
import { ArrowLeft } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useServices, useSettings } from "#renderer/stores/services.tsx";
import { Button } from "#renderer/ui/button.tsx";
import { ChoiceCards } from "#renderer/ui/choice-cards.tsx";
import { Mark } from "#renderer/ui/mark.tsx";
import { languageFor } from "#shared/i18n/language.ts";
import { PermissionMode } from "#shared/permissions/mode.ts";
import type { Settings } from "#shared/settings/settings.ts";
import { FolderStep } from "./folder-step.tsx";

const STEPS = ["welcome", "model", "careful", "folder"] as const;
type Step = (typeof STEPS)[number];

type OnboardingProps = {
  /** the form that connects a model; calls back when it works */
  readonly connect: (onConnected: () => void) => ReactNode;
  readonly onFolder: (cwd: string) => void;
};

export function Onboarding({ connect, onFolder }: OnboardingProps) {
  const { t } = useTranslation("onboarding");
  const [step, setStep] = useState<Step>("welcome");
  const index = STEPS.indexOf(step);
  const go = (by: number): void => setStep(STEPS[index + by] ?? step);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [step]);
  return (
    <main className="flex h-full flex-col items-center overflow-y-auto bg-paper px-6" data-testid="onboarding" data-step={step}>
      <div className="my-auto grid w-[620px] max-w-full gap-5 py-10">
        <header className="grid justify-items-start gap-3">
          <Mark size={40} />
          <h1 ref={heading} tabIndex={-1} className="text-display font-strong [text-wrap:balance] focus-visible:outline-none">
            {t(`${step}.title`)}
          </h1>
          <p className="max-w-[68ch] text-body text-ink-2">{t(`${step}.text`)}</p>
        </header>
        {step === "welcome" && <LanguageStep onNext={() => go(1)} />}
        {step === "model" && <ModelStep connect={connect} onNext={() => go(1)} />}
        {step === "careful" && <CarefulStep onNext={() => go(1)} />}
        {step === "folder" && <FolderStep onFolder={onFolder} />}
        <footer className="flex h-8 items-center gap-3 text-small text-ink-3">
          {index > 0 && (
            <Button look="ghost" size="small" onClick={() => go(-1)} data-testid="onboarding-back">
              <ArrowLeft size={14} aria-hidden /> {t("back")}
            </Button>
          )}
          <span className="flex-1" />
          <ol className="flex gap-1.5" aria-label={t("progress", { step: index + 1, of: STEPS.length })}>
            {STEPS.map((name, at) => (
              <li
                key={name}
                aria-current={at === index ? "step" : undefined}
                className={`h-1.5 w-4 rounded-full ${at <= index ? "bg-agent-stone" : "bg-line"}`}
              />
            ))}
          </ol>
        </footer>
      </div>
    </main>
  );
}

function useSave(): (patch: Partial<Settings>) => Promise<boolean> {
  const { client, settings, toasts } = useServices();
  return async (patch) => {
    const saved = await client.settings.set({ patch });
    if (saved.ok) settings.setState(saved.value, true);
    else toasts.show({ tone: "bad", notice: { key: "toast.settingsFailed" }, detail: saved.error.message });
    return saved.ok;
  };
}

function LanguageStep({ onNext }: { readonly onNext: () => void }) {
  const { t } = useTranslation("onboarding");
  const { facts } = useServices();
  const save = useSave();
  const language = useSettings((settings) => settings.language);
  const shown = language === "system" ? languageFor(facts.systemLanguage) : language;
  return (
    <>
      <ChoiceCards
        label={t("language")}
        columns={2}
        value={shown}
        onChange={(next) => void save({ language: next })}
        choices={[
          { value: "en", title: "English", testId: "onboarding-language-en" },
          { value: "zh-CN", title: "简体中文", testId: "onboarding-language-zh-CN" },
        ]}
      />
      <Next onNext={onNext} />
    </>
  );
}

function ModelStep({ connect, onNext }: { readonly connect: OnboardingProps["connect"]; readonly onNext: () => void }) {
  const { t } = useTranslation("onboarding");
  const save = useSave();
  const provider = useSettings((settings) => settings.provider);
  const [own, setOwn] = useState(provider !== "demo");
  const demo = async (): Promise<void> => {
    if (await save({ provider: "demo", model: "" })) onNext();
  };
  return (
    <>
      <ChoiceCards
        label={t("model.title")}
        columns={2}
        value={own ? "own" : "demo"}
        onChange={(next) => setOwn(next === "own")}
        choices={[
          { value: "demo", title: t("model.demo"), text: t("model.demoText"), testId: "onboarding-demo" },
          { value: "own", title: t("model.own"), text: t("model.ownText"), testId: "onboarding-key" },
        ]}
      />
      {own ? connect(onNext) : <Next onNext={() => void demo()} />}
    </>
  );
}

function CarefulStep({ onNext }: { readonly onNext: () => void }) {
  const { t } = useTranslation("window");
  const save = useSave();
  const mode = useSettings((settings) => settings.mode);
  // The mode without questions is no choice for somebody who has not seen a question yet; Settings have it.
  const offered = PermissionMode.options.filter((option) => option !== "bypass");
  return (
    <>
      <ChoiceCards
        label={t("mode.label")}
        value={mode}
        onChange={(next) => void save({ mode: next })}
        choices={offered.map((option) => ({
          value: option,
          title: t(`mode.${option}.name`),
          text: t(`mode.${option}.text`),
          testId: `onboarding-mode-${option}`,
          ...(option === "default" ? { badge: t("mode.recommended") } : {}),
        }))}
      />
      <Next onNext={onNext} />
    </>
  );
}

function Next({ onNext }: { readonly onNext: () => void }) {
  const { t } = useTranslation("onboarding");
  return (
    <Button look="primary" className="h-9 justify-self-start px-5" onClick={onNext} data-testid="onboarding-next">
      {t("next")}
    </Button>
  );
}
