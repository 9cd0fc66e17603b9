// Exactly what would happen, complete: nothing is cut away silently, nothing in it can hide (P10).
import { useTranslation } from "react-i18next";
import { noticeText } from "#renderer/i18n/i18n.ts";
import { useSession } from "#renderer/stores/services.tsx";
import { DiffView } from "#renderer/text/diff-view.tsx";
import { LineCounts } from "#renderer/ui/counts.tsx";
import { VisibleText } from "#renderer/ui/visible-text.tsx";
import { tailOf } from "#shared/lib/text.ts";
import { assertNever } from "#shared/lib/assert-never.ts";
import type { PermissionQuestion } from "#shared/permissions/question.ts";

const BOX = "selectable overflow-auto rounded-md border border-line bg-raised font-mono text-small";
const DIFF_LINES = 400;
/** About what the box shows without scrolling. */
const LINES_SHOWN = 9;
const CHARS_SHOWN = 700;
const END_CHARS = 160;

export function QuestionDetail({ detail }: { readonly detail: PermissionQuestion["detail"] }) {
  switch (detail.kind) {
    case "command":
      return <Command command={detail.command} cwd={detail.cwd} />;
    case "diff":
      return (
        <div className="overflow-hidden rounded-md border border-line bg-raised">
          <div className="flex items-center gap-2.5 border-b border-line-soft px-3 py-1 font-mono text-small">
            <span className="selectable min-w-0 flex-1 [overflow-wrap:anywhere]">
              <VisibleText text={detail.diff.path} />
            </span>
            <LineCounts added={detail.diff.added} removed={detail.diff.removed} />
          </div>
          <div className="max-h-[200px] overflow-y-auto" tabIndex={0} role="region" aria-label={detail.diff.path}>
            <DiffView diff={detail.diff} lines={DIFF_LINES} exact />
          </div>
        </div>
      );
    case "path":
      return (
        <div className={`${BOX} px-3 py-1.5 [overflow-wrap:anywhere]`}>
          <VisibleText text={detail.path} />
        </div>
      );
    case "json":
      return (
        <pre className={`${BOX} max-h-[200px] px-3 py-1.5 whitespace-pre-wrap [overflow-wrap:anywhere]`} tabIndex={0}>
          <VisibleText text={detail.json} />
        </pre>
      );
    case "notice":
      return <Asked detail={detail} />;
    default:
      return assertNever(detail);
  }
}

function Asked({ detail }: { readonly detail: Extract<PermissionQuestion["detail"], { kind: "notice" }> }) {
  const { t } = useTranslation();
  return <p className="text-ink-2">{noticeText(t, detail.notice)}</p>;
}

/** What is more than the box shows has its end below it, so that nothing hides behind a scroll bar (B18). */
function LongEnd({ command }: { readonly command: string }) {
  const { t } = useTranslation("permission");
  const lines = command.trimEnd().split("\n");
  if (lines.length <= LINES_SHOWN && command.length <= CHARS_SHOWN) return null;
  return (
    <p className="border-t border-line-soft px-3 py-1 [overflow-wrap:anywhere]" data-testid="command-end">
      <span className="font-sans text-ink-2">{t("longCommand", { lines: lines.length, chars: command.length })}</span>{" "}
      <VisibleText text={tailOf(lines.at(-1) ?? "", END_CHARS)} />
    </p>
  );
}

function Command({ command, cwd }: { readonly command: string; readonly cwd: string }) {
  const { t } = useTranslation("permission");
  const home = useSession((state) => state.view.cwd);
  return (
    <div className={BOX}>
      <pre className="max-h-[200px] overflow-y-auto px-3 py-1.5 whitespace-pre-wrap [overflow-wrap:anywhere]" tabIndex={0} data-testid="permission-command">
        <VisibleText text={command} />
      </pre>
      <LongEnd command={command} />
      {cwd !== home && (
        <p className="border-t border-line-soft px-3 py-1 text-ink-2 [overflow-wrap:anywhere]">
          {t("inFolder")} <VisibleText text={cwd} />
        </p>
      )}
    </div>
  );
}
