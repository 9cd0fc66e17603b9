// The library: all sessions, pinned ones first, archived ones last (S3). Tabs are what one works on, this is what one has.
import { CalendarDays, ChevronRight, FileSearch, Folder, FolderPlus, Plus } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { useServices } from "#renderer/stores/services.tsx";
import { IconButton } from "#renderer/ui/button.tsx";
import { cx } from "#renderer/ui/class-names.ts";
import { TextInput } from "#renderer/ui/field.tsx";
import type { SessionId } from "#shared/lib/ids.ts";
import type { SessionSummary } from "#shared/session/summary.ts";
import { DeleteSession } from "./delete-session.tsx";
import { groupsOf, type ListGroup, matching } from "./group-sessions.ts";
import { SessionRow } from "./session-row.tsx";

type LibraryProps = {
  readonly onFork: (session: SessionId) => void;
  readonly onNew: (cwd: string | undefined) => void;
  readonly onOpenFolder: () => void;
  /** looks for these words in everything that was said */
  readonly onSearch: (query: string) => void;
};

export function Library({ onFork, onNew, onOpenFolder, onSearch }: LibraryProps) {
  const { t } = useTranslation();
  const { list, layout } = useServices();
  const sessions = useStore(list);
  const by = useStore(layout, (state) => state.libraryBy);
  const [query, setQuery] = useState("");
  const [deleting, setDeleting] = useState<SessionSummary>();
  const today = useToday();
  const groups = useMemo(() => groupsOf(matching(sessions, query), by, today), [sessions, query, by, today]);
  const other = by === "folder" ? "time" : "folder";
  return (
    <nav aria-label={t("library.label")} className="flex min-h-0 w-[232px] shrink-0 flex-col border-r border-line bg-panel text-ui" data-testid="library">
      <div className="flex items-center gap-1 px-2.5 pt-3 pb-1">
        <TextInput
          type="search"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onEscape={() => setQuery("")}
          onEnter={() => onSearch(query)}
          placeholder={t("library.search")}
          aria-label={t("library.search")}
          className="min-w-0 bg-paper"
          data-testid="library-search"
        />
        <IconButton
          label={t(`library.by.${other}`)}
          onClick={() => layout.setState((state) => ({ ...state, libraryBy: other }))}
          data-testid="library-by"
          data-by={by}
        >
          {by === "folder" ? <CalendarDays size={15} /> : <Folder size={15} />}
        </IconButton>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-2.5 pb-2">
        {query.trim() !== "" && (
          <button
            type="button"
            className="mt-1 flex w-full items-center gap-2 rounded-md px-2 py-1.5 text-left text-agent hover:bg-paper"
            onClick={() => onSearch(query)}
            data-testid="search-inside"
          >
            <FileSearch size={15} className="shrink-0" aria-hidden />
            <span className="min-w-0 truncate">{t("library.searchInside", { query: query.trim() })}</span>
          </button>
        )}
        {groups.map((group) => (
          <Group key={group.kind === "folder" ? group.cwd : group.kind} group={group} found={query !== ""} onNew={onNew}>
            {group.sessions.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                placed={group.kind !== "folder"}
                onFork={() => onFork(session.id)}
                onDelete={() => setDeleting(session)}
              />
            ))}
          </Group>
        ))}
        {groups.length === 0 && <p className="px-2 pt-5 text-small text-ink-3">{query === "" ? t("library.empty") : t("library.noMatch", { query })}</p>}
      </div>
      <div className="border-t border-line-soft p-2.5">
        <button
          type="button"
          className="flex w-full items-center gap-2 rounded-md px-2 py-1.5 text-ink-2 hover:bg-paper hover:text-ink"
          onClick={onOpenFolder}
          data-testid="open-folder"
        >
          <FolderPlus size={15} aria-hidden /> {t("library.openFolder")}
        </button>
      </div>
      {deleting !== undefined && <DeleteSession session={deleting} onClose={() => setDeleting(undefined)} />}
    </nav>
  );
}

/** Begins anew after midnight, so that yesterday's is not called today's. */
function useToday(): number {
  const [today, setToday] = useState(() => Date.now());
  useEffect(() => {
    const day = new Date(today);
    const midnight = new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1).getTime();
    const timer = setTimeout(() => setToday(Date.now()), Math.max(1_000, midnight - Date.now()));
    return () => clearTimeout(timer);
  }, [today]);
  return today;
}

type GroupProps = {
  readonly group: ListGroup;
  /** something was looked for: nothing that fits stays hidden */
  readonly found: boolean;
  readonly onNew: (cwd: string) => void;
  readonly children: React.ReactNode;
};

function Group({ group, found, onNew, children }: GroupProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const folds = group.kind === "archived";
  const shown = !folds || open || found;
  const name = group.kind === "folder" ? group.name : t(`library.group.${group.kind}`);
  return (
    <section aria-label={name} className="group/folder" data-testid={`group-${group.kind}`}>
      <h2 className="flex h-8 items-end gap-1 px-2 pb-1 text-micro font-firm text-ink-3" title={group.kind === "folder" ? group.cwd : undefined}>
        {folds ? (
          <button
            type="button"
            aria-expanded={shown}
            onClick={() => setOpen(!open)}
            className="-ml-1 flex min-w-0 flex-1 items-center gap-1 rounded-sm hover:text-ink"
            data-testid="archived-fold"
          >
            <ChevronRight size={12} aria-hidden className={cx("shrink-0 transition-transform duration-100", shown && "rotate-90")} />
            {name} · {group.sessions.length}
          </button>
        ) : (
          <span className="min-w-0 flex-1 truncate">{name}</span>
        )}
        {group.kind === "folder" && (
          <button
            type="button"
            className="rounded-sm opacity-0 group-focus-within/folder:opacity-100 group-hover/folder:opacity-100 hover:text-ink"
            aria-label={t("library.newIn", { folder: group.name })}
            title={t("library.newIn", { folder: group.name })}
            onClick={() => onNew(group.cwd)}
          >
            <Plus size={14} aria-hidden />
          </button>
        )}
      </h2>
      {shown && <ul className="grid grid-cols-[minmax(0,1fr)] gap-px">{children}</ul>}
    </section>
  );
}
