// How careful and which model: chosen where one writes, with one line on what each means.
import { ChevronDown } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { useServices, useSettings } from "#renderer/stores/services.tsx";
import { ChipButton } from "#renderer/ui/chip.tsx";
import { Menu, MenuItem, MenuLabel, MenuLine } from "#renderer/ui/menu.tsx";
import type { Maker } from "#shared/chat/blocks.ts";
import { PermissionMode } from "#shared/permissions/mode.ts";
import { ProviderId } from "#shared/settings/settings.ts";

export function ModePicker({ mode, onPick }: { readonly mode: PermissionMode; readonly onPick: (mode: PermissionMode) => void }) {
  const { t } = useTranslation();
  const trigger = (
    <ChipButton data-testid="mode-picker" aria-label={t("mode.pick", { mode: t(`mode.${mode}.name`) })} className={mode === "bypass" ? "text-bad" : undefined}>
      {t(`mode.${mode}.name`)} <ChevronDown size={13} aria-hidden className="text-ink-3" />
    </ChipButton>
  );
  return (
    <Menu trigger={trigger} label={t("mode.label")} side="top" width={320}>
      <MenuLabel>{t("mode.label")}</MenuLabel>
      {PermissionMode.options.map((option) => (
        <MenuItem
          key={option}
          checked={option === mode}
          danger={option === "bypass"}
          hint={t(`mode.${option}.text`)}
          onSelect={() => onPick(option)}
          testId={`mode-${option}`}
        >
          {t(`mode.${option}.name`)}
        </MenuItem>
      ))}
    </Menu>
  );
}

export function ModelPicker({ maker, onPick }: { readonly maker: Maker; readonly onPick: (maker: Maker) => void }) {
  const { t } = useTranslation();
  const { models, screen } = useServices();
  const known = useStore(models);
  const current = useSettings((settings) => settings.model);
  const groups = ProviderId.options.flatMap((provider) => {
    const own = provider === maker.provider ? [maker.model, current] : [];
    const names = [...new Set([...own, ...(known[provider] ?? [])])].filter((name) => name !== "");
    return provider === "demo" || names.length === 0 ? [] : [{ provider, names }];
  });
  const label = maker.provider === "demo" ? t("provider.demo.name") : maker.model === "" ? t("model.none") : maker.model;
  const trigger = (
    <ChipButton data-testid="model-picker" aria-label={t("model.pick", { model: label })} className="min-w-0">
      <span className="max-w-[180px] truncate">{label}</span> <ChevronDown size={13} aria-hidden className="text-ink-3" />
    </ChipButton>
  );
  return (
    <Menu trigger={trigger} label={t("model.label")} side="top" width={280}>
      {groups.map(({ provider, names }) => (
        <div key={provider}>
          <MenuLabel>{t(`provider.${provider}.name`)}</MenuLabel>
          {names.map((model) => (
            <MenuItem key={model} checked={maker.provider === provider && maker.model === model} onSelect={() => onPick({ provider, model })}>
              {model}
            </MenuItem>
          ))}
        </div>
      ))}
      {groups.length > 0 && <MenuLine />}
      <MenuItem checked={maker.provider === "demo"} hint={t("provider.demo.text")} onSelect={() => onPick({ provider: "demo", model: "demo" })}>
        {t("provider.demo.name")}
      </MenuItem>
      <MenuLine />
      <MenuItem onSelect={() => screen.setState({ kind: "settings", section: "model" }, true)}>{t("model.more")}</MenuItem>
    </Menu>
  );
}
