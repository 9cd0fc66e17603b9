// Deleting a session is for good: it says so, and says what stays.
import { useTranslation } from "react-i18next";
import { useEffect, useState } from "react";
import { closeTab } from "#renderer/stores/layout.ts";
import { useServices } from "#renderer/stores/services.tsx";
import { Button } from "#renderer/ui/button.tsx";
import { Dialog } from "#renderer/ui/dialog.tsx";
import type { SessionSummary } from "#shared/session/summary.ts";

/** The copy goes with the conversation: what was not brought over is lost, and is counted before. */
function CopyLost({ session }: { readonly session: SessionSummary }) {
  const { t } = useTranslation();
  const { client } = useServices();
  const [count, setCount] = useState<number>();
  useEffect(() => {
    const abort = new AbortController();
    void client.copies.plan({ session: session.id }, abort.signal).then((result) => {
      if (result.ok && !abort.signal.aborted) setCount(result.value.files.length);
    });
    return () => abort.abort();
  }, [client, session.id]);
  return (
    <p role="status" className={count === 0 ? "text-ink-2" : "text-bad"} data-testid="copy-lost">
      {count === undefined ? t("deleteSession.copy") : t("deleteSession.copyFiles", { count, folder: session.copyOf })}
    </p>
  );
}

/** What goes with it, counted, so that nobody is surprised. */
function PointsLost({ session }: { readonly session: SessionSummary }) {
  const { t } = useTranslation();
  const { client } = useServices();
  const [lost, setLost] = useState<{ readonly points: number; readonly named: number }>();
  useEffect(() => {
    const abort = new AbortController();
    void client.sessions.losses({ session: session.id }, abort.signal).then((result) => {
      if (result.ok && !abort.signal.aborted) setLost(result.value);
    });
    return () => abort.abort();
  }, [client, session.id]);
  if (lost === undefined || lost.points === 0) return null;
  return (
    <p role="status" className="text-ink-2" data-testid="points-lost">
      {t("deleteSession.points", { count: lost.points })}
      {lost.named > 0 && ` ${t("deleteSession.named", { count: lost.named })}`}
    </p>
  );
}

export function DeleteSession({ session, onClose }: { readonly session: SessionSummary; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { client, layout, toasts } = useServices();
  const [busy, setBusy] = useState(false);
  const remove = async (): Promise<void> => {
    setBusy(true);
    const result = await client.sessions.remove({ session: session.id });
    if (result.ok) layout.setState((state) => closeTab(state, session.id));
    else toasts.show({ tone: "bad", notice: { key: "toast.deleteFailed" }, detail: result.error.message });
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t("deleteSession.title", { title: session.title === "" ? t("session.untitled") : session.title })}
      testId="delete-dialog"
    >
      <p className="text-ink-2">{t(session.attention === "working" ? "deleteSession.working" : "deleteSession.text")}</p>
      <PointsLost session={session} />
      {session.copyOf !== undefined && <CopyLost session={session} />}
      <div className="flex justify-end gap-2 pt-1">
        <Button onClick={onClose} autoFocus>
          {t("deleteSession.keep")}
        </Button>
        <Button look="danger" disabled={busy} onClick={() => void remove()} data-testid="delete-confirm">
          {t("deleteSession.delete")}
        </Button>
      </div>
    </Dialog>
  );
}
