// One pane: a session or the start of one.
import { useState } from "react";
import { useStore } from "zustand";
import { SessionProvider, useServices } from "#renderer/stores/services.tsx";
import { cx } from "#renderer/ui/class-names.ts";
import { SessionPane } from "./session-pane.tsx";
import { StartPane } from "./start-pane.tsx";
import { type DropPlace, dropOnPane, droppedTab, placeOver } from "./tab-drag.ts";

const DROP_LOOKS: Readonly<Record<DropPlace, string>> = {
  inside: "inset-0",
  left: "inset-y-0 left-0 w-1/2",
  right: "inset-y-0 right-0 w-1/2",
  top: "inset-x-0 top-0 h-1/2",
  bottom: "inset-x-0 bottom-0 h-1/2",
};

type PaneProps = { readonly id: string; readonly index: number; readonly focused: boolean };

export function Pane({ id, index, focused }: PaneProps) {
  const { layout } = useServices();
  const tab = useStore(layout, (state) => state.tabs.find((other) => other.id === id));
  const focus = (): void => layout.setState((state) => (state.focused === index ? state : { ...state, focused: index }));
  const [place, setPlace] = useState<DropPlace>();
  if (tab === undefined) return null;
  return (
    // Focus or a press anywhere inside makes it the pane that keys are about.
    <div
      className="relative h-full bg-paper"
      data-testid="pane"
      data-pane-focused={focused}
      onFocusCapture={focus}
      onPointerDownCapture={focus}
      onDragOver={(event) => {
        const over = placeOver(event);
        if (over !== undefined) event.preventDefault();
        setPlace(over);
      }}
      onDragLeave={() => setPlace(undefined)}
      onDrop={(event) => {
        const dropped = droppedTab(event);
        if (dropped !== undefined && place !== undefined) layout.setState((state) => dropOnPane(state, dropped, { index, place }));
        setPlace(undefined);
      }}
    >
      {place !== undefined && (
        <div
          aria-hidden
          className={cx("pointer-events-none absolute z-40 border-2 border-agent bg-agent-soft/60", DROP_LOOKS[place])}
          data-testid="drop-place"
          data-place={place}
        />
      )}
      {tab.kind === "session" ? (
        <SessionProvider key={tab.id} id={tab.id}>
          <SessionPane index={index} />
        </SessionProvider>
      ) : (
        <StartPane tab={tab.id} cwd={tab.cwd} />
      )}
    </div>
  );
}
