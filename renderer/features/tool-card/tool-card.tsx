// A card per tool call (U4): what, on what, state, duration; below it what came of it.
import {
  ChevronRight,
  ClipboardList,
  FilePen,
  FileText,
  Folder,
  Globe,
  ListTodo,
  MessageCircleQuestionMark,
  Search,
  SquareTerminal,
  Wrench,
} from "lucide-react";
import { memo, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { LiveCall } from "#renderer/stores/live-tail.ts";
import { useSession } from "#renderer/stores/services.tsx";
import { cx } from "#renderer/ui/class-names.ts";
import type { CallId } from "#shared/lib/ids.ts";
import type { CallView } from "#shared/session/view.ts";
import { CardBody, hasBody, opensByItself } from "./card-body.tsx";
import { CardFacts } from "./card-facts.tsx";
import { SendToBackground } from "./send-to-background.tsx";
import { type CardIcon, type CardState, cardState, commandOf, firstLine, iconOf, inputOf, shortPath, subjectOf, toolOf, wentWrong } from "./describe.ts";

const ICONS: Readonly<Record<CardIcon, typeof FileText>> = {
  file: FileText,
  pencil: FilePen,
  terminal: SquareTerminal,
  search: Search,
  folder: Folder,
  list: ListTodo,
  page: Globe,
  question: MessageCircleQuestionMark,
  plan: ClipboardList,
  tool: Wrench,
};

export const ToolCard = memo(function ToolCard({ id }: { readonly id: CallId }) {
  const call = useSession((state) => state.view.calls[id]);
  const live = useSession((state) => state.live.calls[id]);
  const turnRuns = useSession((state) => state.view.turn !== undefined && (call === undefined || state.view.turn.id === call.turn));
  if (call === undefined && live === undefined) return null;
  return <Card call={call} live={live} state={cardState(call, live, turnRuns)} />;
});

type CardProps = { readonly call: CallView | undefined; readonly live: LiveCall | undefined; readonly state: CardState };

function Card({ call, live, state }: CardProps) {
  const { t } = useTranslation("cards");
  const [chosen, setChosen] = useState<boolean>();
  const tool = toolOf(call, live);
  const input = inputOf(call, live);
  const body = hasBody(call, live, state);
  const open = body && (chosen ?? opensByItself(call, state));
  return (
    <article data-testid="tool-card" data-tool={tool} data-state={state} aria-label={t("label", { tool })} className={frameOf(call, state)}>
      <CardHead expandable={body} open={open} onToggle={() => setChosen(!open)}>
        <CardPicture call={call} input={input} running={state === "running"} />
        <Verb tool={tool} call={call} state={state} />
        <Subject call={call} input={input} />
        <span className="flex-1" />
        <CardFacts call={call} live={live} state={state} />
      </CardHead>
      {open && (
        <div className="border-t border-line-soft">
          <CardBody call={call} live={live} state={state} command={commandOf(input)} />
        </div>
      )}
      {state === "running" && call !== undefined && iconOf(call, input) === "terminal" && commandOf(input) !== undefined && (
        <SendToBackground call={call.id} startedAt={call.startedAt} />
      )}
    </article>
  );
}

function frameOf(call: CallView | undefined, state: CardState): string {
  const line = wentWrong(call) ? "border-bad/40" : state === "asking" ? "border-ask-line" : "border-line";
  return cx("overflow-hidden rounded-lg border bg-raised", line, state === "running" && "shadow-[0_0_0_3px_var(--agent-soft)]");
}

function CardPicture({ call, input, running }: { readonly call: CallView | undefined; readonly input: unknown; readonly running: boolean }) {
  const Icon = ICONS[iconOf(call, input)];
  return <Icon size={16} aria-hidden className={cx("shrink-0", running ? "text-agent" : "text-ink-3")} />;
}

type CardHeadProps = { readonly expandable: boolean; readonly open: boolean; readonly onToggle: () => void; readonly children: ReactNode };

function CardHead({ expandable, open, onToggle, children }: CardHeadProps) {
  const look = "flex h-[37px] w-full min-w-0 items-center gap-2.5 px-3 text-left text-ui";
  if (!expandable) return <header className={look}>{children}</header>;
  return (
    <header>
      <button type="button" className={cx(look, "group -outline-offset-2 hover:bg-sunken/60")} aria-expanded={open} onClick={onToggle}>
        {children}
        <ChevronRight size={14} aria-hidden className={cx("shrink-0 text-ink-3 transition-transform duration-100", open && "rotate-90")} />
      </button>
    </header>
  );
}

function Verb({ tool, call, state }: { readonly tool: string; readonly call: CallView | undefined; readonly state: CardState }) {
  const { t } = useTranslation("cards");
  const view = call?.outcome?.view;
  const tense = state === "ok" ? "done" : state === "running" ? "doing" : "tried";
  const words = view?.kind === "file_change" && state === "ok" ? t(`change.${view.change}`) : t([`tool.${tool}.${tense}`, `tool.other.${tense}`], { tool });
  return <span className={"shrink-0 font-strong"}>{words}</span>;
}

function Subject({ call, input }: { readonly call: CallView | undefined; readonly input: unknown }) {
  const { t } = useTranslation("cards");
  const cwd = useSession((state) => state.view.cwd);
  const view = call?.outcome?.view;
  const subject = view?.kind === "file_change" ? view.diff.path : subjectOf(input);
  if (subject === "") return null;
  if (subject === "." || subject === cwd) return <span className="min-w-0 truncate text-ink-2">{t("thisFolder")}</span>;
  const shown = firstLine(shortPath(subject, cwd));
  return (
    <span className="min-w-0 truncate font-mono text-small text-ink-2" title={subject}>
      {shown}
    </span>
  );
}
