// What this turn or this session changed, file by file (U7). Needs no git: it compares checkpoints with the folder.
import { ExternalLink, X } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import { DiffView } from "#renderer/text/diff-view.tsx";
import { Button, IconButton } from "#renderer/ui/button.tsx";
import { ChipButton } from "#renderer/ui/chip.tsx";
import { LineCounts } from "#renderer/ui/counts.tsx";
import { VisibleText } from "#renderer/ui/visible-text.tsx";
import type { CheckpointId, TurnId } from "#shared/lib/ids.ts";
import type { FileDiff } from "#shared/tools/card.ts";
import { changeRange, type ChangeScope } from "./change-range.ts";

const DIFF_LINES = 60;

type ChangesViewProps = {
  readonly turn: TurnId | undefined;
  readonly onClose: () => void;
  /** opens the preview of going back to where these changes began */
  readonly onUndo: (target: CheckpointId) => void;
};

export function ChangesView({ turn, onClose, onUndo }: ChangesViewProps) {
  const { t } = useTranslation();
  const trail = useSession((state) => state.view.trail);
  const [scope, setScope] = useState<ChangeScope>(turn === undefined ? "session" : "turn");
  const lastTurn = turn ?? trail.findLast((node) => node.checkpoint.cause.turn !== undefined)?.checkpoint.cause.turn;
  const from = useMemo(() => changeRange(trail, scope, lastTurn), [trail, scope, lastTurn]);
  const { diffs, problem } = useDiffs(from, trail.length);
  return (
    <section aria-label={t("changes.label")} className="flex min-h-0 flex-1 flex-col" data-testid="changes-view">
      <header className="flex items-center gap-2 border-b border-line-soft px-[22px] py-2 text-ui">
        <div role="group" aria-label={t("changes.scope")} className="flex gap-1.5">
          {(["turn", "session"] as const).map((value) => (
            <ChipButton key={value} aria-pressed={scope === value} onClick={() => setScope(value)}>
              {t(`changes.${value}`)}
            </ChipButton>
          ))}
        </div>
        <Totals diffs={diffs ?? []} />
        <span className="flex-1" />
        {from !== undefined && diffs !== undefined && diffs.length > 0 && (
          <Button size="small" onClick={() => onUndo(from)} data-testid="changes-undo">
            {t("changes.undo")}
          </Button>
        )}
        <IconButton label={t("changes.close")} onClick={onClose}>
          <X size={16} />
        </IconButton>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto px-[22px] py-3">
        {problem !== undefined && <p className="text-bad">{problem}</p>}
        {diffs === undefined && problem === undefined && <p className="shimmer">{t("changes.loading")}</p>}
        {diffs !== undefined && <FileList diffs={diffs} />}
      </div>
    </section>
  );
}

function Totals({ diffs }: { readonly diffs: readonly FileDiff[] }) {
  const { t } = useTranslation();
  const added = diffs.reduce((sum, diff) => sum + diff.added, 0);
  const removed = diffs.reduce((sum, diff) => sum + diff.removed, 0);
  if (diffs.length === 0) return null;
  return (
    <>
      <span className="pl-1 text-ink-2">{t("changes.files", { count: diffs.length })}</span>
      <LineCounts added={added} removed={removed} />
    </>
  );
}

function FileList({ diffs }: { readonly diffs: readonly FileDiff[] }) {
  const { t } = useTranslation();
  if (diffs.length === 0) return <p className="pt-2 text-ink-3">{t("changes.none")}</p>;
  return (
    <div className="mx-auto grid max-w-[920px] grid-cols-[minmax(0,1fr)] gap-3">
      {diffs.map((diff) => (
        <FileChanges key={diff.path} diff={diff} />
      ))}
    </div>
  );
}

function FileChanges({ diff }: { readonly diff: FileDiff }) {
  const { t } = useTranslation();
  const { client, toasts } = useServices();
  const session = useSession((state) => state.view.session);
  const show = async (): Promise<void> => {
    const result = await client.app.showFile({ session, path: diff.path });
    if (!result.ok) toasts.show({ tone: "bad", notice: { key: "toast.showFailed" }, detail: result.error.message });
  };
  return (
    <article className="overflow-hidden rounded-lg border border-line bg-raised" data-testid="changed-file" data-path={diff.path}>
      <header className="flex items-center gap-2.5 border-b border-line-soft py-1 pr-1.5 pl-3">
        <h3 className="selectable min-w-0 flex-1 font-mono text-small [overflow-wrap:anywhere]">
          <VisibleText text={diff.path} />
        </h3>
        <LineCounts added={diff.added} removed={diff.removed} />
        <IconButton label={t("changes.open")} onClick={() => void show()}>
          <ExternalLink size={14} />
        </IconButton>
      </header>
      <DiffView diff={diff} lines={DIFF_LINES} />
    </article>
  );
}

type Diffs = { readonly diffs: readonly FileDiff[] | undefined; readonly problem: string | undefined };

/** Asks again whenever a new checkpoint says that files changed. */
function useDiffs(from: CheckpointId | undefined, version: number): Diffs {
  const { client } = useServices();
  const session = useSession((state) => state.view.session);
  const [found, setFound] = useState<Diffs>({ diffs: undefined, problem: undefined });
  useEffect(() => {
    if (from === undefined) {
      setFound({ diffs: [], problem: undefined });
      return undefined;
    }
    const abort = new AbortController();
    void client.checkpoints.diff({ session, from, to: "folder" }, abort.signal).then((result) => {
      if (!abort.signal.aborted) setFound(result.ok ? { diffs: result.value, problem: undefined } : { diffs: undefined, problem: result.error.message });
    });
    return () => abort.abort();
  }, [client, session, from, version]);
  return found;
}
