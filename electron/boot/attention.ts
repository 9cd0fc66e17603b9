// Tells the desktop what the sessions need (U10, UX 7): a badge with how many wait for the person, one notification when a session
// enters a state that the person asked to hear of, and no sleep of the system while anything works.
import type { SessionId } from "#shared/lib/ids.ts";
import { isPermission } from "#shared/questions/question.ts";
import type { SessionView } from "#shared/session/view.ts";
import type { Settings } from "#shared/settings/settings.ts";
import type { AttentionDesktop, NewsKind } from "#electron/bridge/contract.ts";
import type { Sessions } from "#electron/sessions/directory.ts";
import type { Clock } from "#electron/lib/clock.ts";

export type AttentionDeps = {
  readonly sessions: Pick<Sessions, "followList" | "views">;
  readonly settings: () => Settings;
  readonly desktop: AttentionDesktop;
  readonly clock: Clock;
};

/** Many changes in a row are looked at once. */
const LOOK_AFTER_MS = 150;

export function watchAttention({ sessions, settings, desktop, clock }: AttentionDeps): Disposable {
  const known = new Map<SessionId, NewsKind | "quiet">();
  let timer: Disposable | undefined;
  let ended = false;
  const look = async (): Promise<void> => {
    const views = await sessions.views();
    if (ended) return;
    desktop.badge(views.filter((view) => view.attention === "needs_you").length);
    desktop.stayAwake(settings().stayAwake && views.some((view) => view.attention === "working"));
    for (const view of views) {
      const now = newsOf(view);
      const before = known.get(view.session) ?? "quiet";
      known.set(view.session, now);
      if (now === before) continue;
      if (before !== "quiet") desktop.withdraw(view.session);
      // Who looks at the window sees the dots, and the card says it aloud.
      if (now !== "quiet" && settings().notifications[now] && !desktop.focused()) desktop.notify({ session: view.session, kind: now, title: view.title });
    }
  };
  const following = sessions.followList(() => {
    timer ??= clock.schedule(LOOK_AFTER_MS, () => {
      timer = undefined;
      void look();
    });
  });
  return {
    [Symbol.dispose]() {
      ended = true;
      following[Symbol.dispose]();
      timer?.[Symbol.dispose]();
      desktop.stayAwake(false);
    },
  };
}

/** A question and a permission are told apart: one wants a decision, the other a word. */
function newsOf({ attention, pending, turn, lastEnd }: SessionView): NewsKind | "quiet" {
  if (attention === "needs_you") {
    const first = pending[0];
    return first !== undefined && isPermission(first) ? "approval" : "question";
  }
  if (turn !== undefined || lastEnd === undefined) return "quiet";
  if (attention === "failed") return "error";
  return attention === "done" ? "finished" : "quiet";
}
