// A comment by keyboard: the line is named by its number, since thousands of lines are no stops for Tab (U2).
import { MessageSquarePlus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "#renderer/ui/button.tsx";
import { TextInput } from "#renderer/ui/field.tsx";
import type { FileDiff } from "#shared/tools/card.ts";
import { type LinePlace, placeOf } from "./side-pairs.ts";

export function CommentByKeys({ diff, onComment }: { readonly diff: FileDiff; readonly onComment: (place: LinePlace) => void }) {
  const { t } = useTranslation();
  const [number, setNumber] = useState<string>();
  const places = diff.hunks.flatMap((hunk) => hunk.lines.flatMap((line) => placeOf(line) ?? []));
  const [first] = places.filter((place) => place.side === "new").concat(places);
  if (first === undefined) return null;
  if (number === undefined) {
    return (
      <IconButton label={t("changes.commentOn", { path: diff.path })} onClick={() => setNumber(String(first.line))} data-testid="comment-by-keys">
        <MessageSquarePlus size={14} />
      </IconButton>
    );
  }
  const go = (): void => {
    const line = Number(number);
    const place = places.find((one) => one.side === "new" && one.line === line) ?? places.find((one) => one.line === line);
    if (place === undefined) return;
    setNumber(undefined);
    onComment(place);
  };
  const known = places.some((one) => one.line === Number(number));
  return (
    <span className="flex items-center gap-1.5">
      <TextInput
        autoFocus
        className="h-7 w-[72px]"
        inputMode="numeric"
        aria-label={t("changes.commentLine")}
        aria-invalid={!known}
        title={known ? t("changes.commentLine") : t("changes.commentNoLine")}
        value={number}
        onChange={(event) => setNumber(event.target.value)}
        onEnter={go}
        onEscape={() => setNumber(undefined)}
        onBlur={() => setNumber(undefined)}
        data-testid="comment-line-number"
      />
      <span role="status" className="sr-only">
        {known ? "" : t("changes.commentNoLine")}
      </span>
    </span>
  );
}
