// "Went back to 14:02 — Undo": stays until the next message, because the next message makes a new path (K6).
import { Undo2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import { useFormat } from "#renderer/i18n/format.ts";
import { Button } from "#renderer/ui/button.tsx";
import type { Row } from "#shared/session/view.ts";

type RolledBackRow = Extract<Row, { kind: "rolled_back" }>;

function lastRollback(rows: readonly Row[]): RolledBackRow | undefined {
  const row = rows.findLast((other) => other.kind === "rolled_back");
  return row?.kind === "rolled_back" ? row : undefined;
}

export function UndoStrip() {
  const { t } = useTranslation("trail");
  const { moment } = useFormat();
  const { client, toasts } = useServices();
  const session = useSession((state) => state.view.session);
  const undoable = useSession((state) => state.view.undoable);
  const last = useSession((state) => lastRollback(state.view.rows));
  const target = useSession((state) => state.view.trail.find((node) => node.checkpoint.id === last?.target));
  const [busy, setBusy] = useState(false);
  if (undoable === undefined || last === undefined) return null;

  const undo = async (): Promise<void> => {
    setBusy(true);
    const planned = await client.checkpoints.plan({ session, target: undoable, scope: last.scope });
    const result = planned.ok ? await client.checkpoints.apply({ session, plan: planned.value.plan }, () => undefined) : planned;
    setBusy(false);
    if (!result.ok) toasts.show({ tone: "bad", notice: { key: "toast.undoFailed" }, detail: result.error.message });
  };
  return (
    <div
      className="rise measure flex items-center gap-2.5 rounded-lg border border-line bg-you-soft py-1.5 pr-1.5 pl-3 text-ui"
      role="status"
      data-testid="undo-strip"
    >
      <Undo2 size={15} className="shrink-0 text-you" aria-hidden />
      <span className="flex-1">
        {last.partial ? t("tookBack", { count: last.files.length }) : t("wentBack", { time: target === undefined ? "" : moment(target.checkpoint.at) })}
      </span>
      <Button size="small" onClick={() => void undo()} disabled={busy} data-testid="undo">
        {t("undo")}
      </Button>
    </div>
  );
}
