// Head of a session's pane: what it is, where it works, what changed.
import { Columns2, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { folderName } from "#renderer/features/sessions/group-sessions.ts";
import { closePane, MAX_PANES } from "#renderer/stores/layout.ts";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import { IconButton } from "#renderer/ui/button.tsx";
import { ChipButton } from "#renderer/ui/chip.tsx";
import { LineCounts } from "#renderer/ui/counts.tsx";
import { StateDot } from "#renderer/ui/dot.tsx";
import { split } from "./commands.ts";
import { useChangedLines } from "./use-changed-lines.ts";

type PaneHeadProps = { readonly index: number; readonly changesOpen: boolean; readonly onChanges: () => void };

export function PaneHead({ index, changesOpen, onChanges }: PaneHeadProps) {
  const { t } = useTranslation();
  const services = useServices();
  const title = useSession((state) => state.view.title);
  const cwd = useSession((state) => state.view.cwd);
  const copyOf = useSession((state) => state.view.copyOf);
  const attention = useSession((state) => state.view.attention);
  const panes = useStore(services.layout, (state) => state.panes.length);
  const { added, removed } = useChangedLines();
  return (
    <header className="@container flex h-[42px] shrink-0 items-center gap-2.5 border-b border-line-soft pr-3 pl-[22px] text-ui">
      <h2 className="min-w-[4em] truncate font-strong">{title === "" ? t("session.untitled") : title}</h2>
      <span className="hidden min-w-0 shrink-[3] truncate text-ink-3 @md:inline" title={cwd}>
        {folderName(copyOf?.folder ?? cwd)}
        {copyOf !== undefined && ` · ${t("session.inCopy")}`}
      </span>
      {attention !== "idle" && (
        <span className="inline-flex shrink-0 items-center gap-2 text-small text-ink-2">
          <StateDot state={attention} silent /> {t(`state.${attention}`)}
        </span>
      )}
      <Neighbours cwd={cwd} />
      <span className="flex-1" />
      <ChipButton aria-pressed={changesOpen} onClick={onChanges} data-testid="changes-chip">
        {t("pane.changes")}
        {added + removed > 0 && <LineCounts added={added} removed={removed} />}
      </ChipButton>
      {panes < MAX_PANES && (
        <IconButton label={t("pane.split")} onClick={() => split(services, "right")}>
          <Columns2 size={15} />
        </IconButton>
      )}
      {panes > 1 && (
        <IconButton label={t("pane.close")} onClick={() => services.layout.setState((state) => closePane(state, index))}>
          <X size={15} />
        </IconButton>
      )}
    </header>
  );
}

/** Another conversation at work in the same folder: nobody should be surprised by files that change (K8). */
function Neighbours({ cwd }: { readonly cwd: string }) {
  const { t } = useTranslation();
  const { list } = useServices();
  const session = useSession((state) => state.view.session);
  const others = useStore(
    list,
    (all) => all.filter((one) => one.id !== session && one.cwd === cwd && (one.attention === "working" || one.attention === "needs_you")).length,
  );
  if (others === 0) return null;
  const words = t("pane.neighbours", { count: others });
  return (
    <span role="status" className="min-w-0 shrink-[6] truncate text-small text-ink-2" title={words} data-testid="neighbours">
      <span className="sr-only @lg:not-sr-only">{words}</span>
      <span aria-hidden className="@lg:hidden">
        +{others}
      </span>
    </span>
  );
}
