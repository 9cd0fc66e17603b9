// What the person said about hooks that folders bring along, and taking it back (H1).
import { useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "#renderer/i18n/format.ts";
import { useServices } from "#renderer/stores/services.tsx";
import { Button } from "#renderer/ui/button.tsx";
import { VisibleText } from "#renderer/ui/visible-text.tsx";
import type { HookTrust } from "#shared/settings/project-hooks.ts";

export function FolderHooks() {
  const { t } = useTranslation("settings");
  const { client, toasts } = useServices();
  const { moment } = useFormat();
  const [decisions, setDecisions] = useState<readonly HookTrust[]>([]);
  const look = useCallback(
    async (signal?: AbortSignal): Promise<void> => {
      const found = await client.hooks.decisions({}, signal);
      if (signal?.aborted !== true && found.ok) setDecisions(found.value);
    },
    [client],
  );
  useEffect(() => {
    const abort = new AbortController();
    void look(abort.signal);
    return () => abort.abort();
  }, [look]);
  const forget = async (folder: string): Promise<void> => {
    const forgotten = await client.hooks.forget({ folder });
    if (!forgotten.ok) return toasts.show({ tone: "bad", notice: { key: "toast.settingsFailed" }, detail: forgotten.error.message });
    await look();
  };
  return (
    <div className="grid gap-2">
      <h4 className="font-firm">{t("hooks.folders")}</h4>
      <p className="text-small text-ink-2">{t("hooks.foldersText")}</p>
      {decisions.length > 0 && (
        <ul className="grid gap-px overflow-hidden rounded-lg border border-line bg-line-soft" aria-label={t("hooks.folders")}>
          {decisions.map(({ folder, trusted, at }) => (
            <li key={folder} className="flex items-center gap-3 bg-raised py-1.5 pr-1.5 pl-3 text-ui" data-testid="folder-hooks" data-folder={folder}>
              <span className="min-w-0 flex-1">
                <span className="selectable block [overflow-wrap:anywhere]">
                  <VisibleText text={folder} />
                </span>
                <span className="block text-small text-ink-3">{t(trusted ? "hooks.trusted" : "hooks.declined", { time: moment(at) })}</span>
              </span>
              <Button size="small" aria-label={t("hooks.forgetIn", { folder })} onClick={() => void forget(folder)} data-testid="forget-hooks">
                {t("hooks.forget")}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
