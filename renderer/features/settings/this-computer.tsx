// What Cairn does with the computer around it: notifications, sleep, spelling (U10).
import { useTranslation } from "react-i18next";
import { useSettings } from "#renderer/stores/services.tsx";
import { Tick } from "#renderer/ui/tick.tsx";
import { useSave } from "./use-save.ts";

const KINDS = ["approval", "question", "finished", "error"] as const;

export function ThisComputer() {
  const { t } = useTranslation("settings");
  const save = useSave();
  const notifications = useSettings((settings) => settings.notifications);
  const stayAwake = useSettings((settings) => settings.stayAwake);
  const spellCheck = useSettings((settings) => settings.spellCheck);
  return (
    <div className="grid gap-5">
      <fieldset className="grid gap-1.5">
        <legend className="mb-1.5 text-small font-firm text-ink-2">{t("general.notify")}</legend>
        {KINDS.map((kind) => (
          <Tick
            key={kind}
            label={t(`general.notifyKind.${kind}`)}
            checked={notifications[kind]}
            onChange={(checked) => void save({ notifications: { ...notifications, [kind]: checked } })}
            testId={`notify-${kind}`}
          />
        ))}
        <p className="text-small text-ink-3">{t("general.notifyHint")}</p>
      </fieldset>
      <div className="grid gap-2">
        <h4 className="text-small font-firm text-ink-2">{t("general.computer")}</h4>
        <Tick label={t("general.stayAwake")} checked={stayAwake} onChange={(checked) => void save({ stayAwake: checked })} testId="stay-awake" />
        <Tick
          label={t("general.spellCheck")}
          hint={t("general.spellCheckHint")}
          checked={spellCheck}
          onChange={(checked) => void save({ spellCheck: checked })}
          testId="spell-check"
        />
      </div>
    </div>
  );
}
