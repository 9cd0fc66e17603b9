// ⌘/: every command with its keys; found by a word or by pressing the keys (UX 1).
import { type KeyboardEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useServices, useSettings } from "#renderer/stores/services.tsx";
import { Button } from "#renderer/ui/button.tsx";
import { Dialog } from "#renderer/ui/dialog.tsx";
import { TextInput } from "#renderer/ui/field.tsx";
import { isImeKey } from "#renderer/ui/ime.ts";
import { KeyCaps } from "#renderer/ui/key-caps.tsx";
import { canBeBound, chordOfPress, chordText, sameKeys } from "#shared/commands/chord.ts";
import { COMMAND_GROUPS, CommandId, COMMANDS, chordOf } from "#shared/commands/commands.ts";

type Wanted = { readonly words: string; readonly chord: string | undefined };

export function CheatSheet({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { facts, screen } = useServices();
  const own = useSettings((settings) => settings.keys);
  const [wanted, setWanted] = useState<Wanted>({ words: "", chord: undefined });
  const mac = facts.platform === "darwin";
  const found = CommandId.options.filter((id) => {
    const chord = chordOf(id, own);
    if (wanted.chord !== undefined) return sameKeys(chord, wanted.chord, mac);
    return `${t(`command.${id}`)} ${chordText(chord, mac)}`.toLowerCase().includes(wanted.words.toLowerCase().trim());
  });
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (isImeKey(event) || event.key === "Escape") return;
    const chord = chordOfPress(event, mac);
    if (chord === undefined || !canBeBound(chord)) return;
    event.preventDefault();
    event.stopPropagation();
    setWanted({ words: "", chord });
  };
  return (
    <Dialog open onOpenChange={onClose} title={t("keys.title")} testId="cheat-sheet">
      <div className="grid gap-3" onKeyDownCapture={onKeyDown}>
        <TextInput
          aria-label={t("keys.find")}
          placeholder={t("keys.find")}
          value={wanted.chord === undefined ? wanted.words : chordText(wanted.chord, mac)}
          onChange={(event) => setWanted({ words: event.currentTarget.value, chord: undefined })}
          data-testid="cheat-sheet-find"
        />
        <div className="grid max-h-[52vh] gap-4 overflow-y-auto" tabIndex={0} role="region" aria-label={t("keys.title")}>
          {COMMAND_GROUPS.map((group) => {
            const commands = found.filter((id) => COMMANDS[id].group === group);
            if (commands.length === 0) return null;
            return (
              <section key={group} aria-label={t(`keys.group.${group}`)} className="grid gap-1">
                <h3 className="text-micro text-ink-3">{t(`keys.group.${group}`)}</h3>
                <dl className="grid gap-1.5">
                  {commands.map((id) => (
                    <Row key={id} label={t(`command.${id}`)} chord={chordOf(id, own)} mac={mac} none={t("keys.noKeys")} />
                  ))}
                  {group === "view" && wanted.words === "" && wanted.chord === undefined && (
                    <Row label={t("keys.tabs")} chord="Mod+1–9" mac={mac} none={t("keys.noKeys")} />
                  )}
                </dl>
              </section>
            );
          })}
        </div>
        <p role="status" className="text-small text-ink-3 empty:hidden">
          {found.length === 0 ? t("keys.none") : ""}
        </p>
        <Button
          size="small"
          className="justify-self-start"
          onClick={() => {
            onClose();
            screen.setState({ kind: "settings", section: "keys" }, true);
          }}
        >
          {t("keys.openSettings")}
        </Button>
      </div>
    </Dialog>
  );
}

function Row({ label, chord, mac, none }: { readonly label: string; readonly chord: string; readonly mac: boolean; readonly none: string }) {
  return (
    <div className="flex items-center justify-between gap-4 text-ui">
      <dt>{label}</dt>
      <dd>
        <KeyCaps chord={chord} mac={mac} none={none} />
      </dd>
    </div>
  );
}
