// The plain rows of the conversation: what it said, and how a turn ended.
import { Archive, CircleAlert, Info, Undo2 } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { useFormat } from "#renderer/i18n/format.ts";
import { noticeText } from "#renderer/i18n/i18n.ts";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import { blocksOf } from "#renderer/text/block-stream.ts";
import { MarkdownBlock } from "#renderer/text/markdown.tsx";
import { Button } from "#renderer/ui/button.tsx";
import { LineCounts } from "#renderer/ui/counts.tsx";
import { Mark } from "#renderer/ui/mark.tsx";
import type { CheckpointId, EntryId, TurnId } from "#shared/lib/ids.ts";
import type { NoticeAction } from "#shared/loop/turn-end.ts";
import type { RowOf } from "./items.ts";
import { turnChanges } from "./turn-changes.ts";

export function TextBlock({ text, growing }: { readonly text: string; readonly growing: boolean }) {
  const blocks = useMemo(() => (growing ? [text] : blocksOf(text)), [text, growing]);
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2.5" data-testid="answer">
      {blocks.map((block, index) => (
        <MarkdownBlock key={index} text={block} growing={growing} />
      ))}
    </div>
  );
}

export function WarningRow({ row }: { readonly row: RowOf<"warning"> }) {
  const { t } = useTranslation();
  return (
    <div className="flex items-start gap-2 text-ui text-ink-2" data-testid="warning-row">
      <Info size={15} className="mt-0.5 shrink-0 text-ink-3" aria-hidden />
      <span className="selectable">{noticeText(t, row.notice)}</span>
    </div>
  );
}

export function CompactionRow({ row }: { readonly row: RowOf<"compaction"> }) {
  const { t } = useTranslation();
  const { count } = useFormat();
  return (
    <div className="flex items-center gap-2 text-ui text-ink-2">
      <Archive size={15} className="shrink-0 text-ink-3" aria-hidden />
      {t("transcript.compacted", { before: count(row.before), after: count(row.after) })}
    </div>
  );
}

