// "+4 −2": added and removed lines, with the words for screen readers.
import { useTranslation } from "react-i18next";

export function LineCounts({ added, removed }: { readonly added: number; readonly removed: number }) {
  const { t } = useTranslation();
  return (
    <span className="inline-flex gap-1.5 font-mono text-small tabular-nums" aria-label={t("linesChanged", { added, removed })} role="img">
      {added > 0 && <span className="text-add-ink">+{added}</span>}
      {removed > 0 && <span className="text-del-ink">−{removed}</span>}
    </span>
  );
}
