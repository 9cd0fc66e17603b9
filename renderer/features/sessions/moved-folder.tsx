// The session's folder is gone: say so, and offer to find it. Everything said so far stays readable.
import { FolderX } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import { Button } from "#renderer/ui/button.tsx";

/** Asks when the session opens, and again when `recheck` changes. */
export function MovedFolder({ recheck }: { readonly recheck: number }) {
  const { t } = useTranslation();
  const { client, toasts } = useServices();
  const session = useSession((state) => state.view.session);
  const cwd = useSession((state) => state.view.cwd);
  const [gone, setGone] = useState(false);
  useEffect(() => {
    if (cwd === "") return undefined;
    const abort = new AbortController();
    void client.app.checkFolder({ path: cwd }, abort.signal).then((result) => {
      if (!abort.signal.aborted) setGone(!result.ok && (result.error.kind === "missing" || result.error.kind === "not_a_folder"));
    });
    return () => abort.abort();
  }, [client, cwd, recheck]);
  if (!gone) return null;
  const find = async (): Promise<void> => {
    const picked = await client.app.pickFolder({});
    if (!picked.ok || picked.value.path === null) return;
    const moved = await client.sessions.moveFolder({ session, cwd: picked.value.path });
    if (!moved.ok) toasts.show({ tone: "bad", notice: { key: "toast.moveFailed" }, detail: moved.error.message });
  };
  return (
    <div role="alert" className="measure flex items-center gap-3 rounded-lg border border-bad/35 bg-bad-soft px-3.5 py-2 text-ui" data-testid="moved-folder">
      <FolderX size={16} className="shrink-0 text-bad" aria-hidden />
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{t("moved.text", { path: cwd })}</span>
      <Button size="small" onClick={() => void find()}>
        {t("moved.find")}
      </Button>
    </div>
  );
}
