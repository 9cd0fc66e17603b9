// What this turn, this session or two points differ in, file by file (U7). Needs no git: it compares checkpoints and the folder.
import { Check, ChevronLeft, ChevronRight, X } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import { Button, IconButton } from "#renderer/ui/button.tsx";
import { ChipButton } from "#renderer/ui/chip.tsx";
import { LineCounts } from "#renderer/ui/counts.tsx";
import { VisibleText } from "#renderer/ui/visible-text.tsx";
import type { CheckpointId, TurnId } from "#shared/lib/ids.ts";
import type { FileDiff } from "#shared/tools/card.ts";
import { changeRange, type ChangeRange, type ChangeScope } from "./change-range.ts";
import { ChangedFile } from "./changed-file.tsx";
import { useReviewed } from "./reviewed-tick.tsx";
import { type Comments, useComments } from "./use-comments.ts";
import { PointPicker } from "./point-picker.tsx";

const SCOPES: readonly ChangeScope[] = ["turn", "session", "since", "uncommitted"];

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
  const repository = useSession((state) => state.view.repository?.state === "repository");
  const scopes = SCOPES.filter((value) => value !== "uncommitted" || repository);
  const { diffs, more, problem } = useDiffs(range, trail.length + version);
  const comments = useComments();
  const compare = (next: Points): void => {
    setPoints(next);
    setScope("since");
  };
  return (
    <section aria-label={t("changes.label")} className="flex min-h-0 flex-1 flex-col" data-testid="changes-view">
      <header className="flex flex-wrap items-center gap-2 border-b border-line-soft px-[22px] py-2 text-ui">
        <div role="group" aria-label={t("changes.scope")} className="flex gap-1.5">
          {scopes.map((value) => (
            <ChipButton key={value} aria-pressed={scope === value} onClick={() => setScope(value)} data-testid={`changes-${value}`}>
              {t(value === "turn" && turn !== undefined ? "changes.thisTurn" : `changes.${value}`)}
            </ChipButton>
          ))}
        </div>
        {scope === "since" && <PointPicker trail={trail} {...points} onChange={setPoints} />}
        <Totals diffs={diffs ?? []} />
        <span className="flex-1" />
        {comments.all.length > 0 && (
          <Button size="small" look="primary" onClick={() => void comments.send(comments.all)} data-testid="send-comments">
            {t("changes.sendComments", { count: comments.all.length })}
          </Button>
        )}
        <SplitToggle />
        {diffs !== undefined && diffs.length > 0 && <UndoAll range={range} onUndo={onUndo} />}
        <IconButton label={t("changes.close")} onClick={onClose}>
          <X size={16} />
        </IconButton>
      </header>
      <div className="flex min-h-0 flex-1">
        {problem !== undefined && <p className="px-[22px] py-3 text-bad">{problem}</p>}
        {diffs === undefined && problem === undefined && <p className="shimmer px-[22px] py-3">{t("changes.loading")}</p>}
        {diffs !== undefined && (
          <Files diffs={diffs} more={more} range={range} comments={comments} onUndone={() => setVersion(version + 1)} onPoints={compare} />
        )}
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

/** One under the other, or side by side. */
function SplitToggle() {
  const { t } = useTranslation();
  const { review } = useServices();
  const split = useStore(review, (state) => state.split);
  return (
    <ChipButton aria-pressed={split} onClick={() => review.setState({ split: !split })} data-testid="split-toggle">
      {t("changes.split")}
    </ChipButton>
  );
}

type FilesProps = {
  readonly diffs: readonly FileDiff[];
  readonly more: number;
  readonly range: ChangeRange;
  readonly comments: Comments;
  readonly onUndone: () => void;
  readonly onPoints: (points: Points) => void;
};

/** The list at the left leads to each file at the right. */
function Files({ diffs, more, ...rest }: FilesProps) {
  const { t } = useTranslation();
  const page = useRef<HTMLDivElement>(null);
  const [alone, setAlone] = useState<number>();
  if (diffs.length === 0) return <p className="px-[22px] pt-5 text-ink-3">{t("changes.none")}</p>;
  const at = alone === undefined ? undefined : Math.min(alone, diffs.length - 1);
  const show = (index: number): void => {
    if (at !== undefined) setAlone(index);
    else page.current?.children[index]?.scrollIntoView({ block: "start" });
  };
  const shown = at === undefined ? diffs : diffs.slice(at, at + 1);
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
              <Looked diff={diff} />
              <span className="min-w-0 flex-1 truncate font-mono">
                <VisibleText text={diff.path} />
              </span>
              <LineCounts added={diff.added} removed={diff.removed} />
            </button>
          ))}
        </nav>
      )}
      <div className="min-w-0 flex-1 overflow-y-auto px-[22px] py-3">
        {diffs.length > 1 && <OneByOne at={at} of={diffs.length} onGo={setAlone} />}
        <div ref={page} className="mx-auto grid max-w-[920px] grid-cols-[minmax(0,1fr)] gap-3">
          {shown.map((diff) => (
            <ChangedFile key={diff.path} diff={diff} {...rest} />
          ))}
          {more > 0 && <p className="text-small text-ink-3">{t("changes.moreFiles", { count: more })}</p>}
        </div>
      </div>
    </>
  );
}

