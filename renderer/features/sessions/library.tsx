// The library: all sessions by folder (S3). Tabs are what one works on, this is what one has.
import { Copy, Ellipsis, FolderPlus, Plus } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { openTab } from "#renderer/stores/layout.ts";
import { useServices } from "#renderer/stores/services.tsx";
import { TextInput } from "#renderer/ui/field.tsx";
import { cx } from "#renderer/ui/class-names.ts";
import { StateDot } from "#renderer/ui/dot.tsx";
import { sessionLink } from "#shared/commands/window-command.ts";
import { Menu, MenuItem, MenuLine } from "#renderer/ui/menu.tsx";
import type { SessionId } from "#shared/lib/ids.ts";
import type { SessionSummary } from "#shared/session/summary.ts";
import { DeleteSession } from "./delete-session.tsx";
import { byFolder, matching } from "./group-sessions.ts";

type LibraryProps = { readonly onFork: (session: SessionId) => void; readonly onNew: (cwd: string | undefined) => void; readonly onOpenFolder: () => void };

export function Library({ onFork, onNew, onOpenFolder }: LibraryProps) {
  const { t } = useTranslation();
  const { list } = useServices();
  const sessions = useStore(list);
  const [query, setQuery] = useState("");
  const [deleting, setDeleting] = useState<SessionSummary>();
  const folders = useMemo(() => byFolder(matching(sessions, query)), [sessions, query]);
  return (
    <nav aria-label={t("library.label")} className="flex min-h-0 w-[232px] shrink-0 flex-col border-r border-line bg-panel text-ui" data-testid="library">
      <div className="px-2.5 pt-3 pb-1">
        <TextInput
          type="search"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onEscape={() => setQuery("")}
          placeholder={t("library.search")}
          aria-label={t("library.search")}
          className="bg-paper"
        />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-2.5 pb-2">
        {folders.map((folder) => (
          <section key={folder.cwd} aria-label={folder.name} className="group/folder">
            <h2 className="flex h-8 items-end gap-1 px-2 pb-1 text-micro font-firm text-ink-3" title={folder.cwd}>
              <span className="min-w-0 flex-1 truncate">{folder.name}</span>
              <button
                type="button"
                className="rounded-sm opacity-0 group-focus-within/folder:opacity-100 group-hover/folder:opacity-100 hover:text-ink"
                aria-label={t("library.newIn", { folder: folder.name })}
                title={t("library.newIn", { folder: folder.name })}
                onClick={() => onNew(folder.cwd)}
              >
                <Plus size={14} aria-hidden />
              </button>
            </h2>
            <ul className="grid grid-cols-[minmax(0,1fr)] gap-px">
              {folder.sessions.map((session) => (
                <SessionRow key={session.id} session={session} onFork={() => onFork(session.id)} onDelete={() => setDeleting(session)} />
              ))}
            </ul>
          </section>
        ))}
        {folders.length === 0 && <p className="px-2 pt-5 text-small text-ink-3">{query === "" ? t("library.empty") : t("library.noMatch", { query })}</p>}
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

type SessionRowProps = { readonly session: SessionSummary; readonly onDelete: () => void; readonly onFork: () => void };

function SessionRow({ session, onDelete, onFork }: SessionRowProps) {
  const { t } = useTranslation();
  const { layout } = useServices();
  const shown = useStore(layout, (state) => state.panes[state.focused] === session.id);
  const [renaming, setRenaming] = useState(false);
  const title = session.title === "" ? t("session.untitled") : session.title;
  const open = (): void => layout.setState((state) => openTab(state, { kind: "session", id: session.id }));
  if (renaming) return <Rename session={session} onDone={() => setRenaming(false)} />;
  return (
    <li className={cx("group relative flex items-center rounded-md", shown ? "bg-paper shadow-[0_0_0_1px_var(--line)]" : "hover:bg-paper/70")}>
      <button
        type="button"
        aria-current={shown ? "page" : undefined}
        className={cx(
          "flex min-w-0 flex-1 items-center gap-2.5 rounded-md py-1.5 pr-2.5 pl-2.5 text-left group-focus-within:pr-7 group-hover:pr-7",
          session.attention === "idle" && !shown ? "text-ink-2" : "text-ink",
        )}
        onClick={open}
        onDoubleClick={() => setRenaming(true)}
        data-testid="library-session"
        data-id={session.id}
      >
        <StateDot state={session.attention} />
        <span className="min-w-0 flex-1 truncate">{title}</span>
        {session.copyOf !== undefined && <Copy size={12} className="shrink-0 text-ink-3" role="img" aria-label={t("session.inCopy")} />}
        {session.attention === "needs_you" && <span className="text-micro font-firm text-ask-ink">{t("state.needsWord")}</span>}
      </button>
      <Menu
        label={t("session.menu", { title })}
        align="start"
        width={180}
        trigger={
          <button
            type="button"
            aria-label={t("session.menu", { title })}
            className="absolute right-1 rounded-sm p-1 text-ink-3 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 hover:text-ink data-[state=open]:opacity-100"
            data-testid="session-menu"
          >
            <Ellipsis size={15} aria-hidden />
          </button>
        }
      >
        <MenuItem onSelect={open}>{t("session.open")}</MenuItem>
        <MenuItem onSelect={() => setRenaming(true)} testId="session-rename">
          {t("session.rename")}
        </MenuItem>
        <MenuItem onSelect={onFork} testId="session-fork">
          {t("session.fork")}
        </MenuItem>
        <MenuItem onSelect={() => void navigator.clipboard.writeText(sessionLink(session.id))} testId="session-link">
          {t("session.copyLink")}
        </MenuItem>
        <MenuLine />
        <MenuItem danger onSelect={onDelete} testId="session-delete">
          {t("session.delete")}
        </MenuItem>
      </Menu>
    </li>
  );
}

function Rename({ session, onDone }: { readonly session: SessionSummary; readonly onDone: () => void }) {
  const { t } = useTranslation();
  const { client, toasts } = useServices();
  const [title, setTitle] = useState(session.title);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  const save = async (): Promise<void> => {
    const next = title.trim();
    onDone();
    if (next === "" || next === session.title) return;
    const result = await client.sessions.rename({ session: session.id, title: next });
    if (!result.ok) toasts.show({ tone: "bad", notice: { key: "toast.renameFailed" }, detail: result.error.message });
  };
  return (
    <li>
      <TextInput
        ref={input}
        value={title}
        maxLength={200}
        onChange={(event) => setTitle(event.target.value)}
        onEnter={() => void save()}
        onEscape={onDone}
        onBlur={() => void save()}
        aria-label={t("session.rename")}
        data-testid="rename-input"
      />
    </li>
  );
}
