// Settings → Keys: every command with its keys, to be changed by pressing others (U10).
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useServices, useSettings } from "#renderer/stores/services.tsx";
import { Button } from "#renderer/ui/button.tsx";
import { KeyCaps } from "#renderer/ui/key-caps.tsx";
import { chordText } from "#shared/commands/chord.ts";
import { CommandId, COMMANDS, chordOf, type KeyBindings } from "#shared/commands/commands.ts";
import { fitOf, withKeys, withoutOwn } from "./bindings.ts";
import { CaptureKeys } from "./capture-keys.tsx";
import { useSave } from "./use-save.ts";

export function KeysList() {
  const { t } = useTranslation();
  const mac = useServices().facts.platform === "darwin";
  const save = useSave();
  const own = useSettings((settings) => settings.keys);
  const [changing, setChanging] = useState<CommandId>();
  const [said, setSaid] = useState("");
  const keep = (keys: KeyBindings, id: CommandId): void => {
    setChanging(undefined);
    void save({ keys });
    const chord = chordOf(id, keys);
    const command = t(`command.${id}`);
    setSaid(chord === "" ? t("keys.removed", { command }) : t("keys.changed", { command, keys: chordText(chord, mac) }));
  };
  return (
    <div className="grid gap-3">
      <ul className="grid gap-px overflow-hidden rounded-lg border border-line bg-line-soft" data-testid="keys-list">
        {CommandId.options.map((id) => (
          <li key={id} className="grid gap-2 bg-raised px-3 py-1.5 text-ui" data-testid={`keys-${id}`}>
            <div className="flex min-h-[26px] items-center gap-3">
              <span className="min-w-0 flex-1">{t(`command.${id}`)}</span>
              {own[id] !== undefined && <span className="text-small text-ink-3">{t("keys.own")}</span>}
              <KeyCaps chord={chordOf(id, own)} mac={mac} none={t("keys.noKeys")} />
              <Button look="ghost" size="small" aria-label={t("keys.changeFor", { command: t(`command.${id}`) })} onClick={() => setChanging(id)}>
                {t("keys.change")}
              </Button>
              {own[id] !== undefined && (
                <Button
                  look="ghost"
                  size="small"
                  aria-label={t("keys.resetFor", { command: t(`command.${id}`) })}
                  disabled={fitOf(id, COMMANDS[id].chord, withoutOwn(own, id), mac).kind === "taken"}
                  onClick={() => keep(withoutOwn(own, id), id)}
                >
                  {t("keys.reset")}
                </Button>
              )}
            </div>
            {changing === id && (
              <CaptureKeys id={id} own={own} mac={mac} onKeep={(chord) => keep(withKeys(own, id, chord, mac), id)} onLeave={() => setChanging(undefined)} />
            )}
          </li>
        ))}
      </ul>
      <div className="flex items-center gap-3">
        <Button size="small" disabled={Object.keys(own).length === 0} onClick={() => void save({ keys: {} })}>
          {t("keys.resetAll")}
        </Button>
        <p role="status" className="text-small text-ink-2">
          {said}
        </p>
      </div>
    </div>
  );
}
