// A session's log in memory: events get their sequence and time, followers hear of them; live events pass through.
import type { SessionEvent, StoredEvent } from "#shared/events/durable.ts";
import type { LiveEvent } from "#shared/events/live.ts";
import { Seq, type SessionId } from "#shared/lib/ids.ts";
import { emptyView } from "#shared/session/empty-view.ts";
import { reduceAll } from "#shared/session/reduce.ts";
import type { SessionView } from "#shared/session/view.ts";
import type { FollowItem } from "#renderer/bridge/follow.ts";

export interface FakeLog {
  readonly id: SessionId;
  view(): SessionView;
  stored(): readonly StoredEvent[];
  append(event: SessionEvent, at?: number): void;
  live(...events: readonly LiveEvent[]): void;
  follow(from: number, send: (items: FollowItem[]) => void): () => void;
}

export function createFakeLog(id: SessionId, onChange: () => void): FakeLog {
  const events: StoredEvent[] = [];
  const followers = new Set<(items: FollowItem[]) => void>();
  let view = emptyView(id);
  let seen = 0;
  const upToDate = (): SessionView => {
    view = reduceAll(view, events.slice(seen));
    seen = events.length;
    return view;
  };
  const tell = (items: FollowItem[]): void => followers.forEach((send) => send(items));
  return {
    id,
    view: upToDate,
    stored: () => events,
    append: (event, at = Date.now()) => {
      const stored = { seq: Seq.parse(events.length + 1), at, event };
      events.push(stored);
      tell([{ kind: "stored", stored }]);
      onChange();
    },
    live: (...events) => tell(events.map((event) => ({ kind: "live", event }))),
    follow: (from, send) => {
      if (events.length > from) send(events.slice(from).map((stored) => ({ kind: "stored", stored })));
      followers.add(send);
      return () => followers.delete(send);
    },
  };
}
