// One pane: a session or the start of one.
import { useStore } from "zustand";
import { SessionProvider, useServices } from "#renderer/stores/services.tsx";
import { SessionPane } from "./session-pane.tsx";
import { StartPane } from "./start-pane.tsx";

type PaneProps = { readonly id: string; readonly index: number; readonly focused: boolean };

export function Pane({ id, index, focused }: PaneProps) {
  const { layout } = useServices();
  const tab = useStore(layout, (state) => state.tabs.find((other) => other.id === id));
  const focus = (): void => layout.setState((state) => (state.focused === index ? state : { ...state, focused: index }));
  if (tab === undefined) return null;
  return (
    // Focus or a press anywhere inside makes it the pane that keys are about.
    <div className="h-full bg-paper" data-testid="pane" data-pane-focused={focused} onFocusCapture={focus} onPointerDownCapture={focus}>
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
