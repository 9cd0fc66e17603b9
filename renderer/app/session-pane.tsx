// A session in its pane: head, conversation, trail, and below it what asks and where one writes.
import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { BackgroundStrip } from "#renderer/features/background/background-strip.tsx";
import { ChangesView } from "#renderer/features/changes/changes-view.tsx";
import { SessionComposer } from "#renderer/features/composer/session-composer.tsx";
import { ProjectHooksCard } from "#renderer/features/permission/project-hooks-card.tsx";
import { QuestionDock } from "#renderer/features/permission/question-dock.tsx";
import { MovedFolder } from "#renderer/features/sessions/moved-folder.tsx";
import { BringPanel } from "#renderer/features/timeline/bring-panel.tsx";
import { CopyStrip } from "#renderer/features/timeline/copy-strip.tsx";
import { RollbackPanel } from "#renderer/features/timeline/rollback-panel.tsx";
import { TrailView } from "#renderer/features/timeline/trail.tsx";
import { UndoStrip } from "#renderer/features/timeline/undo-strip.tsx";
import { ToolCard } from "#renderer/features/tool-card/tool-card.tsx";
import type { TranscriptActions } from "#renderer/features/transcript/actions.ts";
import { Transcript } from "#renderer/features/transcript/transcript.tsx";
import { useServices, useSession, useSessionStore } from "#renderer/stores/services.tsx";
import { text as textBlock } from "#shared/chat/blocks.ts";
import type { CallId, CheckpointId, EntryId, TurnId } from "#shared/lib/ids.ts";
import type { SessionView } from "#shared/session/view.ts";
import { newStart } from "./commands.ts";
import { useSlashCommands } from "./slash-commands.ts";
import { useFork } from "./use-fork.ts";
import { PaneHead } from "./pane-head.tsx";

type Side = { readonly kind: "none" } | { readonly kind: "changes"; readonly turn: TurnId | undefined; readonly from?: CheckpointId };
/** `turn`: only its work, later turns stay */
type Target = { readonly id: CheckpointId; readonly turn?: TurnId };
const NO_SIDE: Side = { kind: "none" };

