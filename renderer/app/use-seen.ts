// Notes what is before the person's eyes: panes of a window that is visible and in front, while it shows the work.
import { useEffect } from "react";
import { type Services, useServices } from "#renderer/stores/services.tsx";
import { withSeen } from "#renderer/stores/seen.ts";

export function useSeen(): void {
  const services = useServices();
  useEffect(() => {
    const note = (): void => noteSeen(services);
    const following = [
      services.list.subscribe(note),
      services.layout.subscribe((_now, before) => (noteLeft(services, before.panes), note())),
      services.screen.subscribe((_now, before) => (before.kind === "work" && noteLeft(services, services.layout.getState().panes), note())),
    ];
    window.addEventListener("focus", note);
    document.addEventListener("visibilitychange", note);
    note();
    return () => {
      for (const stop of following) stop();
      window.removeEventListener("focus", note);
      document.removeEventListener("visibilitychange", note);
    };
  }, [services]);
}

function noteSeen({ list, layout, screen, seen }: Services): void {
  if (document.visibilityState !== "visible" || !document.hasFocus() || screen.getState().kind !== "work") return;
  const before = seen.getState();
  const after = withSeen(before, list.getState(), new Set(layout.getState().panes));
  if (after !== before) seen.setState(after, true);
}

/** The list tells of an end a moment later than its pane shows it: who goes away right then has seen it all the same. */
function noteLeft({ list, seen }: Services, panes: readonly string[]): void {
  if (document.visibilityState !== "visible" || !document.hasFocus()) return;
  const at = Date.now();
  const left = list.getState().filter((session) => panes.includes(session.id));
  if (left.length > 0) seen.setState({ ...seen.getState(), ...Object.fromEntries(left.map((session) => [session.id, at])) }, true);
}