type OneByOneProps = { readonly at: number | undefined; readonly of: number; readonly onGo: (at: number | undefined) => void };

/** One file at a time, or all of them. */
function OneByOne({ at, of, onGo }: OneByOneProps) {
  const { t } = useTranslation();
  return (
    <div className="mx-auto flex max-w-[920px] items-center gap-1.5 pb-2 text-small text-ink-2">
      <ChipButton aria-pressed={at !== undefined} onClick={() => onGo(at === undefined ? 0 : undefined)} data-testid="one-by-one">
        {t("changes.oneByOne")}
      </ChipButton>
      {at !== undefined && (
        <>
          <IconButton label={t("changes.previousFile")} disabled={at === 0} onClick={() => onGo(at - 1)} data-testid="previous-file">
            <ChevronLeft size={15} />
          </IconButton>
          <span role="status" className="tabular-nums">
            {t("changes.fileOf", { at: at + 1, of })}
          </span>
          <IconButton label={t("changes.nextFile")} disabled={at === of - 1} onClick={() => onGo(at + 1)} data-testid="next-file">
            <ChevronRight size={15} />
          </IconButton>
        </>
      )}
    </div>
  );
}

function Looked({ diff }: { readonly diff: FileDiff }) {
  const { t } = useTranslation();
  return useReviewed(diff) ? <Check size={13} className="shrink-0 text-agent" aria-label={t("changes.reviewed")} /> : null;
}

/** `more`: files beyond those listed. */
type Diffs = { readonly diffs: readonly FileDiff[] | undefined; readonly more: number; readonly problem: string | undefined };

/** Asks again whenever a new checkpoint says that files changed. */
function useDiffs({ from, to, git }: ChangeRange, version: number): Diffs {
  const { client } = useServices();
  const session = useSession((state) => state.view.session);
  const [found, setFound] = useState<Diffs>({ diffs: undefined, more: 0, problem: undefined });
  useEffect(() => {
    const abort = new AbortController();
    const set = (next: Diffs): void => {
      if (!abort.signal.aborted) setFound(next);
    };
    const fail = (problem: string): void => set({ diffs: undefined, more: 0, problem });
    if (git === true) {
      void client.checkpoints
        .uncommitted({ session }, abort.signal)
        .then((result) => (result.ok ? set({ ...result.value, problem: undefined }) : fail(result.error.message)));
    } else if (from === undefined) set({ diffs: [], more: 0, problem: undefined });
    else {
      void client.checkpoints
        .diff({ session, from, to }, abort.signal)
        .then((result) => (result.ok ? set({ diffs: result.value, more: 0, problem: undefined }) : fail(result.error.message)));
    }
    return () => abort.abort();
  }, [client, session, from, to, git, version]);
  return found;
}
