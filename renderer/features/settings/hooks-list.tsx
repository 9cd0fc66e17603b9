// The person's own commands at certain moments (H1). Shown as they are; they are changed in the settings file.
import { useTranslation } from "react-i18next";
import { useSettings } from "#renderer/stores/services.tsx";
import { VisibleText } from "#renderer/ui/visible-text.tsx";

export function HooksList() {
  const { t } = useTranslation("settings");
  const hooks = useSettings((settings) => settings.hooks);
  const entries = Object.entries(hooks).flatMap(([event, groups]) =>
    (groups ?? []).flatMap((group) => group.hooks.map((hook) => ({ event, matcher: group.matcher, command: hook.command }))),
  );
  if (entries.length === 0) return <p className="text-small text-ink-3">{t("hooks.none")}</p>;
  return (
    <ul className="grid gap-px overflow-hidden rounded-lg border border-line bg-line-soft">
      {entries.map((entry, index) => (
        <li key={index} className="grid gap-0.5 bg-raised px-3 py-2 text-small">
          <span className="text-ink-2">
            {entry.event}
            {entry.matcher !== "" && ` · ${entry.matcher}`}
          </span>
          <code className="selectable font-mono [overflow-wrap:anywhere]">
            <VisibleText text={entry.command} />
          </code>
        </li>
      ))}
    </ul>
  );
}
