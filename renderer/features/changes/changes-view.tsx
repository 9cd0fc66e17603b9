// What this turn, this session or two points differ in, file by file (U7). Needs no git: it compares checkpoints and the folder.
import { X } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import { Button, IconButton } from "#renderer/ui/button.tsx";
import { ChipButton } from "#renderer/ui/chip.tsx";
import { LineCounts } from "#renderer/ui/counts.tsx";
import { VisibleText } from "#renderer/ui/visible-text.tsx";
import type { CheckpointId, TurnId } from "#shared/lib/ids.ts";
import type { FileDiff } from "#shared/tools/card.ts";
import { changeRange, type ChangeRange, type ChangeScope } from "./change-range.ts";
import { ChangedFile } from "./changed-file.tsx";
import { PointPicker } from "./point-picker.tsx";

const SCOPES: readonly ChangeScope[] = ["turn", "session", "since"];

type ChangesViewProps = {
  readonly turn: TurnId | undefined;
  /** compares this point with the folder first */
  readonly from?: CheckpointId | undefined;
  readonly onClose: () => void;
  /** opens the preview of going back to where these changes began */
  readonly onUndo: (target: CheckpointId, turn: TurnId | undefined) => void;
};

export function ChangesView({ turn, from: since, onClose, onUndo }: ChangesViewProps) {
  const { t } = useTranslation();
  const { scope, setScope, points, setPoints, range } = useRange(turn, since);
  const trail = useSession((state) => state.view.trail);
  const [version, setVersion] = useState(0);
  const { diffs, problem } = useDiffs(range, trail.length + version);
  return (
    <section aria-label={t("changes.label")} className="flex min-h-0 flex-1 flex-col" data-testid="changes-view">
      <header className="flex flex-wrap items-center gap-2 border-b border-line-soft px-[22px] py-2 text-ui">
        <div role="group" aria-label={t("changes.scope")} className="flex gap-1.5">
          {SCOPES.map((value) => (
            <ChipButton key={value} aria-pressed={scope === value} onClick={() => setScope(value)} data-testid={`changes-${value}`}>
              {t(value === "turn" && turn !== undefined ? "changes.thisTurn" : `changes.${value}`)}
            </ChipButton>
          ))}
        </div>
        {scope === "since" && <PointPicker trail={trail} {...points} onChange={setPoints} />}
        <Totals diffs={diffs ?? []} />
        <span className="flex-1" />
        {diffs !== undefined && diffs.length > 0 && <UndoAll range={range} onUndo={onUndo} />}
        <IconButton label={t("changes.close")} onClick={onClose}>
          <X size={16} />
        </IconButton>
      </header>
      <div className="flex min-h-0 flex-1">
        {problem !== undefined && <p className="px-[22px] py-3 text-bad">{problem}</p>}
        {diffs === undefined && problem === undefined && <p className="shimmer px-[22px] py-3">{t("changes.loading")}</p>}
        {diffs !== undefined && <Files diffs={diffs} range={range} onUndone={() => setVersion(version + 1)} />}
      </div>
    </section>
  );
}

type Points = Pick<ChangeRange, "from" | "to">;

function useRange(turn: TurnId | undefined, since: CheckpointId | undefined) {
  const trail = useSession((state) => state.view.trail);
  const [scope, setScope] = useState<ChangeScope>(() => firstScope(turn, since));
  const [chosen, setPoints] = useState<Points>({ from: since, to: "folder" });
  const lastTurn = turn ?? trail.findLast((node) => node.checkpoint.cause.turn !== undefined)?.checkpoint.cause.turn;
  const from = chosen.from ?? trail[0]?.checkpoint.id;
  const { to } = chosen;
  const range = useMemo(() => changeRange(trail, { scope, turn: lastTurn, from, to }), [trail, scope, lastTurn, from, to]);
  return { scope, setScope, points: { from, to }, setPoints, range };
}

function firstScope(turn: TurnId | undefined, since: CheckpointId | undefined): ChangeScope {
  if (since !== undefined) return "since";
  return turn === undefined ? "session" : "turn";
}

/** Between two points of the past there is nothing to take back. */
function UndoAll({ range: { from, to, turn }, onUndo }: { readonly range: ChangeRange; readonly onUndo: ChangesViewProps["onUndo"] }) {
  const { t } = useTranslation();
  if (from === undefined || (to !== "folder" && turn === undefined)) return null;
  return (
    <Button size="small" onClick={() => onUndo(from, turn)} data-testid="changes-undo">
      {t(turn === undefined ? "changes.undo" : "transcript.undoTurn")}
    </Button>
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

type FilesProps = { readonly diffs: readonly FileDiff[]; readonly range: ChangeRange; readonly onUndone: () => void };

/** The list at the left leads to each file at the right. */
function Files({ diffs, range, onUndone }: FilesProps) {
  const { t } = useTranslation();
  const page = useRef<HTMLDivElement>(null);
  if (diffs.length === 0) return <p className="px-[22px] pt-5 text-ink-3">{t("changes.none")}</p>;
  const show = (index: number): void => page.current?.children[index]?.scrollIntoView({ block: "start" });
  return (
    <>
      {diffs.length > 1 && (
        <nav aria-label={t("changes.list")} className="w-[200px] shrink-0 overflow-y-auto border-r border-line-soft p-2">
          {diffs.map((diff, index) => (
            <button
              key={diff.path}
              type="button"
              title={diff.path}
              onClick={() => show(index)}
              className="flex w-full items-center gap-2 rounded-md px-2 py-1 text-left text-small text-ink-2 hover:bg-sunken hover:text-ink"
              data-testid="changes-list-file"
            >
              <span className="min-w-0 flex-1 truncate font-mono">
                <VisibleText text={diff.path} />
              </span>
              <LineCounts added={diff.added} removed={diff.removed} />
            </button>
          ))}
        </nav>
      )}
      <div className="min-w-0 flex-1 overflow-y-auto px-[22px] py-3">
        <div ref={page} className="mx-auto grid max-w-[920px] grid-cols-[minmax(0,1fr)] gap-3">
          {diffs.map((diff) => (
            <ChangedFile key={diff.path} diff={diff} range={range} onUndone={onUndone} />
          ))}
        </div>
      </div>
    </>
  );
}

type Diffs = { readonly diffs: readonly FileDiff[] | undefined; readonly problem: string | undefined };

/** Asks again whenever a new checkpoint says that files changed. */
function useDiffs({ from, to }: ChangeRange, version: number): Diffs {
  const { client } = useServices();
  const session = useSession((state) => state.view.session);
  const [found, setFound] = useState<Diffs>({ diffs: undefined, problem: undefined });
  useEffect(() => {
    if (from === undefined) {
      setFound({ diffs: [], problem: undefined });
      return undefined;
    }
    const abort = new AbortController();
    void client.checkpoints.diff({ session, from, to }, abort.signal).then((result) => {
      if (!abort.signal.aborted) setFound(result.ok ? { diffs: result.value, problem: undefined } : { diffs: undefined, problem: result.error.message });
    });
    return () => abort.abort();
  }, [client, session, from, to, version]);
  return found;
}
