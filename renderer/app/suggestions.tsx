// First things to try, fitting the folder: one click puts the words into the composer, nothing is sent.
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useServices, useSettings } from "#renderer/stores/services.tsx";

type Kind = "demo" | "project" | "empty" | "folder";
const COUNT = 3;

export function Suggestions({ cwd, onPick }: { readonly cwd: string | undefined; readonly onPick: (words: string) => void }) {
  const { t } = useTranslation();
  const { client } = useServices();
  const provider = useSettings((settings) => settings.provider);
  const [kind, setKind] = useState<Kind>();
  useEffect(() => {
    if (cwd === undefined) return undefined;
    const abort = new AbortController();
    void client.app.checkFolder({ path: cwd }, abort.signal).then((result) => {
      if (result.ok && !abort.signal.aborted) setKind(result.value.empty ? "empty" : result.value.git ? "project" : "folder");
    });
    return () => abort.abort();
  }, [client, cwd]);
  // The demo model knows a few tasks only: those are offered, whatever the folder.
  const shown = provider === "demo" && kind !== "empty" ? "demo" : kind;
  if (cwd === undefined || shown === undefined) return <div className="h-[34px]" />;
  return (
    <ul className="flex flex-wrap gap-2" aria-label={t("suggest.label")}>
      {Array.from({ length: COUNT }, (_, index) => t(`suggest.${shown}.${index}`)).map((words) => (
        <li key={words}>
          <button
            type="button"
            className="rise rounded-lg border border-line bg-transparent px-3 py-1.5 text-left text-ui text-ink-2 hover:border-line-strong hover:bg-raised hover:text-ink"
            onClick={() => onPick(words)}
            data-testid="suggestion"
          >
            {words}
          </button>
        </li>
      ))}
    </ul>
  );
}
