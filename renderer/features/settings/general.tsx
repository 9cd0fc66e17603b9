// Language and look.
import { useTranslation } from "react-i18next";
import { useSettings } from "#renderer/stores/services.tsx";
import { ChoiceCards } from "#renderer/ui/choice-cards.tsx";
import type { Settings } from "#shared/settings/settings.ts";
import { useSave } from "./use-save.ts";

const THEMES = ["system", "light", "dark"] as const satisfies readonly Settings["theme"][];

export function General() {
  const { t } = useTranslation("settings");
  const save = useSave();
  const theme = useSettings((settings) => settings.theme);
  const language = useSettings((settings) => settings.language);
  return (
    <div className="grid gap-5">
      <div className="grid gap-1.5">
        <h4 className="text-small font-firm text-ink-2">{t("general.theme")}</h4>
        <ChoiceCards
          label={t("general.theme")}
          columns={3}
          value={theme}
          onChange={(next) => void save({ theme: next })}
          choices={THEMES.map((value) => ({ value, title: t(`general.themes.${value}`), testId: `theme-${value}` }))}
        />
      </div>
      <div className="grid gap-1.5">
        <h4 className="text-small font-firm text-ink-2">{t("general.language")}</h4>
        <ChoiceCards
          label={t("general.language")}
          columns={3}
          value={language}
          onChange={(next) => void save({ language: next })}
          choices={[
            { value: "system", title: t("general.systemLanguage"), testId: "language-system" },
            { value: "en", title: "English", testId: "language-en" },
            { value: "zh-CN", title: "简体中文", testId: "language-zh-CN" },
          ]}
        />
      </div>
    </div>
  );
}
