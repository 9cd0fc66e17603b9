// Which folder to work in: one's own, or a sample to try things on.
import { FlaskConical, FolderOpen } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useFolderPick } from "#renderer/stores/use-folder-pick.ts";
import { useServices } from "#renderer/stores/services.tsx";

export function FolderStep({ onFolder }: { readonly onFolder: (cwd: string) => void }) {
  const { t } = useTranslation("onboarding");
  const { client, toasts } = useServices();
  const { problem, pick } = useFolderPick(onFolder);
  const [busy, setBusy] = useState(false);
  const sample = async (): Promise<void> => {
    setBusy(true);
    const made = await client.app.makeSample({});
    setBusy(false);
    if (made.ok) onFolder(made.value.path);
    else toasts.show({ tone: "bad", notice: { key: "toast.sampleFailed" }, detail: made.error.message });
  };
  const look = "grid content-start gap-1.5 rounded-xl border border-line bg-raised px-4 py-4 text-left hover:border-line-strong disabled:opacity-50";
  return (
    <div className="grid gap-3">
      <div className="grid grid-cols-2 gap-2.5">
        <button type="button" className={look} onClick={() => void pick()} data-testid="onboarding-folder">
          <FolderOpen size={20} className="text-you" aria-hidden />
          <span className="font-strong">{t("folder.own")}</span>
          <span className="text-small text-ink-3">{t("folder.ownText")}</span>
        </button>
        <button type="button" className={look} onClick={() => void sample()} disabled={busy} data-testid="onboarding-sample">
          <FlaskConical size={20} className="text-agent" aria-hidden />
          <span className="font-strong">{t("folder.sample")}</span>
          <span className="text-small text-ink-3">{t("folder.sampleText")}</span>
        </button>
      </div>
      {problem !== undefined && (
        <p role="alert" className="text-ui text-bad" data-testid="folder-problem">
          {t(`window:folder.${problem.kind}`, { path: problem.path })}
        </p>
      )}
    </div>
  );
}
