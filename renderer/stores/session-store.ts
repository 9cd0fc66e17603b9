// One store per open session: the shared view plus the live tail. Events are gathered and applied once per frame (U3).
import { createStore, type StoreApi } from "zustand/vanilla";
import { type FollowDeps, type FollowItem, followSession } from "#renderer/bridge/follow.ts";
import { Seq, type SessionId } from "#shared/lib/ids.ts";
import { emptyView } from "#shared/session/empty-view.ts";
import { reduceAll } from "#shared/session/reduce.ts";
import type { SessionView } from "#shared/session/view.ts";
import { applyLive, type LiveTail, NO_LIVE, settleLive } from "./live-tail.ts";

export type SessionState = {
  readonly view: SessionView;
  readonly live: LiveTail;
  /** false until the first events came */
  readonly loaded: boolean;
  readonly unavailable: string | undefined;
};

export type SessionStore = StoreApi<SessionState> & Disposable;

export type SessionStoreDeps = FollowDeps & {
  /** Runs the action before the next paint; the answer cancels it. */
  readonly onFrame: (action: () => void) => () => void;
};

type EventItem = Exclude<FollowItem, { kind: "unavailable" }>;

/** Opens the session and keeps its store up to date until disposed. */
export function createSessionStore(deps: SessionStoreDeps, session: SessionId): SessionStore {
  const store = createStore<SessionState>(() => ({ view: emptyView(session), live: NO_LIVE, loaded: false, unavailable: undefined }));
  let gathered: EventItem[] = [];
  let cancelFrame: (() => void) | undefined;

  const flush = (): void => {
    const items = gathered;
    gathered = [];
    cancelFrame = undefined;
    store.setState((state) => applyAll(state, items));
  };
  const follower = followSession(
    deps,
    { session, from: Seq.parse(0) },
    {
      onEvents: (items) => {
        gathered.push(...items);
        cancelFrame ??= deps.onFrame(flush);
      },
      onUnavailable: (unavailable) => store.setState({ unavailable, loaded: true }),
    },
  );

  return Object.assign(store, {
    [Symbol.dispose]: () => {
      follower[Symbol.dispose]();
      cancelFrame?.();
    },
  });
}

function applyAll(state: SessionState, items: readonly EventItem[]): SessionState {
  const stored = items.flatMap((item) => (item.kind === "stored" ? [item.stored] : []));
  const live = mergeDeltas(items).reduce(
    (tail, item) => (item.kind === "live" ? applyLive(tail, item.event) : settleLive(tail, item.stored.event)),
    state.live,
  );
  return { view: reduceAll(state.view, stored), live, loaded: true, unavailable: undefined };
}

/** Joins neighbouring deltas of one kind, so that a frame costs one append however many small pieces came. */
function mergeDeltas(items: readonly EventItem[]): readonly EventItem[] {
  const merged: EventItem[] = [];
  for (const item of items) {
    const last = merged.at(-1);
    const joined = last === undefined ? undefined : joinDeltas(last, item);
    if (joined === undefined) merged.push(item);
    else merged[merged.length - 1] = joined;
  }
  return merged;
}

function joinDeltas(a: EventItem, b: EventItem): EventItem | undefined {
  if (a.kind !== "live" || b.kind !== "live") return undefined;
  if (b.event.type === "text_delta" && a.event.type === "text_delta" && a.event.reply === b.event.reply) {
    return { kind: "live", event: { ...b.event, text: a.event.text + b.event.text } };
  }
  if (b.event.type === "thinking_delta" && a.event.type === "thinking_delta" && a.event.reply === b.event.reply) {
    return { kind: "live", event: { ...b.event, text: a.event.text + b.event.text } };
  }
  return undefined;
}
