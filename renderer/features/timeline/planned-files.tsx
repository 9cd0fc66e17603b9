// The files of a preview: what happens to each, a tick box, and its difference on demand.
import { ChevronRight } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import { DiffView } from "#renderer/text/diff-view.tsx";
import { canTick } from "./chosen-files.ts";
import { BothSides, ConflictChoice } from "./conflict-choice.tsx";
import { LineCounts } from "#renderer/ui/counts.tsx";
import { cx } from "#renderer/ui/class-names.ts";
import { VisibleText } from "#renderer/ui/visible-text.tsx";
import type { PlannedFile } from "#shared/checkpoints/checkpoint.ts";
import type { CheckpointId, PlanId } from "#shared/lib/ids.ts";
import type { FileDiff } from "#shared/tools/card.ts";

type PlannedFilesProps = {
  /** back to an earlier point, or over from a copy */
  readonly way: "back" | "over";
  readonly target: CheckpointId;
  readonly files: readonly PlannedFile[];
  readonly plan: PlanId | undefined;
  readonly chosen: readonly string[];
  readonly onEarlier: (path: string, earlier: boolean) => void;
  readonly onTick: (path: string, ticked: boolean) => void;
};

export function PlannedFiles({ way, target, plan, files, chosen, onTick, onEarlier }: PlannedFilesProps) {
  const { t } = useTranslation("trail");
  if (files.length === 0) return <p className="text-ui text-ink-2">{t("noFiles")}</p>;
  return (
    <ul className="grid gap-px overflow-hidden rounded-md border border-line bg-line-soft" aria-label={t("files")}>
      {files.map((file) => (
        <FileRow
          key={file.path}
          way={way}
          target={target}
          plan={plan}
          file={file}
          ticked={chosen.includes(file.path)}
          onTick={(ticked) => onTick(file.path, ticked)}
          onEarlier={(earlier) => onEarlier(file.path, earlier)}
        />
      ))}
    </ul>
  );
}

type FileRowProps = {
  readonly way: "back" | "over";
  readonly target: CheckpointId;
  readonly plan: PlanId | undefined;
  readonly file: PlannedFile;
  readonly ticked: boolean;
  readonly onTick: (ticked: boolean) => void;
  readonly onEarlier: (earlier: boolean) => void;
};

function actionKey({ action, merged }: PlannedFile, way: FileRowProps["way"]): string {
  return `${way === "over" ? "bring.action" : "action"}.${merged === true ? "merged" : action}`;
}

function FileRow({ way, target, plan, file, ticked, onTick, onEarlier }: FileRowProps) {
  const { t } = useTranslation("trail");
  const [open, setOpen] = useState(false);
  const fixed = !canTick(file);
  const conflict = file.action === "conflict";
  const expandable = !file.binary && file.action !== "mode" && file.action !== "unavailable";
  return (
    <li className="bg-raised" data-testid="planned-file" data-path={file.path} data-action={file.action}>
      <div className={cx("flex items-center gap-2 px-2.5 py-1.5 text-ui", fixed && !conflict && "text-ink-3")}>
        <input
          type="checkbox"
          checked={ticked}
          disabled={fixed}
          onChange={(event) => onTick(event.target.checked)}
          aria-label={t("tick", { path: file.path })}
          className="size-3.5 accent-agent"
        />
        <span className="min-w-0 flex-1">
          <span className="block truncate font-mono text-small" title={file.path}>
            <VisibleText text={file.path} />
          </span>
          <span className={cx("block text-micro", file.action === "conflict" ? "text-bad" : "text-ink-3")}>{t(actionKey(file, way))}</span>
        </span>
        <LineCounts added={file.added} removed={file.removed} />
        <button
          type="button"
          aria-expanded={open}
          aria-label={t("showDiff", { path: file.path })}
          disabled={!expandable}
          className="rounded-sm p-0.5 text-ink-3 hover:text-ink disabled:invisible"
          onClick={() => setOpen(!open)}
        >
          <ChevronRight size={14} className={cx("transition-transform duration-100", open && "rotate-90")} />
        </button>
      </div>
      {conflict && <ConflictChoice way={way} path={file.path} earlier={ticked} onChoose={onEarlier} />}
      {open &&
        (conflict && plan !== undefined ? <BothSides way={way} plan={plan} path={file.path} /> : <FileDifference way={way} target={target} path={file.path} />)}
    </li>
  );
}

const DIFF_LINES = 30;

/** From how the file is now to how it was: the change that going back makes. */
function FileDifference({ way, target, path }: { readonly way: "back" | "over"; readonly target: CheckpointId; readonly path: string }) {
  const { t } = useTranslation("trail");
  const { client } = useServices();
  const session = useSession((state) => state.view.session);
  const [diff, setDiff] = useState<FileDiff | "failed">();
  useEffect(() => {
    const abort = new AbortController();
    void client.checkpoints.diff({ session, from: target, to: "folder", paths: [path] }, abort.signal).then((result) => {
      if (!abort.signal.aborted) setDiff(result.ok ? (way === "back" ? reversed(result.value[0]) : (result.value[0] ?? "failed")) : "failed");
    });
    return () => abort.abort();
  }, [client, session, way, target, path]);
  if (diff === undefined) return <p className="px-3 pb-2 text-small text-ink-3">{t("loading")}</p>;
  if (diff === "failed") return <p className="px-3 pb-2 text-small text-ink-3">{t("noDiff")}</p>;
  return (
    <div className="border-t border-line-soft">
      <DiffView diff={diff} lines={DIFF_LINES} />
    </div>
  );
}

/** The same difference read the other way round. */
export function reversed(diff: FileDiff | undefined): FileDiff | "failed" {
  if (diff === undefined) return "failed";
  return {
    ...diff,
    added: diff.removed,
    removed: diff.added,
    hunks: diff.hunks.map((hunk) => ({
      oldStart: hunk.newStart,
      newStart: hunk.oldStart,
      lines: hunk.lines.map(({ kind, text, old, new: now }) => ({
        kind: kind === "add" ? ("del" as const) : kind === "del" ? ("add" as const) : kind,
        text,
        ...(now === undefined ? {} : { old: now }),
        ...(old === undefined ? {} : { new: old }),
      })),
    })),
  };
}
