// Limits of money, tokens and patience. Times are shown in seconds, kept in milliseconds.
import { useTranslation } from "react-i18next";
import { useSettings } from "#renderer/stores/services.tsx";
import type { Timeouts } from "#shared/settings/settings.ts";
import { ChoiceCards } from "#renderer/ui/choice-cards.tsx";
import { NumberField } from "./number-field.tsx";
import { useSave } from "./use-save.ts";

const SPEND = ["turn", "session", "day"] as const;
const LOOPS = ["narrow", "broad"] as const;
const WAITS = ["headers", "noBytes", "noContent", "backoffMax"] as const satisfies readonly (keyof Timeouts)[];

export function Limits() {
  const { t } = useTranslation("settings");
  const save = useSave();
  const spend = useSettings((settings) => settings.spendLimit);
  const tokens = useSettings((settings) => settings.tokenLimit);
  const broad = useSettings((settings) => settings.broadLoopDetection);
  const timeouts = useSettings((settings) => settings.timeouts);
  const bash = useSettings((settings) => settings.bashTimeoutMs);
  return (
    <div className="grid gap-5">
      <div className="grid grid-cols-3 gap-3">
        {SPEND.map((name) => (
          <NumberField
            key={name}
            label={t(`limits.spend.${name}`)}
            hint={t("limits.spendHint")}
            value={spend[name]}
            min={0}
            onChange={(value) => void save({ spendLimit: { ...spend, [name]: value } })}
          />
        ))}
      </div>
      <div className="grid grid-cols-3 gap-3">
        {SPEND.map((name) => (
          <NumberField
            key={name}
            label={t(`limits.tokens.${name}`)}
            hint={t("limits.tokensHint")}
            value={tokens[name]}
            min={0}
            onChange={(value) => void save({ tokenLimit: { ...tokens, [name]: Math.round(value) } })}
          />
        ))}
      </div>
      <div className="grid grid-cols-3 gap-3">
        <NumberField
          label={t("limits.bash")}
          hint={t("limits.seconds")}
          value={bash / 1000}
          min={1}
          onChange={(value) => void save({ bashTimeoutMs: Math.round(value * 1000) })}
        />
        {WAITS.map((name) => (
          <NumberField
            key={name}
            label={t(`limits.wait.${name}`)}
            hint={t("limits.seconds")}
            value={timeouts[name] / 1000}
            min={1}
            onChange={(value) => void save({ timeouts: { ...timeouts, [name]: Math.round(value * 1000) } })}
          />
        ))}
      </div>
      <div className="grid gap-1.5">
        <h4 className="text-small font-firm text-ink-2">{t("limits.loops.title")}</h4>
        <ChoiceCards
          label={t("limits.loops.title")}
          columns={2}
          value={broad ? "broad" : "narrow"}
          onChange={(next) => void save({ broadLoopDetection: next === "broad" })}
          choices={LOOPS.map((value) => ({ value, title: t(`limits.loops.${value}`), text: t(`limits.loops.${value}Text`), testId: `loops-${value}` }))}
        />
      </div>
    </div>
  );
}
