// Says that the conversation works in a copy of the folder, and leads to bringing its work over (K8).
import { Copy } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import { Button } from "#renderer/ui/button.tsx";

export function CopyStrip({ onBring }: { readonly onBring: () => void }) {
  const { t } = useTranslation("trail");
  const { client, toasts } = useServices();
  const session = useSession((state) => state.view.session);
  const copyOf = useSession((state) => state.view.copyOf);
  const last = useSession((state) => state.view.broughtOver.at(-1));
  const running = useSession((state) => state.view.turn !== undefined);
  const [busy, setBusy] = useState(false);
  if (copyOf === undefined) return null;
  const undo = async (): Promise<void> => {
    setBusy(true);
    const result = await client.copies.undo({ session });
    setBusy(false);
    if (!result.ok) toasts.show({ tone: "bad", notice: { key: "toast.undoFailed" }, detail: result.error.message });
  };
  return (
    <div className="measure flex flex-wrap items-center gap-2.5 rounded-lg border border-line bg-panel py-1.5 pr-1.5 pl-3 text-ui" data-testid="copy-strip">
      <Copy size={15} className="shrink-0 text-agent" aria-hidden />
      <span role="status" className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        {last === undefined ? t("bring.inCopy", { folder: copyOf.folder }) : t("bring.done", { count: last.files.length, folder: copyOf.folder })}
      </span>
      {last !== undefined && (
        <Button size="small" look="ghost" disabled={busy} onClick={() => void undo()} data-testid="bring-undo">
          {t("undo")}
        </Button>
      )}
      <Button size="small" disabled={running} title={running ? t("bring.notYet") : undefined} onClick={onBring} data-testid="bring-open">
        {t("bring.open")}
      </Button>
    </div>
  );
}
