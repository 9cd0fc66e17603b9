// Search over all conversations: titles and every word in them, grouped by conversation; Enter goes to the place (S3).
import { Command } from "cmdk";
import { type KeyboardEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { folderName, matching } from "./group-sessions.ts";
import { useFormat } from "#renderer/i18n/format.ts";
import { findPlace } from "#renderer/stores/finds.ts";
import { openTab } from "#renderer/stores/layout.ts";
import { useServices } from "#renderer/stores/services.tsx";
import { isImeKey } from "#renderer/ui/ime.ts";
import { StateDot } from "#renderer/ui/dot.tsx";
import { VisibleText } from "#renderer/ui/visible-text.tsx";
import type { SessionId } from "#shared/lib/ids.ts";
import { MAX_QUERY_CHARS, type SearchGroup, type SearchHit, searchWords } from "#shared/session/search.ts";
import type { SessionSummary } from "#shared/session/summary.ts";
import { useSessionSearch } from "./use-session-search.ts";

const MAX_TITLES = 8;

export function SearchPanel({ initial, onClose }: { readonly initial: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { list, layout, screen, finds } = useServices();
  const sessions = useStore(list);
  const [query, setQuery] = useState(initial);
  const [picked, setPicked] = useState("");
  const search = useSessionSearch(query);
  const titles = query.trim() === "" ? [] : matching(sessions, query).slice(0, MAX_TITLES);
  const open = (id: SessionId): void => {
    screen.setState({ kind: "work" }, true);
    layout.setState((state) => openTab(state, { kind: "session", id }));
    onClose();
  };
  const goTo = (id: SessionId, hit: SearchHit): void => {
    const [word = ""] = searchWords(query);
    findPlace(finds, id, word, hit.call === undefined ? { seq: hit.seq } : { seq: hit.seq, call: hit.call });
    open(id);
  };
  const rows = rowsOf(titles, search.groups);
  // What comes in while one types takes the place of what was chosen before.
  const chosen = rows.includes(picked) ? picked : (rows[0] ?? "");
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (isImeKey(event)) event.stopPropagation();
  };
  return (
    <Command.Dialog
      open
      onOpenChange={onClose}
      shouldFilter={false}
      value={chosen}
      onValueChange={setPicked}
      label={t("search.label")}
      overlayClassName="fixed inset-0 z-40 bg-shade"
      contentClassName="rise fixed top-[10vh] left-1/2 z-50 w-[680px] max-w-[calc(100vw-32px)] -translate-x-1/2 overflow-hidden rounded-xl border border-line bg-raised shadow-float"
      data-testid="search-panel"
    >
      <div onKeyDownCapture={onKeyDown}>
        <Command.Input
          value={query}
          onValueChange={setQuery}
          maxLength={MAX_QUERY_CHARS}
          placeholder={t("search.placeholder")}
          className="selectable h-11 w-full border-b border-line-soft bg-transparent px-4 text-body text-ink focus-visible:outline-none"
          data-testid="search-input"
        />
        <Command.List className="max-h-[min(520px,70vh)] overflow-y-auto p-1.5">
          {titles.length > 0 && (
            <Command.Group heading={<Heading>{t("search.titles")}</Heading>}>
              {titles.map((session) => (
                <Row key={session.id} value={`title ${session.id}`} onSelect={() => open(session.id)}>
                  <TitleLine session={session} />
                </Row>
              ))}
            </Command.Group>
          )}
          {search.groups.map((group) => (
            <Places key={group.session} group={group} session={sessions.find((one) => one.id === group.session)} onOpen={open} onGo={goTo} />
          ))}
        </Command.List>
        <SearchStatus query={query} search={search} titles={titles.length} />
      </div>
    </Command.Dialog>
  );
}

/** Values of the rows in their order. */
function rowsOf(titles: readonly SessionSummary[], groups: readonly SearchGroup[]): readonly string[] {
  const places = groups.flatMap(({ session, hits, more }) => [...hits.map((hit) => `${session} ${hit.seq}`), ...(more > 0 ? [`${session} more`] : [])]);
  return [...titles.map((session) => `title ${session.id}`), ...places];
}

type PlacesProps = {
  readonly group: SearchGroup;
  readonly session: SessionSummary | undefined;
  readonly onOpen: (session: SessionId) => void;
  readonly onGo: (session: SessionId, hit: SearchHit) => void;
};

function Places({ group, session, onOpen, onGo }: PlacesProps) {
  const { t } = useTranslation();
  const { moment } = useFormat();
  const { session: id, hits, more } = group;
  return (
    <Command.Group
      heading={
        <Heading>
          {titleOf(session, t("session.untitled"))}
          {session !== undefined && <span className="font-normal"> · {folderName(session.copyOf ?? session.cwd)}</span>}
        </Heading>
      }
      data-testid="search-group"
    >
      {hits.map((hit) => (
        <Row key={`${hit.seq}`} value={`${id} ${hit.seq}`} onSelect={() => onGo(id, hit)}>
          <span className="w-[76px] shrink-0 pt-px text-small text-ink-3">{t(`search.where.${hit.where}`)}</span>
          <span className="line-clamp-2 min-w-0 flex-1 [overflow-wrap:anywhere]" data-testid="search-snippet">
            <VisibleText text={hit.snippet.slice(0, hit.from)} />
            <mark className="rounded-[2px] bg-ask-soft font-firm text-ink">
              <VisibleText text={hit.snippet.slice(hit.from, hit.to)} />
            </mark>
            <VisibleText text={hit.snippet.slice(hit.to)} />
          </span>
          <span className="shrink-0 pt-px text-small text-ink-3">{moment(hit.at)}</span>
        </Row>
      ))}
      {more > 0 && (
        <Row value={`${id} more`} onSelect={() => onOpen(id)}>
          <span className="pl-[88px] text-small text-ink-2">{t("search.more", { count: more })}</span>
        </Row>
      )}
    </Command.Group>
  );
}

function Heading({ children }: { readonly children: React.ReactNode }) {
  return <span className="block truncate px-2.5 pt-2.5 pb-1 text-micro font-firm text-ink-3">{children}</span>;
}

function TitleLine({ session }: { readonly session: SessionSummary }) {
  const { t } = useTranslation();
  return (
    <>
      <span className="flex shrink-0 self-center">
        <StateDot state={session.attention} />
      </span>
      <span className="min-w-0 flex-1 truncate">{titleOf(session, t("session.untitled"))}</span>
      <span className="truncate text-small text-ink-3">{folderName(session.copyOf ?? session.cwd)}</span>
    </>
  );
}

function titleOf(session: SessionSummary | undefined, untitled: string): string {
  return session === undefined || session.title === "" ? untitled : session.title;
}

type RowProps = { readonly value: string; readonly onSelect: () => void; readonly children: React.ReactNode };

function Row({ value, onSelect, children }: RowProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex cursor-default items-start gap-3 rounded-md px-2.5 py-1.5 text-ui data-[selected=true]:bg-sunken"
    >
      {children}
    </Command.Item>
  );
}

type StatusProps = { readonly query: string; readonly search: ReturnType<typeof useSessionSearch>; readonly titles: number };

/** What is going on, said to screen readers too. */
function SearchStatus({ query, search, titles }: StatusProps) {
  const { t } = useTranslation();
  return (
    <p role="status" className="border-t border-line-soft px-4 py-2 text-small text-ink-3" data-testid="search-status">
      {statusText()}
    </p>
  );
  function statusText(): string {
    const { state, groups, more, problem } = search;
    if (state === "failed") return t("search.failed", { problem });
    if (state === "searching") return t("search.searching");
    if (state === "idle") return t("search.hint");
    if (groups.length === 0 && titles === 0) return t("search.none", { query });
    return more ? t("search.tooMany", { count: groups.length }) : t("search.found", { count: groups.length });
  }
}
