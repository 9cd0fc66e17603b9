// The log, the view that follows it, and whoever listens: durable events are appended before they are published.
import type { SessionEvent, StoredEvent } from "#shared/events/durable.ts";
import type { LiveEvent } from "#shared/events/live.ts";
import { Seq } from "#shared/lib/ids.ts";
import { createGrowingReducer } from "#shared/session/reduce.ts";
import type { SessionView } from "#shared/session/view.ts";
import type { Clock } from "#electron/lib/clock.ts";
import type { SessionLog, SessionNews } from "./contract.ts";

export interface SessionCore {
  view(): SessionView;
  append(events: readonly SessionEvent[]): Promise<void>;
  live(event: LiveEvent): void;
  follow(listener: (news: SessionNews) => void): Disposable;
  eventsFrom(seq: Seq): Promise<readonly StoredEvent[]>;
}

export type CoreDeps = { readonly log: SessionLog; readonly view: SessionView; readonly clock: Clock; changed(view: SessionView): void };

export function createCore(deps: CoreDeps): SessionCore {
  let view = deps.view;
  const reduce = createGrowingReducer();
  const listeners = new Set<(news: SessionNews) => void>();
  const publish = (news: SessionNews) => {
    for (const listener of listeners) listener(news);
  };
  return {
    view: () => view,
    live: (event) => publish({ kind: "live", event }),
    async append(events) {
      if (events.length === 0) return;
      const at = deps.clock.now();
      const written = deps.log.append(events);
      const first = deps.log.head - events.length + 1;
      await written;
      events.forEach((event, index) => {
        const stored: StoredEvent = { seq: Seq.parse(first + index), at, event };
        view = reduce(view, stored);
        publish({ kind: "stored", stored });
      });
      deps.changed(view);
    },
    follow(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    async eventsFrom(seq) {
      const events: StoredEvent[] = [];
      for await (const stored of deps.log.read(seq)) events.push(stored);
      return events;
    },
  };
}
