// Notifications, badge and wakefulness of the desktop (U10, UX 7).
import { app, type BrowserWindow, Notification, powerSaveBlocker } from "electron";
import type { SessionId } from "#shared/lib/ids.ts";
import type { AttentionDesktop } from "#electron/bridge/contract.ts";
import type { AppTexts } from "./menu-texts.ts";

export type AttentionDesktopDeps = {
  readonly window: () => BrowserWindow | undefined;
  readonly texts: () => AppTexts;
  /** a notification was clicked */
  readonly open: (session: SessionId) => void;
};

export function createAttentionDesktop({ window, texts, open }: AttentionDesktopDeps): AttentionDesktop {
  // Held here: a notification that is collected as garbage no longer hears its click.
  const shown = new Map<SessionId, Notification>();
  let blocker: number | undefined;
  const withdraw = (session: SessionId): void => {
    shown.get(session)?.close();
    shown.delete(session);
  };
  return {
    focused: () => window()?.isFocused() === true,
    withdraw,
    notify({ session, kind, title }) {
      withdraw(session);
      if (!Notification.isSupported()) return;
      const notification = new Notification({ ...texts().news(kind, title), silent: kind === "finished" });
      notification.on("click", () => open(session));
      notification.on("close", () => void (shown.get(session) === notification && shown.delete(session)));
      shown.set(session, notification);
      notification.show();
    },
    badge(count) {
      app.setBadgeCount(count);
      // Where there is no badge the title says it, and the taskbar draws the eye.
      const at = window();
      if (at === undefined || at.isDestroyed()) return;
      at.setTitle(count === 0 ? "Cairn" : `(${count}) Cairn`);
      if (count === 0 || !at.isFocused()) at.flashFrame(count > 0);
    },
    stayAwake(wanted) {
      if (wanted) blocker ??= powerSaveBlocker.start("prevent-app-suspension");
      else if (blocker !== undefined) {
        powerSaveBlocker.stop(blocker);
        blocker = undefined;
      }
    },
  };
}
