// Waits for a key press and says whether the command can have it; a conflict is named before anything is taken away.
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { Button } from "#renderer/ui/button.tsx";
import { isImeKey } from "#renderer/ui/ime.ts";
import { chordOfPress, chordText } from "#shared/commands/chord.ts";
import type { CommandId, KeyBindings } from "#shared/commands/commands.ts";
import { type Fit, fitOf } from "./bindings.ts";

type CaptureProps = {
  readonly id: CommandId;
  readonly own: KeyBindings;
  readonly mac: boolean;
  readonly onKeep: (chord: string) => void;
  readonly onLeave: () => void;
};
type Problem = { readonly fit: Exclude<Fit, { kind: "free" }>; readonly chord: string };

export function CaptureKeys({ id, own, mac, onKeep, onLeave }: CaptureProps) {
  const { t } = useTranslation();
  const [problem, setProblem] = useState<Problem>();
  const box = useRef<HTMLButtonElement>(null);
  useEffect(() => box.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>): void => {
    if (isImeKey(event)) return;
    // Tab goes on to the buttons, so that nobody is caught here.
    if (event.key === "Tab" && !event.ctrlKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") return onLeave();
    const chord = chordOfPress(event, mac);
    if (chord === undefined) return;
    const fit = fitOf(id, chord, own, mac);
    if (fit.kind === "free") onKeep(chord);
    else setProblem({ fit, chord });
  };
  return (
    <div className="grid gap-2 rounded-md bg-sunken p-2.5" data-keeps-escape>
      <button ref={box} type="button" className="rounded-sm text-left text-small" onKeyDown={onKeyDown} data-testid="capture-keys">
        {t("keys.press")}
      </button>
      {problem !== undefined && (
        <p role="alert" className="text-small text-bad">
          {wordsOf(problem, mac, t)}
        </p>
      )}
      <div className="flex gap-2">
        {problem?.fit.kind === "taken" && (
          <Button size="small" onClick={() => onKeep(problem.chord)}>
            {t("keys.give")}
          </Button>
        )}
        <Button size="small" onClick={() => onKeep("")}>
          {t("keys.remove")}
        </Button>
        <Button size="small" look="ghost" onClick={onLeave}>
          {t("keys.cancel")}
        </Button>
      </div>
    </div>
  );
}

function wordsOf({ fit, chord }: Problem, mac: boolean, t: TFunction): string {
  if (fit.kind === "writes") return t("keys.writes");
  if (fit.kind === "reserved") return t("keys.reserved", { keys: chordText(chord, mac) });
  return t("keys.taken", { keys: chordText(chord, mac), other: t(`command.${fit.by}`) });
}
