// What the points of each folder need on the disk, their bounds, and "free up space" (K9).
import { useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useServices, useSettings } from "#renderer/stores/services.tsx";
import { useFormat } from "#renderer/i18n/format.ts";
import { Button } from "#renderer/ui/button.tsx";
import { Dialog } from "#renderer/ui/dialog.tsx";
import { VisibleText } from "#renderer/ui/visible-text.tsx";
import type { FolderStorage } from "#shared/ipc/contract.ts";
import { NumberField } from "./number-field.tsx";
import { useSave } from "./use-save.ts";

const MB = 1024 * 1024;
const LEAST_MB = 50;

export function Storage() {
  const { t } = useTranslation("settings");
  const save = useSave();
  const bounds = useSettings((settings) => settings.checkpoints);
  return (
    <div className="grid gap-5">
      <div className="grid grid-cols-2 gap-3">
        <NumberField
          label={t("storage.maxBytes")}
          hint={t("storage.maxBytesHint")}
          value={Math.round(bounds.maxBytes / MB)}
          min={LEAST_MB}
          onChange={(value) => void save({ checkpoints: { ...bounds, maxBytes: Math.round(value) * MB } })}
        />
        <NumberField
          label={t("storage.maxAge")}
          hint={t("storage.maxAgeHint")}
          value={bounds.maxAgeDays}
          min={1}
          onChange={(value) => void save({ checkpoints: { ...bounds, maxAgeDays: Math.round(value) } })}
        />
      </div>
      <Folders />
    </div>
  );
}

function Folders() {
  const { t } = useTranslation("settings");
  const { client, toasts } = useServices();
  const { size } = useFormat();
  const [folders, setFolders] = useState<readonly FolderStorage[] | "failed">();
  const [asked, setAsked] = useState<string>();
  const [busy, setBusy] = useState(false);
  const look = useCallback(
    async (signal?: AbortSignal): Promise<void> => {
      const found = await client.checkpoints.storage({}, signal);
      if (signal?.aborted !== true) setFolders(found.ok ? found.value : "failed");
    },
    [client],
  );
  useEffect(() => {
    const abort = new AbortController();
    void look(abort.signal);
    return () => abort.abort();
  }, [look]);
  const free = async (folder: string): Promise<void> => {
    setBusy(true);
    const freed = await client.checkpoints.freeUp({ folder });
    setBusy(false);
    setAsked(undefined);
    if (!freed.ok) return toasts.show({ tone: "bad", notice: { key: "toast.freeFailed" }, detail: freed.error.message });
    toasts.show({ tone: "plain", notice: { key: "toast.freed", params: { size: size(freed.value.freedBytes), count: freed.value.removed } } });
    await look();
  };
  if (folders === undefined) return <p className="shimmer text-ui">{t("storage.looking")}</p>;
  if (folders === "failed") return <p className="text-ui text-bad">{t("storage.failed")}</p>;
  if (folders.length === 0) return <p className="text-small text-ink-3">{t("storage.none")}</p>;
  return (
    <>
      <ul className="grid gap-px overflow-hidden rounded-lg border border-line bg-line-soft" aria-label={t("storage.folders")}>
        {folders.map((folder) => (
          <FolderRow key={folder.folder} facts={folder} onFree={() => setAsked(folder.folder)} />
        ))}
      </ul>
      <Dialog open={asked !== undefined} onOpenChange={() => setAsked(undefined)} title={t("storage.askTitle")} testId="free-dialog">
        <p className="text-ui text-ink-2">{t("storage.askText")}</p>
        <div className="flex justify-end gap-2">
          <Button onClick={() => setAsked(undefined)}>{t("storage.keep")}</Button>
          <Button look="danger" disabled={busy} onClick={() => asked !== undefined && void free(asked)} data-testid="free-confirm">
            {t("storage.free")}
          </Button>
        </div>
      </Dialog>
    </>
  );
}

function FolderRow({ facts, onFree }: { readonly facts: FolderStorage; readonly onFree: () => void }) {
  const { t } = useTranslation("settings");
  const { size, moment } = useFormat();
  const { folder, bytes, checkpoints, pinned, oldest, damaged, damagedPaths, lostPoints, problem } = facts;
  return (
    <li className="flex items-center gap-3 bg-raised py-1.5 pr-1.5 pl-3 text-ui" data-testid="storage-folder" data-folder={folder}>
      <span className="min-w-0 flex-1">
        <span className="selectable block [overflow-wrap:anywhere]">
          <VisibleText text={folder} />
        </span>
        <span className="block text-small text-ink-3">
          {problem ??
            [
              t("storage.points", { count: checkpoints }),
              ...(pinned > 0 ? [t("storage.pinned", { count: pinned })] : []),
              ...(oldest === undefined ? [] : [t("storage.oldest", { time: moment(oldest) })]),
              ...(damaged > 0 ? [t("storage.damaged", { count: damaged })] : []),
              ...(lostPoints > 0 ? [t("storage.lostPoints", { count: lostPoints })] : []),
            ].join(" · ")}
        </span>
        {damagedPaths.length > 0 && (
          <span className="selectable block text-small text-bad [overflow-wrap:anywhere]" data-testid="storage-damaged">
            <VisibleText text={t("storage.damagedFiles", { files: damagedPaths.join(", ") })} />
          </span>
        )}
      </span>
      {problem === undefined && (
        <>
          <span className="tabular-nums">{size(bytes)}</span>
          <Button size="small" aria-label={t("storage.freeIn", { folder })} disabled={checkpoints < 2} onClick={onFree} data-testid="free-space">
            {t("storage.free")}
          </Button>
        </>
      )}
    </li>
  );
}
