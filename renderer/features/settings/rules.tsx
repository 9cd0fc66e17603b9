// How careful new sessions are, what is allowed and forbidden, and what of it has no effect (P4, P5, R4).
import { useTranslation } from "react-i18next";
import { noticeText } from "#renderer/i18n/i18n.ts";
import { useServices, useSettings } from "#renderer/stores/services.tsx";
import { ChoiceCards } from "#renderer/ui/choice-cards.tsx";
import { VisibleText } from "#renderer/ui/visible-text.tsx";
import { PermissionMode } from "#shared/permissions/mode.ts";
import { AddRule } from "./add-rule.tsx";
import { RulesList } from "./rules-list.tsx";
import { useSave } from "./use-save.ts";

export function Rules() {
  const { t } = useTranslation("settings");
  const save = useSave();
  const mode = useSettings((settings) => settings.mode);
  return (
    <div className="grid gap-5">
      <ChoiceCards
        label={t("window:mode.label")}
        value={mode}
        onChange={(next) => void save({ mode: next })}
        choices={PermissionMode.options.map((option) => ({
          value: option,
          title: t(`window:mode.${option}.name`),
          text: t(`window:mode.${option}.text`),
          ...(option === "default" ? { badge: t("window:mode.recommended") } : {}),
        }))}
      />
      <Problems />
      <RulesList />
      <AddRule />
    </div>
  );
}

/** What was found at the start; the lists below say of each rule whether it has an effect now. */
function Problems() {
  const { t } = useTranslation();
  const { facts } = useServices();
  if (facts.problems.length === 0) return null;
  return (
    <ul
      aria-label={t("settings:careful.problems")}
      className="grid gap-1 rounded-lg border border-bad/40 px-3 py-2 text-small text-bad"
      data-testid="rule-problems"
    >
      {facts.problems.map((notice, index) => (
        <li key={index} className="selectable [overflow-wrap:anywhere]">
          <VisibleText text={noticeText(t, notice)} />
        </li>
      ))}
    </ul>
  );
}
