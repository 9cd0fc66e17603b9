// Follows a session: stored events in order and without holes, live events in between (S1).
// A hole or a lost connection makes it ask again from the last event it has; nobody above has to know.
import type { z } from "zod";
import type { contract } from "#shared/ipc/contract.ts";
import { Seq, type SessionId } from "#shared/lib/ids.ts";
import type { Client } from "./client.ts";

export type FollowItem = z.infer<typeof contract.sessions.follow.item>[number];
type EventItem = Exclude<FollowItem, { kind: "unavailable" }>;

export type FollowDeps = {
  readonly follow: Client["sessions"]["follow"];
  /** Runs `action` after `ms`; the answer cancels it. */
  readonly later: (action: () => void, ms: number) => () => void;
};
export type FollowListener = { readonly onEvents: (items: readonly EventItem[]) => void; readonly onUnavailable: (message: string) => void };

const RETRY_FIRST_MS = 100;
const RETRY_MAX_MS = 5_000;

/** Starts after event `from`; ends when disposed. */
export function followSession(deps: FollowDeps, key: { readonly session: SessionId; readonly from: Seq }, listener: FollowListener): Disposable {
  let last: number = key.from;
  let retryMs = RETRY_FIRST_MS;
  let ended = false;
  let current: Disposable | undefined;
  let cancelRetry: () => void = () => undefined;

  const reopen = (): void => {
    current?.[Symbol.dispose]();
    current = undefined;
    cancelRetry();
    cancelRetry = deps.later(open, retryMs);
    retryMs = Math.min(retryMs * 2, RETRY_MAX_MS);
  };
  const take = (items: readonly FollowItem[]): void => {
    const accepted: EventItem[] = [];
    let hole = false;
    for (const item of items) {
      if (item.kind === "unavailable") {
        listener.onUnavailable(item.message);
        continue;
      }
      if (item.kind === "stored") {
        if (item.stored.seq <= last) continue;
        hole = item.stored.seq !== last + 1;
        if (hole) break;
        last = item.stored.seq;
        retryMs = RETRY_FIRST_MS;
      }
      accepted.push(item);
    }
    if (accepted.length > 0) listener.onEvents(accepted);
    if (hole) reopen();
  };
  const open = (): void => {
    if (ended) return;
    let stale = false;
    const handle = deps.follow(
      { session: key.session, from: Seq.parse(last) },
      (items) => !stale && !ended && take(items),
      () => !stale && !ended && reopen(),
    );
    current = {
      [Symbol.dispose]: () => {
        stale = true;
        handle[Symbol.dispose]();
      },
    };
  };

  open();
  return {
    [Symbol.dispose]: () => {
      ended = true;
      cancelRetry();
      current?.[Symbol.dispose]();
    },
  };
}
