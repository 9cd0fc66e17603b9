// One file of the changes: its difference, and its way back as a whole or hunk by hunk (U7).
import { ExternalLink, Undo2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import { DiffView } from "#renderer/text/diff-view.tsx";
import { Button, IconButton } from "#renderer/ui/button.tsx";
import { LineCounts } from "#renderer/ui/counts.tsx";
import { VisibleText } from "#renderer/ui/visible-text.tsx";
import type { FileDiff } from "#shared/tools/card.ts";
import type { ChangeRange } from "./change-range.ts";
import { type UndoFile, useUndoFile } from "./use-undo-file.ts";

const DIFF_LINES = 60;

type ChangedFileProps = { readonly diff: FileDiff; readonly range: ChangeRange; readonly onUndone: () => void };

export function ChangedFile({ diff, range, onUndone }: ChangedFileProps) {
  const { t } = useTranslation();
  const { client, toasts } = useServices();
  const session = useSession((state) => state.view.session);
  const undo = useUndoFile({ path: diff.path, range, onUndone });
  const show = async (): Promise<void> => {
    const result = await client.app.showFile({ session, path: diff.path });
    if (!result.ok) toasts.show({ tone: "bad", notice: { key: "toast.showFailed" }, detail: result.error.message });
  };
  // hunks are counted against the folder as it is
  const byHunk = undo !== undefined && range.to === "folder" && diff.hunks.length > 1;
  const hunkAction = (index: number) => (
    <Button look="ghost" size="small" disabled={undo?.state !== "idle"} onClick={() => void undo?.hunk(index)} data-testid="undo-hunk">
      <Undo2 size={13} aria-hidden /> {t("changes.undoHunk", { number: index + 1 })}
    </Button>
  );
  return (
    <article className="overflow-hidden rounded-lg border border-line bg-raised" data-testid="changed-file" data-path={diff.path}>
      <header className="flex items-center gap-2.5 border-b border-line-soft py-1 pr-1.5 pl-3">
        <h3 className="selectable min-w-0 flex-1 font-mono text-small [overflow-wrap:anywhere]">
          <VisibleText text={diff.path} />
        </h3>
        <LineCounts added={diff.added} removed={diff.removed} />
        {undo !== undefined && (
          <IconButton
            label={t("changes.undoFile", { path: diff.path })}
            disabled={undo.state !== "idle"}
            onClick={() => void undo.file()}
            data-testid="undo-file"
          >
            <Undo2 size={14} />
          </IconButton>
        )}
        <IconButton label={t("changes.open")} onClick={() => void show()}>
          <ExternalLink size={14} />
        </IconButton>
      </header>
      {undo?.state === "asking" && <WhoseStays undo={undo} />}
      <DiffView diff={diff} lines={DIFF_LINES} {...(byHunk ? { hunkAction } : {})} />
    </article>
  );
}

/** The person changed the file as well: what is theirs goes only when they say so. */
function WhoseStays({ undo }: { readonly undo: UndoFile }) {
  const { t } = useTranslation();
  return (
    <div role="alert" className="flex flex-wrap items-center gap-2 border-b border-ask-line bg-ask-soft px-3 py-1.5 text-small" data-testid="whose-stays">
      <span className="flex-1">{t("changes.bothChanged")}</span>
      <Button size="small" onClick={undo.keepMine} data-testid="undo-keep-mine">
        {t("trail:choice.mine")}
      </Button>
      <Button size="small" onClick={() => void undo.takeEarlier()} data-testid="undo-take-earlier">
        {t("trail:choice.earlier")}
      </Button>
    </div>
  );
}
