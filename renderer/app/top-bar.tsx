// The working set: one tab per open conversation, with its state. Drag to reorder.
import { PanelLeft, Plus, Settings2, X } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { closeTab, moveTab, showTab, type Tab } from "#renderer/stores/layout.ts";
import { useServices } from "#renderer/stores/services.tsx";
import { IconButton } from "#renderer/ui/button.tsx";
import { cx } from "#renderer/ui/class-names.ts";
import { StateDot } from "#renderer/ui/dot.tsx";
import { Mark } from "#renderer/ui/mark.tsx";
import { useDomEvent } from "#renderer/ui/use-dom-event.ts";
import { goToNeeding, newStart, toggleSettings, toggleSidebar } from "./commands.ts";
import { carryTab, droppedTab, placeOver } from "./tab-drag.ts";

export function TopBar() {
  const { t } = useTranslation();
  const services = useServices();
  const tabs = useStore(services.layout, (state) => state.tabs);
  const settingsOpen = useStore(services.screen, (state) => state.kind === "settings");
  const tabList = useRef<HTMLUListElement>(null);
  useDomEvent(tabList, "keydown", (event) => moveBetweenTabs(tabList.current, event));
  return (
    <header className="flex h-10 shrink-0 items-end gap-0.5 border-b border-line bg-panel pr-2 [-webkit-app-region:drag]">
      <div className="flex h-10 w-[220px] shrink-0 items-center gap-2 pl-3 font-strong">
        <Mark />
        <h1>{t("appName")}</h1>
        <span className="flex-1" />
        <IconButton label={t("bar.sidebar")} onClick={() => toggleSidebar(services)} className="mr-1 [-webkit-app-region:no-drag]">
          <PanelLeft size={16} />
        </IconButton>
      </div>
      <nav aria-label={t("bar.tabs")} className="min-w-0 [-webkit-app-region:no-drag]">
        <ul ref={tabList} className="flex min-w-0 items-end gap-0.5">
          {tabs.map((tab) => (
            <TabItem key={tab.id} tab={tab} />
          ))}
        </ul>
      </nav>
      <IconButton
        label={t("bar.new")}
        onClick={() => newStart(services, undefined)}
        data-testid="new-session"
        className="mb-1 ml-1 [-webkit-app-region:no-drag]"
      >
        <Plus size={16} />
      </IconButton>
      <span className="flex-1" />
      <NeedingElsewhere />
      <button
        type="button"
        aria-pressed={settingsOpen}
        onClick={() => toggleSettings(services)}
        className="mb-1 inline-flex h-[30px] items-center gap-1.5 rounded-md px-2.5 text-ui text-ink-2 [-webkit-app-region:no-drag] hover:bg-sunken hover:text-ink aria-pressed:bg-sunken aria-pressed:text-ink"
        data-testid="open-settings"
      >
        <Settings2 size={15} aria-hidden /> {t("bar.settings")}
      </button>
    </header>
  );
}

/** Questions of sessions that are not before one's eyes: whatever screen is shown, one step leads to them (UX 7). */
function NeedingElsewhere() {
  const { t } = useTranslation();
  const services = useServices();
  const { list, layout, screen } = services;
  const panes = useStore(layout, (state) => state.panes);
  const working = useStore(screen, (state) => state.kind === "work");
  const count = useStore(list, (all) => all.filter((session) => session.attention === "needs_you" && !(working && panes.includes(session.id))).length);
  if (count === 0) return null;
  return (
    <button
      type="button"
      onClick={() => goToNeeding(services)}
      className="mr-1 mb-1 inline-flex h-[30px] shrink-0 items-center gap-2 rounded-md bg-ask-soft px-2.5 text-ui font-firm text-ask-ink [-webkit-app-region:no-drag] hover:bg-ask-soft/70"
      data-testid="needing-elsewhere"
    >
      <span aria-hidden className="size-2 rounded-full bg-ask" /> {t("bar.needing", { count })}
    </button>
  );
}

function TabItem({ tab }: { readonly tab: Tab }) {
  const { t } = useTranslation();
  const services = useServices();
  const { layout, list, screen } = services;
  const settingsOpen = useStore(screen, (state) => state.kind === "settings");
  const shown = useStore(layout, (state) => state.panes.includes(tab.id)) && !settingsOpen;
  const focused = useStore(layout, (state) => state.panes[state.focused] === tab.id) && !settingsOpen;
  const session = useStore(list, (all) => (tab.kind === "session" ? all.find((other) => other.id === tab.id) : undefined));
  const title = session === undefined || session.title === "" ? t("session.untitled") : session.title;
  const show = (): void => {
    screen.setState({ kind: "work" }, true);
    layout.setState((state) => showTab(state, tab.id));
  };
  return (
    <li
      className={cx(
        "group relative flex h-[33px] min-w-0 items-center rounded-t-md border border-b-0 text-ui",
        focused ? "mb-[-1px] h-[34px] border-line bg-paper text-ink" : shown ? "border-transparent text-ink" : "border-transparent text-ink-2 hover:text-ink",
      )}
    >
      <button
        type="button"
        aria-current={focused ? "page" : undefined}
        draggable
        onDragStart={(event) => carryTab(event, tab.id)}
        onDragOver={(event) => placeOver(event) !== undefined && event.preventDefault()}
        onDrop={(event) => {
          const id = droppedTab(event);
          if (id !== undefined) layout.setState((state) => moveTab(state, id, tab.id));
        }}
        onClick={show}
        onAuxClick={(event) => event.button === 1 && layout.setState((state) => closeTab(state, tab.id))}
        data-testid="tab"
        data-id={tab.id}
        className="flex h-full min-w-0 items-center gap-2 rounded-t-md pr-7 pl-3 -outline-offset-2"
      >
        <StateDot state={session?.attention ?? "idle"} />
        <span className="max-w-[180px] truncate">{title}</span>
      </button>
      <button
        type="button"
        tabIndex={-1}
        aria-label={t("bar.close", { title })}
        title={t("bar.close", { title })}
        onClick={() => layout.setState((state) => closeTab(state, tab.id))}
        className="absolute right-1.5 rounded-sm p-0.5 text-ink-3 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 hover:bg-sunken hover:text-ink"
      >
        <X size={13} aria-hidden />
      </button>
    </li>
  );
}

function moveBetweenTabs(list: HTMLElement | null, event: KeyboardEvent): void {
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (step === 0 || list === null) return;
  const tabs = [...list.querySelectorAll<HTMLElement>("[data-testid=tab]")];
  const next = tabs[(tabs.findIndex((tab) => tab === document.activeElement) + step + tabs.length) % tabs.length];
  event.preventDefault();
  next?.focus();
  next?.click();
}