export function RolledBackRow({ row }: { readonly row: RowOf<"rolled_back"> }) {
  const { t } = useTranslation();
  const { moment } = useFormat();
  const target = useSession((state) => state.view.trail.find((node) => node.checkpoint.id === row.target));
  const time = target === undefined ? "" : moment(target.checkpoint.at);
  return (
    <div className="grid gap-1 border-t border-line-soft pt-2.5 text-ui text-ink-2" data-testid="rolled-back-row">
      <div className="flex items-center gap-2">
        <Undo2 size={15} className="shrink-0 text-you" aria-hidden />
        {wentWords(row, t, time)}
      </div>
      {row.lasting.length > 0 && (
        <details className="pl-[23px] text-small" data-testid="stays">
          <summary>{t("trail:irreversible.after", { count: row.lasting.length })}</summary>
          <ul className="grid gap-0.5 pt-1">
            {row.lasting.map((item) => (
              <li key={`${item.kind} ${item.detail}`} className="[overflow-wrap:anywhere]">
                {t(`trail:irreversible.${item.kind}`, { detail: item.detail })}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** Only what moved: a going back of files alone says nothing of the conversation, neither does its undo. */
function wentWords(row: RowOf<"rolled_back">, t: (key: string, options: Record<string, unknown>) => string, time: string): string {
  const count = row.files.length;
  if (row.undo) return t(`transcript.wentForward.${row.scope}`, {});
  return row.partial ? t("trail:tookBack", { count }) : t(`transcript.wentBack.${row.scope}`, { time, count });
}

type TurnEndRowProps = {
  readonly row: RowOf<"turn_end">;
  readonly onReview: (turn: TurnId) => void;
  readonly onUndoTurn: (target: CheckpointId, turn: TurnId) => void;
  readonly onAct: (action: NoticeAction, turn: TurnId) => void;
  readonly onResend: (prompt: EntryId) => Promise<boolean>;
};

/** Turns that ended well show what changed; all others show why, and the one thing to do next. */
export function TurnEndRow({ row, onReview, onUndoTurn, onAct, onResend }: TurnEndRowProps) {
  const { t } = useTranslation();
  const { end } = row;
  const good = end.why === "answered";
  return (
    <div className="grid gap-2" data-testid="turn-end" data-why={end.why}>
      {!good && <EndCause row={row} onAct={onAct} />}
      {(end.facts ?? []).map((fact) => (
        <div key={fact.key} className="flex items-start gap-2 text-ui text-ink-2">
          <Info size={15} className="mt-0.5 shrink-0 text-ink-3" aria-hidden />
          {noticeText(t, fact)}
        </div>
      ))}
      <TurnSummary row={row} onReview={onReview} onUndoTurn={onUndoTurn} onResend={onResend} />
    </div>
  );
}

function EndCause({ row, onAct }: { readonly row: RowOf<"turn_end">; readonly onAct: TurnEndRowProps["onAct"] }) {
  const { t } = useTranslation();
  const { end } = row;
  const stopped = end.why === "aborted" && (end.abortedBy === undefined || end.abortedBy === "person" || end.abortedBy === "rollback");
  const words = end.notice === undefined ? t(`end.${end.why}`) : noticeText(t, end.notice);
  if (stopped) return <p className="text-ui text-ink-3">{t("end.aborted")}</p>;
  const action = end.action ?? "none";
  return (
    <div className="grid gap-1.5 rounded-lg border border-bad/35 bg-bad-soft px-3.5 py-2.5" role="note">
      <div className="flex items-start gap-2">
        <CircleAlert size={16} className="mt-[3px] shrink-0 text-bad" aria-hidden />
        <p className="selectable min-w-0 flex-1 font-firm [overflow-wrap:anywhere]">{words}</p>
        {action !== "none" && (
          <Button size="small" onClick={() => onAct(action, row.turn)} data-testid="turn-end-action">
            {t(`endAction.${action}`)}
          </Button>
        )}
      </div>
      {end.detail !== undefined && (
        <details className="pl-6 text-small text-ink-2">
          <summary>{t("end.details")}</summary>
          <p className="selectable pt-1 font-mono whitespace-pre-wrap [overflow-wrap:anywhere]">{end.detail}</p>
        </details>
      )}
    </div>
  );
}

/** Shown below the first changes until it was read: that one can always go back is what makes people dare. */
function GoingBackHint() {
  const { t } = useTranslation();
  const { taught } = useServices();
  const known = useStore(taught, (state) => state.goingBack);
  if (known) return null;
  return (
    <div className="flex items-start gap-2.5 rounded-lg bg-agent-soft px-3.5 py-2 text-ui" data-testid="teach-going-back">
      <Mark size={18} />
      <span className="min-w-0 flex-1">{t("transcript.teach")}</span>
      <Button look="link" onClick={() => taught.setState({ goingBack: true })}>
        {t("transcript.teachDone")}
      </Button>
    </div>
  );
}

/** A shorter time says nothing. */
const TOLD_FROM_MS = 100;

function TurnSummary({ row, onReview, onUndoTurn, onResend }: Omit<TurnEndRowProps, "onAct">) {
  const { t } = useTranslation();
  const { duration } = useFormat();
  const trail = useSession((state) => state.view.trail);
  const { files, added, removed, start } = useMemo(() => turnChanges(trail, row.turn), [trail, row.turn]);
  const again = <AnswerAgain turn={row.turn} onResend={onResend} />;
  const time = row.ms < TOLD_FROM_MS ? undefined : duration(row.ms);
  if (files === 0)
    return (
      <p className="flex flex-wrap items-center gap-x-3.5 text-small text-ink-3 empty:hidden">
        {time !== undefined && <span>{t("transcript.took", { time })}</span>}
        {again}
      </p>
    );
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3.5 gap-y-1 text-ui text-ink-2" data-testid="turn-changes">
        <span>{t("transcript.changed", { count: files })}</span>
        <LineCounts added={added} removed={removed} />
        <Button look="link" onClick={() => onReview(row.turn)} data-testid="review-turn">
          {t("transcript.review")}
        </Button>
        {start !== undefined && (
          <Button look="link" onClick={() => onUndoTurn(start, row.turn)} data-testid="undo-turn">
            {t("transcript.undoTurn")}
          </Button>
        )}
        {again}
        {time !== undefined && <span className="ml-auto text-small text-ink-3">{time}</span>}
      </div>
      <GoingBackHint />
    </>
  );
}

/** Asks the last prompt once more, as it was. */
function AnswerAgain({ turn, onResend }: { readonly turn: TurnId; readonly onResend: TurnEndRowProps["onResend"] }) {
  const { t } = useTranslation();
  const prompt = useSession(({ view }) => {
    const last = view.rows.findLast((row) => row.kind === "prompt" && !row.left && view.entries[row.entry]?.kind === "prompt");
    return view.turn === undefined && last?.kind === "prompt" && last.turn === turn ? last.entry : undefined;
  });
  if (prompt === undefined) return null;
  return (
    <Button look="link" title={t("transcript.againHint")} onClick={() => void onResend(prompt)} data-testid="answer-again">
      {t("transcript.again")}
    </Button>
  );
}
