// One session of the library: its state in a dot and a word, its name, and what can be done with it.
import { Copy, Ellipsis, Pin } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { useFormat } from "#renderer/i18n/format.ts";
import { openTab } from "#renderer/stores/layout.ts";
import { isUnread } from "#renderer/stores/seen.ts";
import { useServices } from "#renderer/stores/services.tsx";
import { cx } from "#renderer/ui/class-names.ts";
import { StateDot } from "#renderer/ui/dot.tsx";
import { TextInput } from "#renderer/ui/field.tsx";
import { Menu, MenuItem, MenuLine } from "#renderer/ui/menu.tsx";
import { sessionLink } from "#shared/commands/window-command.ts";
import type { SessionSummary } from "#shared/session/summary.ts";
import { folderName } from "./group-sessions.ts";
import { type ExportFormat, useSessionActions } from "./session-actions.ts";

type SessionRowProps = {
  readonly session: SessionSummary;
  /** its folder and time are said, since the group does not */
  readonly placed: boolean;
  readonly onDelete: () => void;
  readonly onFork: () => void;
};

export function SessionRow({ session, placed, onDelete, onFork }: SessionRowProps) {
  const { t } = useTranslation();
  const { layout, screen, seen } = useServices();
  const shown = useStore(layout, (state) => state.panes[state.focused] === session.id);
  const unread = useStore(seen, (state) => isUnread(session, state));
  const [renaming, setRenaming] = useState(false);
  const title = session.title === "" ? t("session.untitled") : session.title;
  const open = (): void => {
    screen.setState({ kind: "work" }, true);
    layout.setState((state) => openTab({ ...state, sidebarOver: false }, { kind: "session", id: session.id }));
  };
  if (renaming) return <Rename session={session} onDone={() => setRenaming(false)} />;
  const word = stateWord(session, unread);
  return (
    <li className={cx("group relative flex items-center rounded-md", shown ? "bg-paper shadow-[0_0_0_1px_var(--line)]" : "hover:bg-paper/70")}>
      <button
        type="button"
        aria-current={shown ? "page" : undefined}
        className={cx(
          "flex min-w-0 flex-1 items-baseline gap-2.5 rounded-md py-1.5 pr-2.5 pl-2.5 text-left group-focus-within:pr-7 group-hover:pr-7",
          session.attention === "idle" && !shown ? "text-ink-2" : "text-ink",
        )}
        onClick={open}
        onDoubleClick={() => setRenaming(true)}
        onKeyDown={(event) => {
          if (event.key === "F2") setRenaming(true);
        }}
        data-testid="library-session"
        data-id={session.id}
        data-unread={unread}
      >
        <StateDot state={session.attention} silent={word !== undefined} />
        <RowText session={session} title={title} unread={unread} placed={placed} word={word} />
      </button>
      <SessionMenu session={session} title={title} onOpen={open} onRename={() => setRenaming(true)} onDelete={onDelete} onFork={onFork} />
    </li>
  );
}

type RowTextProps = {
  readonly session: SessionSummary;
  readonly title: string;
  readonly unread: boolean;
  readonly placed: boolean;
  readonly word: Word | undefined;
};

function RowText({ session, title, unread, placed, word }: RowTextProps) {
  const { t } = useTranslation();
  const { moment } = useFormat();
  return (
    <span className="grid min-w-0 flex-1">
      <span className="flex min-w-0 items-center gap-1.5">
        <span className={cx("min-w-0 truncate", unread && "font-strong")}>{title}</span>
        {session.pinned === true && <Pin size={11} className="shrink-0 text-ink-3" role="img" aria-label={t("session.pinned")} />}
        {session.copyOf !== undefined && <Copy size={12} className="shrink-0 text-ink-3" role="img" aria-label={t("session.inCopy")} />}
      </span>
      {(word !== undefined || placed) && (
        <span className="truncate text-micro text-ink-3" data-testid="session-state">
          {word !== undefined && <span className={cx("font-firm", word.look)}>{t(word.key)}</span>}
          {word !== undefined && placed && " · "}
          {placed && `${folderName(session.copyOf ?? session.cwd)} · ${moment(session.updatedAt)}`}
        </span>
      )}
    </span>
  );
}

type Word = { readonly key: string; readonly look: string };

/** What is worth a word: what goes on, what waits for the person, what they have not seen yet. */
function stateWord({ attention, asks }: SessionSummary, unread: boolean): Word | undefined {
  if (attention === "working") return { key: "state.working", look: "text-agent" };
  if (attention === "needs_you") return { key: asks === "approve" ? "state.approveWord" : "state.needsWord", look: "text-ask-ink" };
  if (attention === "failed") return { key: unread ? "state.failedUnread" : "state.failedWord", look: "text-bad" };
  return attention === "done" && unread ? { key: "state.doneUnread", look: "text-ok" } : undefined;
}

type SessionMenuProps = {
  readonly session: SessionSummary;
  readonly title: string;
  readonly onOpen: () => void;
  readonly onRename: () => void;
  readonly onFork: () => void;
  readonly onDelete: () => void;
};

const FORMATS: readonly ExportFormat[] = ["md", "html", "json"];

function SessionMenu({ session, title, onOpen, onRename, onFork, onDelete }: SessionMenuProps) {
  const { t } = useTranslation();
  const actions = useSessionActions();
  const { pinned = false, archived = false } = session;
  return (
    <Menu
      label={t("session.menu", { title })}
      align="start"
      width={210}
      trigger={
        <button
          type="button"
          aria-label={t("session.menu", { title })}
          className="absolute top-1.5 right-1 rounded-sm p-1 text-ink-3 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 hover:text-ink data-[state=open]:opacity-100"
          data-testid="session-menu"
        >
          <Ellipsis size={15} aria-hidden />
        </button>
      }
    >
      <MenuItem onSelect={onOpen}>{t("session.open")}</MenuItem>
      <MenuItem onSelect={onRename} testId="session-rename">
        {t("session.rename")}
      </MenuItem>
      <MenuItem onSelect={() => actions.pin(session, !pinned)} testId="session-pin">
        {t(pinned ? "session.unpin" : "session.pin")}
      </MenuItem>
      <MenuItem onSelect={() => (archived ? actions.unarchive(session) : actions.archive(session))} testId="session-archive">
        {t(archived ? "session.unarchive" : "session.archive")}
      </MenuItem>
      <MenuItem onSelect={onFork} testId="session-fork">
        {t("session.fork")}
      </MenuItem>
      <MenuItem onSelect={() => void navigator.clipboard.writeText(sessionLink(session.id))} testId="session-link">
        {t("session.copyLink")}
      </MenuItem>
      <MenuLine />
      {FORMATS.map((format) => (
        <MenuItem key={format} onSelect={() => actions.saveAs(session, format)} testId={`session-export-${format}`}>
          {t(`session.export.${format}`)}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem danger onSelect={onDelete} testId="session-delete">
        {t("session.delete")}
      </MenuItem>
    </Menu>
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
