// Messages that wait until the agent is free, or after a stop until the person says so: seen at once, and still theirs to send, change or drop.
import { CornerDownLeft, Pencil, X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { setDraft } from "#renderer/stores/drafts.ts";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import { useFormat } from "#renderer/i18n/format.ts";
import { Button } from "#renderer/ui/button.tsx";
import { plainText } from "#shared/chat/blocks.ts";

type MessageQueueProps = { readonly draftKey: string; readonly onEdit: () => void };

/** The line above the messages says what they wait for; it is there while empty, so that a change of it is read out. */
export function MessageQueue({ draftKey, onEdit }: MessageQueueProps) {
  const { t } = useTranslation();
  const count = useSession((state) => state.view.queue.length);
  const running = useSession((state) => state.view.turn !== undefined);
  return (
    <div className={count === 0 ? "sr-only" : "measure grid shrink-0 gap-1"}>
      <p role="status" className={running ? "text-small text-ink-3" : "text-ui text-ink-2"} data-testid="queue-words">
        {count > 0 && t(running ? "queue.waiting" : "queue.notSent", { count })}
      </p>
      {count > 0 && <Messages draftKey={draftKey} onEdit={onEdit} />}
    </div>
  );
}

function Messages({ draftKey, onEdit }: MessageQueueProps) {
  const { t } = useTranslation();
  const { clock } = useFormat();
  const { client, drafts, toasts } = useServices();
  const session = useSession((state) => state.view.session);
  const queue = useSession((state) => state.view.queue);
  const change = async (kind: "delete" | "send_now", id: string): Promise<boolean> => {
    const result = await client.sessions.editQueue({ session, kind, id });
    if (!result.ok) toasts.show({ tone: "bad", notice: { key: "toast.queueFailed" }, detail: result.error.message });
    return result.ok;
  };
  const edit = async (id: string, text: string): Promise<void> => {
    if (!(await change("delete", id))) return;
    const draft = drafts.getState()[draftKey] ?? "";
    setDraft(drafts, draftKey, draft === "" ? text : `${text}\n\n${draft}`);
    onEdit();
  };
  return (
    <ul aria-label={t("queue.label")} className="grid max-h-[30vh] gap-1 overflow-y-auto" data-testid="queue">
      {queue.map((item) => {
        const text = plainText(item.blocks);
        return (
          <li
            key={item.id}
            className="rise flex items-center gap-1 rounded-lg border border-dashed border-line-strong bg-paper py-1 pr-1 pl-3 text-ui"
            data-testid="queued-message"
          >
            <span className="shrink-0 text-micro text-ink-3 tabular-nums">{clock(item.at)}</span>
            <span className="selectable min-w-0 flex-1 truncate px-1.5" title={text}>
              {text}
            </span>
            <QueueButton word={t("queue.sendNow")} onPress={() => void change("send_now", item.id)} testId="queue-send">
              <CornerDownLeft size={14} aria-hidden />
            </QueueButton>
            <QueueButton word={t("queue.edit")} onPress={() => void edit(item.id, text)} testId="queue-edit">
              <Pencil size={14} aria-hidden />
            </QueueButton>
            <QueueButton word={t("queue.delete")} onPress={() => void change("delete", item.id)} testId="queue-delete">
              <X size={14} aria-hidden />
            </QueueButton>
          </li>
        );
      })}
    </ul>
  );
}

type QueueButtonProps = { readonly word: string; readonly onPress: () => void; readonly testId: string; readonly children: ReactNode };

/** In a narrow pane the word is its name and tooltip alone. */
function QueueButton({ word, onPress, testId, children }: QueueButtonProps) {
  return (
    <Button look="ghost" size="small" className="px-1.5" title={word} onClick={onPress} data-testid={testId}>
      {children}
      <span className="@max-[460px]/pane:sr-only">{word}</span>
    </Button>
  );
}
