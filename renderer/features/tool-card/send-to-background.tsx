// "Run in background" on a command that takes its time (T15): the turn goes on, the command too.
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import { Button } from "#renderer/ui/button.tsx";
import type { CallId } from "#shared/lib/ids.ts";

/** A command that is over in a moment needs no button. */
const OFFERED_AFTER_MS = 1_500;

export function SendToBackground({ call, startedAt }: { readonly call: CallId; readonly startedAt: number | undefined }) {
  const { t } = useTranslation("cards");
  const { client, toasts } = useServices();
  const session = useSession((state) => state.view.session);
  const [offered, setOffered] = useState(false);
  const [sent, setSent] = useState(false);
  useEffect(() => {
    if (startedAt === undefined) return undefined;
    const timer = setTimeout(() => setOffered(true), Math.max(0, startedAt + OFFERED_AFTER_MS - Date.now()));
    return () => clearTimeout(timer);
  }, [startedAt]);
  if (!offered || sent) return null;
  const send = async (): Promise<void> => {
    setSent(true);
    const result = await client.shells.moveToBackground({ session, call });
    if (result.ok) return;
    setSent(false);
    toasts.show({ tone: "bad", notice: { key: "toast.notInBackground" }, detail: result.error.message });
  };
  return (
    <div className="flex justify-end border-t border-line-soft px-2 py-1.5">
      <Button size="small" look="ghost" onClick={() => void send()} data-testid="to-background">
        {t("shell.toBackground")}
      </Button>
    </div>
  );
}
