// What a card shows below its head, one form per kind of result; failures with the reason and the next step.
import { Check, Circle, CircleDot } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { LiveCall } from "#renderer/stores/live-tail.ts";
import { DiffView } from "#renderer/text/diff-view.tsx";
import { SessionPicture } from "#renderer/stores/session-picture.tsx";
import { TerminalOutput } from "#renderer/text/terminal-output.tsx";
import { cx } from "#renderer/ui/class-names.ts";
import { contentText } from "#shared/chat/blocks.ts";
import type { CallView } from "#shared/session/view.ts";
import type { CardView } from "#shared/tools/card.ts";
import type { ToolFailure } from "#shared/tools/failure.ts";
import { Answers, Plan } from "./person-body.tsx";
import { type CardState, failureWords, wentWrong } from "./describe.ts";
import { Interruption } from "./interruption.tsx";

type BodyProps = { readonly call: CallView | undefined; readonly live: LiveCall | undefined; readonly state: CardState; readonly command: string | undefined };

const CARD_DIFF_LINES = 14;
const MODEL_TEXT_CHARS = 6_000;

export function hasBody(call: CallView | undefined, live: LiveCall | undefined, state: CardState): boolean {
  if (state === "running") return live !== undefined && live.output !== "";
  return call?.outcome !== undefined;
}

export function opensByItself(call: CallView | undefined, state: CardState): boolean {
  // The tool says how much of its result a person wants to see (T10); what failed always shows.
  return state === "running" || state === "failed" || call?.outcome?.display === "full";
}

export function CardBody({ call, live, state, command }: BodyProps) {
  const outcome = call?.outcome;
  if (call === undefined || outcome === undefined)
    return live === undefined || state !== "running" ? null : <TerminalOutput command={command} output={live.output} live />;
  if (outcome.interrupted !== undefined) return <Interruption call={call} interrupted={outcome.interrupted} />;
  return (
    <>
      {outcome.status === "failed" && <Failure failure={outcome.failure} words={failureWords(call) ?? outcome.failure.kind} wrong={wentWrong(call)} />}
      {outcome.forModel.map((part, index) => (part.type === "image" ? <Pictured key={index} picture={part.ref} mediaType={part.mediaType} /> : null))}
      {outcome.view === undefined ? (
        outcome.status === "ok" && <ModelText text={contentText(outcome.forModel)} />
      ) : (
        <ViewBody view={outcome.view} modelText={contentText(outcome.forModel)} />
      )}
    </>
  );
}

function Pictured({ picture, mediaType }: { readonly picture: string; readonly mediaType: string }) {
  return (
    <div className="px-3 pt-2">
      <SessionPicture picture={picture} mediaType={mediaType} />
    </div>
  );
}

function ViewBody({ view, modelText }: { readonly view: CardView; readonly modelText: string }) {
  const { t } = useTranslation("cards");
  switch (view.kind) {
    case "file_change":
      return <DiffView diff={view.diff} lines={CARD_DIFF_LINES} />;
    case "shell":
      return (
        <>
          <TerminalOutput command={view.command} output={view.output === "" ? t("shell.silent") : view.output} />
          {view.stillRunning.length > 0 && (
            <p className="border-t border-line-soft px-3 py-2 text-small text-ink-2">
              {t("shell.stillRunning", { names: view.stillRunning.map((process) => `${process.name} (${process.pid})`).join(", ") })}
            </p>
          )}
        </>
      );
    case "todos":
      return <Todos items={view.items} />;
    case "listing":
    case "search":
      return <Sample lines={view.sample} />;
    case "file_read":
      return <ModelText text={modelText} />;
    case "answers":
      return <Answers view={view} />;
    case "plan":
      return <Plan view={view} />;
    case "text":
      return <ModelText text={view.text} />;
  }
}

function Sample({ lines }: { readonly lines: readonly string[] }) {
  const { t } = useTranslation("cards");
  if (lines.length === 0) return <p className="px-3 py-2 text-small text-ink-3">{t("nothing")}</p>;
  return (
    <div className="selectable max-h-[260px] overflow-auto px-3 py-2 font-mono text-small whitespace-pre">
      {lines.map((line, index) => (
        <div key={index}>{line}</div>
      ))}
    </div>
  );
}

function ModelText({ text }: { readonly text: string }) {
  const { t } = useTranslation("cards");
  if (text.trim() === "") return <p className="px-3 py-2 text-small text-ink-3">{t("nothing")}</p>;
  const shown = text.slice(0, MODEL_TEXT_CHARS);
  return (
    <div className="selectable max-h-[320px] overflow-auto px-3 py-2 font-mono text-small whitespace-pre-wrap [overflow-wrap:anywhere]">
      {shown.length < text.length ? `${shown}\n…` : shown}
    </div>
  );
}

const TODO_ICONS = { completed: Check, in_progress: CircleDot, pending: Circle } as const;

function Todos({ items }: { readonly items: Extract<CardView, { kind: "todos" }>["items"] }) {
  const { t } = useTranslation("cards");
  return (
    <ul className="grid gap-1 px-3.5 py-2.5 text-ui">
      {items.map((item, index) => {
        const Icon = TODO_ICONS[item.status];
        return (
          <li
            key={index}
            className={cx(
              "flex items-start gap-2",
              item.status === "in_progress" ? "font-firm text-agent" : item.status === "completed" ? "text-ink-2" : "text-ink-3",
            )}
          >
            <Icon size={14} aria-label={t(`todos.${item.status}`)} className="mt-[3px] shrink-0" />
            <span className="selectable">{item.text}</span>
          </li>
        );
      })}
    </ul>
  );
}

/** In the person's words first; what the agent was told is there for those who want it. */
function Failure({ failure, words, wrong }: { readonly failure: ToolFailure; readonly words: string; readonly wrong: boolean }) {
  const { t } = useTranslation("cards");
  return (
    <div className={cx("grid gap-1 px-3 py-2 text-ui", wrong && "bg-bad-soft")}>
      <p>{t(`failed.${words}.long`)}</p>
      <details className="text-small text-ink-2">
        <summary>{t("failed.told")}</summary>
        <p className="selectable pt-1 font-mono whitespace-pre-wrap [overflow-wrap:anywhere]">
          {failure.suggestion === undefined ? failure.message : `${failure.message}\n${failure.suggestion}`}
        </p>
      </details>
    </div>
  );
}
