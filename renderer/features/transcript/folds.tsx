// What is folded until one asks for it: thoughts, runs of looking around, and paths that were left.
import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { useShallow } from "zustand/react/shallow";
import { useFormat } from "#renderer/i18n/format.ts";
import { useSession } from "#renderer/stores/services.tsx";
import { MarkdownBlock } from "#renderer/text/markdown.tsx";
import { cx } from "#renderer/ui/class-names.ts";
import { plainText } from "#shared/chat/blocks.ts";
import type { CallId } from "#shared/lib/ids.ts";
import type { Row, SessionView } from "#shared/session/view.ts";

type FoldProps = { readonly title: ReactNode; readonly children: () => ReactNode; readonly testId?: string };

/** One quiet line that opens. Its content exists only while it is open. */
export function Fold({ title, children, testId }: FoldProps) {
  const [open, setOpen] = useState(false);
  return (
    <div data-testid={testId}>
      <button
        type="button"
        aria-expanded={open}
        className="flex max-w-full items-center gap-1 rounded-sm py-0.5 pr-1.5 text-left text-ui text-ink-2 hover:text-ink"
        onClick={() => setOpen(!open)}
      >
        <ChevronRight size={14} aria-hidden className={cx("shrink-0 text-ink-3 transition-transform duration-100", open && "rotate-90")} />
        <span className="min-w-0 truncate">{title}</span>
      </button>
      {open && <div className="mt-1.5 ml-[6px] grid grid-cols-[minmax(0,1fr)] gap-2 border-l border-line pl-4">{children()}</div>}
    </div>
  );
}

export function Thinking({ text, growing }: { readonly text: string; readonly growing: boolean }) {
  const { t } = useTranslation();
  const title = growing ? <span className="shimmer">{t("transcript.thinking")}</span> : t("transcript.thought");
  return (
    <Fold title={title} testId="thinking">
      {() => (
        <div className="text-ink-2">
          <MarkdownBlock text={text} />
        </div>
      )}
    </Fold>
  );
}

/** Shorter looks have no duration worth telling. */
const SHOWN_FROM_MS = 100;

type Looked = { readonly ms: number; readonly files: number; readonly searches: number; readonly lists: number };

function lookedAt(calls: readonly CallId[], known: SessionView["calls"]): Looked {
  const sum = { ms: 0, files: 0, searches: 0, lists: 0 };
  for (const id of calls) {
    const outcome = known[id]?.outcome;
    const kind = outcome?.view?.kind;
    sum.ms += outcome?.metrics.ms ?? 0;
    if (kind === "file_read") sum.files += 1;
    else if (kind === "search") sum.searches += 1;
    else sum.lists += 1;
  }
  return sum;
}

export function LookedAround({ calls, renderCall }: { readonly calls: readonly CallId[]; readonly renderCall: (call: CallId) => ReactNode }) {
  const { t } = useTranslation();
  const { duration } = useFormat();
  const looked = useSession(useShallow((state) => lookedAt(calls, state.view.calls)));
  const parts = [
    looked.files > 0 ? t("looked.files", { count: looked.files }) : "",
    looked.searches > 0 ? t("looked.searches", { count: looked.searches }) : "",
    looked.lists > 0 ? t("looked.lists", { count: looked.lists }) : "",
  ].filter((part) => part !== "");
  return (
    <Fold
      title={t(looked.ms < SHOWN_FROM_MS ? "looked.quick" : "looked.title", { time: duration(looked.ms), what: parts.join(t("looked.comma")) })}
      testId="looked-around"
    >
      {() => calls.map((call) => <div key={call}>{renderCall(call)}</div>)}
    </Fold>
  );
}

export function LeftRows({ rows, renderCall }: { readonly rows: readonly Row[]; readonly renderCall: (call: CallId) => ReactNode }) {
  const { t } = useTranslation();
  return (
    <Fold title={t("transcript.left", { count: rows.length })} testId="left-rows">
      {() => rows.map((row) => <LeftRow key={row.id} row={row} renderCall={renderCall} />)}
    </Fold>
  );
}

function LeftRow({ row, renderCall }: { readonly row: Row; readonly renderCall: (call: CallId) => ReactNode }) {
  if (row.kind === "prompt") return <p className="selectable rounded-lg bg-you-soft px-3 py-1.5 whitespace-pre-wrap opacity-80">{plainText(row.blocks)}</p>;
  if (row.kind === "text")
    return (
      <div className="opacity-80">
        <MarkdownBlock text={row.text} />
      </div>
    );
  if (row.kind === "call") return <div className="opacity-80">{renderCall(row.call)}</div>;
  return null;
}

/** A call whose arguments are still being written: nothing can be shown of it yet but that it comes. */
export function Writing({ tool, chars }: { readonly tool: string; readonly chars: number }) {
  const { t } = useTranslation("cards");
  const { count } = useFormat();
  return (
    <div className="flex items-center gap-2.5 rounded-lg border border-line bg-raised px-3 py-2 text-ui" data-testid="writing-call">
      <span className="shimmer font-firm">{t([`tool.${tool}.writing`, "tool.other.writing"], { tool })}</span>
      <span className="ml-auto text-small text-ink-3 tabular-nums">{t("characters", { count: chars, shown: count(chars) })}</span>
    </div>
  );
}
