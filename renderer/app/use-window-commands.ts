// What the menu, a notification or a link asks of the window (U10).
import { useEffect } from "react";
import { openTab } from "#renderer/stores/layout.ts";
import { type Services, useServices } from "#renderer/stores/services.tsx";
import type { WindowCommand } from "#shared/commands/window-command.ts";
import { askingCard } from "./commands.ts";
import { type Overlays, runCommand } from "./run-command.ts";

const REOPEN_MS = 1_000;
const FRAMES_TO_DRAW = 60;

export function useWindowCommands(overlays: Overlays): void {
  const services = useServices();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let following: Disposable | undefined;
    const follow = (): void => {
      following = services.client.app.followCommands(
        {},
        (command) => heed(services, overlays, command),
        () => {
          timer = setTimeout(follow, REOPEN_MS);
        },
      );
    };
    follow();
    return () => {
      clearTimeout(timer);
      following?.[Symbol.dispose]();
    };
  }, [services, overlays]);
}

function heed(services: Services, overlays: Overlays, command: WindowCommand): void {
  if (command.kind === "command") return runCommand(services, overlays, command.id);
  const { list, layout, screen, toasts } = services;
  const session = list.getState().find((known) => known.id === command.session);
  if (session === undefined) {
    if (command.link) toasts.show({ tone: "bad", notice: { key: "toast.linkUnknown" } });
    return;
  }
  screen.setState({ kind: "work" }, true);
  layout.setState((state) => openTab(state, { kind: "session", id: command.session }));
  // Who came for something else keeps the place where they type.
  if (session.attention === "needs_you" && !command.link) focusWhenDrawn(FRAMES_TO_DRAW);
}

/** The card is there some frames after its pane. */
function focusWhenDrawn(framesLeft: number): void {
  requestAnimationFrame(() => {
    const card = askingCard();
    if (card !== null) card.focus();
    else if (framesLeft > 0) focusWhenDrawn(framesLeft - 1);
  });
}
