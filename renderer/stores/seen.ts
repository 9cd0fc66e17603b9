// Which ends of turns the person has had before their eyes: what ended unseen is unread until its pane is really visible (UX 7).
import { z } from "zod";
import type { SessionId } from "#shared/lib/ids.ts";
import type { SessionSummary } from "#shared/session/summary.ts";

/** When a session's newest state was last on the screen; ms since the epoch. */
export const Seen = z.record(z.string(), z.number());
export type Seen = z.infer<typeof Seen>;

const UNREAD: ReadonlySet<SessionSummary["attention"]> = new Set(["done", "failed"]);

export function isUnread(session: SessionSummary | undefined, seen: Seen): boolean {
  return session !== undefined && UNREAD.has(session.attention) && (seen[session.id] ?? 0) < session.updatedAt;
}

/** After these sessions were looked at; the same object when nothing changes. What is no longer there is forgotten. */
export function withSeen(seen: Seen, sessions: readonly SessionSummary[], visible: ReadonlySet<string>): Seen {
  const news = sessions.filter((session) => visible.has(session.id) && (seen[session.id] ?? 0) < session.updatedAt);
  if (news.length === 0) return seen;
  const known = new Set<string>(sessions.map((session): SessionId => session.id));
  const kept = Object.entries(seen).filter(([id]) => known.has(id));
  return { ...Object.fromEntries(kept), ...Object.fromEntries(news.map((session) => [session.id, session.updatedAt])) };
}