export function SessionPane({ index }: { readonly index: number }) {
  const { t } = useTranslation();
  const title = useSession((state) => state.view.title);
  const lastTurn = useSession((state) => state.view.rows.findLast((row) => row.kind === "prompt" && !row.left)?.turn);
  const unavailable = useSession((state) => state.unavailable);
  const [side, setSide] = useState<Side>(NO_SIDE);
  const [target, setTarget] = useState<Target>();
  const [bringing, setBringing] = useState(false);
  const copyOf = useSession((state) => state.view.copyOf);
  const [recheck, setRecheck] = useState(0);
  const input = useRef<HTMLTextAreaElement>(null);
  const { finds, taught } = useServices();
  const session = useSession((state) => state.view.session);
  const asked = useStore(finds, (all) => all[session]?.asked);
  useEffect(() => {
    // What is looked for is in the conversation.
    if (asked !== undefined) setSide(NO_SIDE);
  }, [asked]);
  const resend = useResend();
  const fork = useFork();
  const commands = useSlashCommands();
  const act = useEndAction(resend);
  const toComposer = useCallback(() => input.current?.focus(), []);
  useEffect(() => {
    // The first message takes its own composer away: who goes on typing must land in this one, not nowhere.
    if (document.activeElement === document.body && input.current?.closest("[data-pane-focused=true]")) toComposer();
  }, [toComposer]);
  const look = (id: CheckpointId): void => {
    taught.setState({ goingBack: true });
    setTarget((before) => (before?.id === id && before.turn === undefined ? undefined : { id }));
  };
  const undoTurn = (id: CheckpointId, turn: TurnId): void => setTarget(turn === lastTurn ? { id } : { id, turn });
  const compare = (from: CheckpointId): void => {
    setTarget(undefined);
    setSide({ kind: "changes", turn: undefined, from });
  };
  const closePreview = useCallback(() => {
    setTarget(undefined);
    toComposer();
  }, [toComposer]);
  const closeBringing = useCallback(() => {
    setBringing(false);
    toComposer();
  }, [toComposer]);
  if (unavailable !== undefined) {
    return (
      <div role="alert" className="grid h-full place-content-center gap-1 p-8 text-center" data-testid="session-unavailable">
        <strong className="font-strong">{t("session.unavailable")}</strong>
        <p className="selectable text-ui text-ink-2">{unavailable}</p>
      </div>
    );
  }
  return (
    <section className="flex h-full min-w-0 flex-col" aria-label={title === "" ? t("session.untitled") : title}>
      <PaneHead
        index={index}
        changesOpen={side.kind === "changes"}
        onChanges={() => setSide(side.kind === "changes" ? NO_SIDE : { kind: "changes", turn: undefined })}
      />
      <div className="relative flex min-h-0 flex-1">
        <div className="flex min-w-0 flex-1 flex-col">
          {side.kind === "changes" ? (
            <ChangesView
              key={`${side.turn ?? ""} ${side.from ?? ""}`}
              turn={side.turn}
              from={side.from}
              onClose={() => setSide(NO_SIDE)}
              onUndo={(id, turn) => setTarget(turn === undefined ? { id } : { id, turn })}
            />
          ) : (
            <Transcript
              renderCall={renderCall}
              onReview={(turn) => setSide({ kind: "changes", turn })}
              onUndoTurn={undoTurn}
              onAct={act}
              onFork={(entry) => void fork(session, { kind: "prompt", entry }, false)}
              onResend={resend}
              onFindClosed={toComposer}
            />
          )}
          <div className="grid shrink-0 gap-2.5 px-[22px] pt-1 pb-4">
            <MovedFolder recheck={recheck} />
            <UndoStrip />
            <CopyStrip onBring={() => (setTarget(undefined), setBringing(true))} />
            <BackgroundStrip />
            <ProjectHooksCard onAnswered={toComposer} />
            <QuestionDock onAnswered={toComposer} />
            <SessionComposer
              commands={commands}
              input={input}
              onFolderGone={() => setRecheck((before) => before + 1)}
              onShowChanges={() => setSide({ kind: "changes", turn: undefined })}
            />
          </div>
        </div>
        {bringing && copyOf !== undefined && <BringPanel copyOf={copyOf} onClose={closeBringing} />}
        <TrailView selected={target?.id} onSelect={look} />
        {target !== undefined && (
          <RollbackPanel
            target={target.id}
            turn={target.turn}
            onClose={closePreview}
            onDone={closePreview}
            onCompare={compare}
            onFork={(id, isolated) => (setTarget(undefined), void fork(session, { kind: "checkpoint", id }, isolated))}
          />
        )}
      </div>
    </section>
  );
}

function renderCall(call: CallId) {
  return <ToolCard id={call} />;
}

/** The one thing to do about a bad end. */
function useEndAction(resend: TranscriptActions["onResend"]): TranscriptActions["onAct"] {
  const { t } = useTranslation();
  const services = useServices();
  const { client, screen, toasts } = services;
  const store = useSessionStore();
  const session = useSession((state) => state.view.session);
  return (action, turn) => {
    if (action === "none") return;
    if (action === "new_session") return newStart(services, store.getState().view.cwd);
    if (action !== "retry" && action !== "go_on") return screen.setState({ kind: "settings", section: "model" }, true);
    const unanswered = action === "retry" ? promptWithoutAnswer(store.getState().view, turn) : undefined;
    if (unanswered !== undefined) return void resend(unanswered);
    void client.sessions.prompt({ session, blocks: [textBlock(t("retryPrompt"))] }).then((result) => {
      if (!result.ok) toasts.show({ tone: "bad", notice: { key: "toast.sendFailed" }, detail: result.error.message });
    });
  };
}

/** The prompt of a turn of which nothing came: trying again means asking the same, not asking to go on. */
function promptWithoutAnswer({ rows, entries }: SessionView, turn: TurnId): EntryId | undefined {
  const own = rows.filter((row) => row.turn === turn && !row.left);
  if (own.some((row) => row.kind === "text" || row.kind === "call")) return undefined;
  const prompt = own.findLast((row) => row.kind === "prompt");
  return prompt?.kind === "prompt" && entries[prompt.entry]?.kind === "prompt" ? prompt.entry : undefined;
}

function useResend(): TranscriptActions["onResend"] {
  const { client, toasts } = useServices();
  const session = useSession((state) => state.view.session);
  return async (entry, words) => {
    const result = await client.sessions.resend({ session, entry, ...(words === undefined ? {} : { blocks: [textBlock(words)] }) });
    if (!result.ok) toasts.show({ tone: "bad", notice: { key: "toast.sendFailed" }, detail: result.error.message });
    return result.ok;
  };
}
