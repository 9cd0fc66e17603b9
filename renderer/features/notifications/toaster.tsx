// Short messages at the window's edge. They stay until read away when something failed.
import { CircleAlert, X } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { noticeText } from "#renderer/i18n/i18n.ts";
import { useServices } from "#renderer/stores/services.tsx";
import type { Toast } from "#renderer/stores/toasts.ts";
import { Button, IconButton } from "#renderer/ui/button.tsx";

const PLAIN_STAYS_MS = 6_000;

export function Toaster() {
  const { t } = useTranslation();
  const { toasts } = useServices();
  const shown = useStore(toasts.store);
  return (
    <section aria-label={t("toasts")} className="pointer-events-none fixed right-4 bottom-4 z-50 grid w-[340px] gap-2">
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} onDismiss={toasts.dismiss} />
      ))}
    </section>
  );
}

function ToastCard({ toast, onDismiss }: { readonly toast: Toast; readonly onDismiss: (id: number) => void }) {
  const { t } = useTranslation();
  const { id, tone, action } = toast;
  useEffect(() => {
    if (tone === "bad") return undefined;
    const timer = window.setTimeout(() => onDismiss(id), PLAIN_STAYS_MS);
    return () => clearTimeout(timer);
  }, [tone, id, onDismiss]);
  return (
    <div
      role={tone === "bad" ? "alert" : "status"}
      className="rise pointer-events-auto flex items-start gap-2.5 rounded-lg border border-line bg-raised py-2.5 pr-1.5 pl-3.5 text-ui shadow-float"
      data-testid="toast"
    >
      {tone === "bad" && <CircleAlert size={16} className="mt-0.5 shrink-0 text-bad" aria-hidden />}
      <div className="grid min-w-0 flex-1 gap-0.5">
        <span className="font-firm">{noticeText(t, toast.notice)}</span>
        {toast.detail !== undefined && <span className="selectable text-small text-ink-2 [overflow-wrap:anywhere]">{toast.detail}</span>}
        {action !== undefined && (
          <Button look="link" className="justify-self-start" onClick={() => (onDismiss(id), action.run())}>
            {t(action.label)}
          </Button>
        )}
      </div>
      <IconButton label={t("dismiss")} onClick={() => onDismiss(id)}>
        <X size={15} />
      </IconButton>
    </div>
  );
}
