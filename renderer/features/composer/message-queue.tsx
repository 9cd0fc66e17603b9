// Messages that wait until the agent is free: seen at once, and still the person's to send, change or drop.
import { CornerDownLeft, Pencil, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { setDraft } from "#renderer/stores/drafts.ts";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import { useFormat } from "#renderer/i18n/format.ts";
import { IconButton } from "#renderer/ui/button.tsx";
import { plainText } from "#shared/chat/blocks.ts";

export function MessageQueue({ draftKey, onEdit }: { readonly draftKey: string; readonly onEdit: () => void }) {
  const { t } = useTranslation();
  const { clock } = useFormat();
  const { client, drafts, toasts } = useServices();
  const session = useSession((state) => state.view.session);
  const queue = useSession((state) => state.view.queue);
  if (queue.length === 0) return null;

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
    <ul aria-label={t("queue.label")} className="measure grid gap-1" data-testid="queue">
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
            <IconButton label={t("queue.sendNow")} onClick={() => void change("send_now", item.id)} data-testid="queue-send">
              <CornerDownLeft size={14} />
            </IconButton>
            <IconButton label={t("queue.edit")} onClick={() => void edit(item.id, text)} data-testid="queue-edit">
              <Pencil size={14} />
            </IconButton>
            <IconButton label={t("queue.delete")} onClick={() => void change("delete", item.id)} data-testid="queue-delete">
              <X size={15} />
            </IconButton>
          </li>
        );
      })}
    </ul>
  );
}
