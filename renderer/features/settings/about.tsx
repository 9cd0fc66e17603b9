// Versions, places, and where keys are kept.
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useServices } from "#renderer/stores/services.tsx";
import { Button } from "#renderer/ui/button.tsx";
import type { KeyState } from "#shared/ipc/contract.ts";

export function About() {
  const { t } = useTranslation("settings");
  const { facts } = useServices();
  const rows = [
    [t("about.version"), facts.version],
    [t("about.electron"), facts.electron],
    [t("about.data"), facts.dataFolder],
    [t("about.keyStore"), t(`about.keyStores.${facts.keyStore}`)],
  ] as const;
  return (
    <div className="grid gap-4">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1.5 text-ui">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-2">{name}</dt>
            <dd className="selectable [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
      <Keys />
    </div>
  );
}

function Keys() {
  const { t } = useTranslation("settings");
  const { client } = useServices();
  const [keys, setKeys] = useState<readonly KeyState[]>([]);
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    void client.keys.list({}, abort.signal).then((result) => {
      if (result.ok && !abort.signal.aborted) setKeys(result.value);
    });
    return () => abort.abort();
  }, [client, version]);
  const kept = keys.filter((key) => key.hasKey);
  if (kept.length === 0) return null;
  const remove = async (provider: KeyState["provider"]): Promise<void> => {
    await client.keys.remove({ provider });
    setVersion((before) => before + 1);
  };
  return (
    <ul className="grid gap-px overflow-hidden rounded-lg border border-line bg-line-soft" aria-label={t("about.keys")}>
      {kept.map((key) => (
        <li key={key.provider} className="flex items-center gap-3 bg-raised px-3 py-1.5 text-ui">
          <span className="flex-1">{t(`window:provider.${key.provider}.name`)}</span>
          <span className="text-small text-ink-3">{t(`about.from.${key.from}`)}</span>
          {key.from !== "environment" && (
            <Button size="small" look="danger" onClick={() => void remove(key.provider)}>
              {t("about.forget")}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
