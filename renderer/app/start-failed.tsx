// The engine does not answer: say so, with its words and the one thing to try.
import { useTranslation } from "react-i18next";
import { Button } from "#renderer/ui/button.tsx";
import { Mark } from "#renderer/ui/mark.tsx";

export function StartFailed({ message }: { readonly message: string }) {
  const { t } = useTranslation();
  return (
    <main role="alert" className="grid h-full place-content-center justify-items-center gap-3 p-8 text-center" data-testid="start-failed">
      <Mark size={40} />
      <h1 className="text-title font-strong">{t("startFailed.title")}</h1>
      <p className="max-w-[52ch] text-ink-2">{t("startFailed.text")}</p>
      <p className="selectable max-w-[70ch] font-mono text-small text-ink-3 [overflow-wrap:anywhere]">{message}</p>
      <Button look="primary" onClick={() => window.location.reload()}>
        {t("startFailed.retry")}
      </Button>
    </main>
  );
}
