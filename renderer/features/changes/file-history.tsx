// Every point at which one file changed, and what changed there (UX 4: history of any file).
import { History } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useFormat } from "#renderer/i18n/format.ts";
import { useSession } from "#renderer/stores/services.tsx";
import { causeText } from "#renderer/text/cause-text.ts";
import { IconButton } from "#renderer/ui/button.tsx";
import { LineCounts } from "#renderer/ui/counts.tsx";
import { Menu, MenuItem } from "#renderer/ui/menu.tsx";
import type { ChangeRange } from "./change-range.ts";

type FileHistoryProps = { readonly path: string; readonly onPoints: (points: Pick<ChangeRange, "from" | "to">) => void };

const MOST_SHOWN = 40;

export function FileHistory({ path, onPoints }: FileHistoryProps) {
  const { t } = useTranslation();
  const { moment } = useFormat();
  const trail = useSession((state) => state.view.trail);
  const points = trail.flatMap((node) => {
    const change = node.parent === undefined ? undefined : node.checkpoint.changes.find((one) => one.path === path);
    return change === undefined ? [] : [{ node, change }];
  });
  if (points.length === 0) return null;
  return (
    <Menu
      label={t("changes.history", { path })}
      align="end"
      width={280}
      trigger={
        <IconButton label={t("changes.history", { path })} data-testid="file-history">
          <History size={14} />
        </IconButton>
      }
    >
      {points
        .slice(-MOST_SHOWN)
        .reverse()
        .map(({ node, change }) => (
          <MenuItem key={node.checkpoint.id} onSelect={() => onPoints({ from: node.parent, to: node.checkpoint.id })}>
            <span className="flex min-w-0 flex-1 items-center gap-2">
              <span className="text-ink-3 tabular-nums">{moment(node.checkpoint.at)}</span>
              <span className="min-w-0 flex-1 truncate">{causeText(t, node)}</span>
              <LineCounts added={change.added} removed={change.removed} />
            </span>
          </MenuItem>
        ))}
    </Menu>
  );
}
