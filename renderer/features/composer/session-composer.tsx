// The composer of a running or waiting session: sends, queues, stops, and takes back a prompt that was rolled back.
import { type RefObject, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { commentsOf, commentsText, setComments } from "#renderer/stores/review.ts";
import { setDraft } from "#renderer/stores/drafts.ts";
import { useServices, useSession, useSessionStore } from "#renderer/stores/services.tsx";
import { ChipButton } from "#renderer/ui/chip.tsx";
import type { Attachment } from "#shared/attachments/attachment.ts";
import { plainText } from "#shared/chat/blocks.ts";
import type { Row } from "#shared/session/view.ts";
import type { Result } from "#shared/lib/result.ts";
import { Composer } from "./composer.tsx";
import { messageBlocks } from "./message-blocks.ts";
import { MessageQueue } from "./message-queue.tsx";
import { ModelPicker, ModePicker } from "./pickers.tsx";
import { SpendingRing } from "./spending-ring.tsx";
import type { SlashCommand } from "./suggest.tsx";

type SessionComposerProps = {
  readonly input: RefObject<HTMLTextAreaElement | null>;
  readonly commands: readonly SlashCommand[];
  readonly onFolderGone: () => void;
  readonly onShowChanges: () => void;
};

export function SessionComposer({ input, commands, onFolderGone, onShowChanges }: SessionComposerProps) {
  const { t } = useTranslation();
  const { client, toasts, review } = useServices();
  const session = useSession((state) => state.view.session);
  const turn = useSession((state) => state.view.turn?.id);
  const running = turn !== undefined;
  const [stopped, setStopped] = useState<typeof turn>(undefined);
  const asks = useSession((state) => state.view.pending.length > 0);
  const mode = useSession((state) => state.view.mode);
  const maker = useSession((state) => state.view.maker);
  const cwd = useSession((state) => state.view.cwd);
  const store = useSessionStore();
  useReturnedPrompt(session);

  const report = async (work: Promise<Result<unknown, { readonly message: string }>>, key: string): Promise<void> => {
    const result = await work;
    if (!result.ok) toasts.show({ tone: "bad", notice: { key }, detail: result.error.message });
  };
  const send = async (words: string, attached: readonly Attachment[]): Promise<boolean> => {
    const comments = commentsOf(review.getState(), session);
    const said = comments.length === 0 ? words : `${words}\n\n${commentsText(t("changes.commentsIntro"), comments, t("changes.lineGone"))}`;
    const blocks = await messageBlocks(client, said, attached);
    if (blocks === undefined) {
      toasts.show({ tone: "bad", notice: { key: "toast.attachGone" } });
      return false;
    }
    const result = await client.sessions.prompt({ session, blocks });
    if (result.ok) {
      setComments(review, session, []);
      return true;
    }
    if (result.error.kind === "folder_gone") onFolderGone();
    else toasts.show({ tone: "bad", notice: { key: "toast.sendFailed" }, detail: result.error.message });
    return false;
  };
  const stop = async (): Promise<void> => {
    setStopped(turn);
    const result = await client.sessions.stop({ session });
    if (result.ok) return;
    setStopped(undefined);
    toasts.show({ tone: "bad", notice: { key: "toast.stopFailed" }, detail: result.error.message });
  };
  return (
    <>
      <MessageQueue draftKey={session} onEdit={() => input.current?.focus()} />
      <Composer
        draftKey={session}
        placeholder={t(asks ? "composer.placeholderAsking" : running ? "composer.placeholderRunning" : "composer.placeholder")}
        running={running}
        input={input}
        cwd={cwd}
        commands={commands}
        lastSent={() => lastPrompt(store.getState().view.rows)}
        onSend={send}
        stopping={running && stopped === turn}
        onStop={() => void stop()}
        facts={
          <>
            <PendingComments onShow={onShowChanges} />
            <SpendingRing />
          </>
        }
      >
        <ModePicker mode={mode} onPick={(next) => void report(client.sessions.setMode({ session, mode: next }), "toast.modeFailed")} />
        <ModelPicker maker={maker} onPick={(next) => void report(client.sessions.setModel({ session, maker: next }), "toast.modelFailed")} />
      </Composer>
    </>
  );
}

/** Comments on changes that go with the next message (U7). */
function PendingComments({ onShow }: { readonly onShow: () => void }) {
  const { t } = useTranslation();
  const { review } = useServices();
  const session = useSession((state) => state.view.session);
  const count = useStore(review, (state) => commentsOf(state, session).length);
  if (count === 0) return null;
  return (
    <ChipButton onClick={onShow} title={t("composer.commentsHint")} data-testid="pending-comments">
      {t("composer.comments", { count })}
    </ChipButton>
  );
}

function lastPrompt(rows: readonly Row[]): string | undefined {
  const row = rows.findLast((other) => other.kind === "prompt" && !other.left);
  return row?.kind === "prompt" ? plainText(row.blocks) : undefined;
}

/** After a roll-back took a prompt back, its words return to the composer, unless something else is being written there. */
function useReturnedPrompt(session: string): void {
  const { drafts } = useServices();
  const returned = useSession((state) => state.view.returnedPrompt);
  const taken = useRef<typeof returned>(undefined);
  useEffect(() => {
    if (taken.current === returned) return;
    const before = taken.current;
    taken.current = returned;
    const draft = drafts.getState()[session] ?? "";
    if (returned !== undefined && draft === "") setDraft(drafts, session, plainText(returned));
    // The roll-back was undone: the prompt is part of the conversation again.
    if (returned === undefined && before !== undefined && draft === plainText(before)) setDraft(drafts, session, "");
  }, [returned, drafts, session]);
}
