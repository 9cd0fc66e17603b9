// How careful new sessions are, and every remembered answer with its way back (P4, P5).
import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useSettings } from "#renderer/stores/services.tsx";
import { IconButton } from "#renderer/ui/button.tsx";
import { ChoiceCards } from "#renderer/ui/choice-cards.tsx";
import { VisibleText } from "#renderer/ui/visible-text.tsx";
import { PermissionMode } from "#shared/permissions/mode.ts";
import { parseRule } from "#shared/permissions/rule.ts";
import { useSave } from "./use-save.ts";

const KINDS = ["allow", "ask", "deny"] as const;

export function Rules() {
  const { t } = useTranslation("settings");
  const save = useSave();
  const mode = useSettings((settings) => settings.mode);
  const rules = useSettings((settings) => settings.rules);
  const remove = (kind: (typeof KINDS)[number], rule: string): void =>
    void save({ rules: { ...rules, [kind]: rules[kind].filter((other) => other !== rule) } });
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
      {KINDS.map((kind) => (
        <div key={kind} className="grid gap-1.5">
          <h4 className="text-small font-firm text-ink-2">{t(`careful.${kind}`)}</h4>
          {rules[kind].length === 0 ? (
            <p className="text-small text-ink-3">{t("careful.none")}</p>
          ) : (
            <ul className="grid gap-px overflow-hidden rounded-lg border border-line bg-line-soft">
              {rules[kind].map((rule) => (
                <li key={rule} className="flex items-center gap-2 bg-raised py-1 pr-1 pl-3" data-testid="rule">
                  <code className="selectable min-w-0 flex-1 font-mono text-small [overflow-wrap:anywhere]">
                    <VisibleText text={rule} />
                  </code>
                  {parseRule(rule) === undefined && <span className="text-small text-bad">{t("careful.invalid")}</span>}
                  <IconButton label={t("careful.revoke", { rule })} onClick={() => remove(kind, rule)} data-testid="rule-revoke">
                    <X size={15} />
                  </IconButton>
                </li>
              ))}
            </ul>
          )}
        </div>
      ))}
    </div>
  );
}
