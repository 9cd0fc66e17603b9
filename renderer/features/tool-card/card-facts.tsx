// The right end of a card's head: result in a few words, then how long it took.
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "#renderer/i18n/format.ts";
import type { LiveCall } from "#renderer/stores/live-tail.ts";
import { cx } from "#renderer/ui/class-names.ts";
import { LineCounts } from "#renderer/ui/counts.tsx";
import type { CallView } from "#shared/session/view.ts";
import type { CardView } from "#shared/tools/card.ts";
import type { Interrupted } from "#shared/tools/recovery.ts";
import { type CardState, failureWords, wentWrong } from "./describe.ts";

type CardFactsProps = { readonly call: CallView | undefined; readonly live: LiveCall | undefined; readonly state: CardState };

/** Durations below this say nothing. */
const SHOWN_FROM_MS = 50;

export function CardFacts({ call, live, state }: CardFactsProps) {
  const { duration } = useFormat();
  const ms = call?.outcome?.metrics.ms ?? 0;
  return (
    <span className="flex shrink-0 items-center gap-2.5 pl-2 text-small text-ink-3 tabular-nums">
      {state === "running" ? <Running startedAt={call?.startedAt} live={live} /> : <StateWord call={call} state={state} />}
      {call?.outcome?.status === "ok" && call.outcome.view !== undefined && <ViewFacts view={call.outcome.view} />}
      {ms >= SHOWN_FROM_MS && !isPersons(call) && <span>{duration(ms)}</span>}
    </span>
  );
}

/** The time was the person's, not the agent's (L21). */
function isPersons(call: CallView | undefined): boolean {
  const kind = call?.outcome?.view?.kind;
  return kind === "answers" || kind === "plan";
}

function StateWord({ call, state }: { readonly call: CallView | undefined; readonly state: CardState }) {
  const { t } = useTranslation("cards");
  const outcome = call?.outcome;
  if (outcome?.interrupted !== undefined) return <InterruptedWord interrupted={outcome.interrupted} />;
  const failed = failureWords(call);
  if (failed !== undefined) return <span className={cx("font-firm", wentWrong(call) ? "text-bad" : "text-ink-2")}>{t(`failed.${failed}.short`)}</span>;
  if (state === "asking") return <span className="font-firm text-ask-ink">{t("state.asking")}</span>;
  return state === "queued" || state === "not_run" ? <span>{t(`state.${state}`)}</span> : null;
}

function InterruptedWord({ interrupted }: { readonly interrupted: Interrupted }) {
  const { t } = useTranslation("cards");
  return <span className={cx("font-firm", interrupted === "unknown" ? "text-ask-ink" : "text-ink-2")}>{t(`interrupted.${interrupted}.short`)}</span>;
}

function ViewFacts({ view }: { readonly view: CardView }) {
  const { t } = useTranslation("cards");
  switch (view.kind) {
    case "file_change":
      return <LineCounts added={view.diff.added} removed={view.diff.removed} />;
    case "file_read":
      return <span>{view.total === 0 ? t("read.empty") : t("read.lines", { from: view.from, to: view.to, total: view.total })}</span>;
    case "listing":
      return <span>{t(view.cut ? "listing.cut" : "listing.count", { count: view.count })}</span>;
    case "search":
      return <span>{view.matches === 0 ? t("search.none") : t("search.found", { count: view.matches, files: view.files })}</span>;
    case "shell":
      return <ShellFacts view={view} />;
    case "todos":
      return <span>{t("todos.progress", { done: view.items.filter((item) => item.status === "completed").length, of: view.items.length })}</span>;
    case "answers":
      return view.declined ? <span>{t("answers.declined")}</span> : null;
    case "plan":
      return <span className={cx("font-firm", view.decision === "approved" ? "text-you" : "text-ink-2")}>{t(`plan.${view.decision}`)}</span>;
    case "text":
      return null;
  }
}

function ShellFacts({ view }: { readonly view: Extract<CardView, { kind: "shell" }> }) {
  const { t } = useTranslation("cards");
  if (view.background) return <span>{t("shell.background")}</span>;
  if (view.timedOut) return <span className="text-bad">{t("shell.timedOut")}</span>;
  if (view.signal !== null) return <span className="text-bad">{t("shell.signal", { signal: view.signal })}</span>;
  if (view.exitCode !== null && view.exitCode !== 0) return <span className="text-bad">{t("shell.exit", { code: view.exitCode })}</span>;
  return null;
}

const TICK_MS = 1_000;
const SHOWN_AFTER_SECONDS = 2;

/** Seconds tick, so that a long call is never mistaken for a dead one. */
function Running({ startedAt, live }: { readonly startedAt: number | undefined; readonly live: LiveCall | undefined }) {
  const { t } = useTranslation("cards");
  const { duration } = useFormat();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const seconds = startedAt === undefined ? 0 : Math.max(0, Math.floor((now - startedAt) / 1000));
  const { fraction, note } = live ?? {};
  return (
    <>
      {note !== undefined && <span className="max-w-[220px] truncate">{note}</span>}
      {fraction !== undefined && <span>{fraction.of === undefined ? fraction.done : `${fraction.done} / ${fraction.of}`}</span>}
      <span className="text-agent">{t("state.running")}</span>
      {seconds >= SHOWN_AFTER_SECONDS && <span>{duration(seconds * 1000)}</span>}
    </>
  );
}
