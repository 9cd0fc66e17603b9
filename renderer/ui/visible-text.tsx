// Text from outside, shown so that nothing in it can hide: control and look-alike characters become marked escapes (P10).
import { useTranslation } from "react-i18next";
import { visibleParts } from "#shared/lib/text.ts";

export function VisibleText({ text }: { readonly text: string }) {
  const { t } = useTranslation();
  return visibleParts(text).map((part, index) =>
    part.hidden ? (
      <mark key={index} title={t("hiddenCharacter")} className="rounded-xs bg-bad-soft px-0.5 font-mono text-bad">
        {part.text}
      </mark>
    ) : (
      <span key={index}>{part.text}</span>
    ),
  );
}

/** True when something in it would not be seen as it is. */
export function hasHidden(text: string): boolean {
  return visibleParts(text).some((part) => part.hidden);
}
