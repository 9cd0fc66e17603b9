// "Looked at": stays as long as the file looks the same.
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { setReviewed } from "#renderer/stores/review.ts";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import type { FileDiff } from "#shared/tools/card.ts";

export function useReviewed(diff: FileDiff): boolean {
  const session = useSession((state) => state.view.session);
  return useStore(useServices().review, (state) => state.reviewed[session]?.[diff.path] === printOf(diff));
}

export function ReviewedTick({ diff }: { readonly diff: FileDiff }) {
  const { t } = useTranslation();
  const { review } = useServices();
  const session = useSession((state) => state.view.session);
  const reviewed = useReviewed(diff);
  return (
    <label className="flex items-center gap-1.5 text-small text-ink-2">
      <input
        type="checkbox"
        checked={reviewed}
        onChange={(event) => setReviewed(review, session, diff.path, event.target.checked ? printOf(diff) : undefined)}
        className="size-3.5 accent-agent"
        data-testid="reviewed"
      />
      {t("changes.reviewed")}
    </label>
  );
}

/** Short, and another one as soon as a line differs; nobody has to be kept from forging it. */
function printOf({ added, removed, hunks }: FileDiff): string {
  let hash = 7;
  for (const hunk of hunks) for (const line of hunk.lines) for (const char of `${line.kind}${line.text}`) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) | 0;
  return `${added} ${removed} ${hash}`;
}
