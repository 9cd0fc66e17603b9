// One open store, in the worker: checkpoints, calls and questions about them. Previews and roll-backs are in roll-back.ts.
import type { Checkpoint, CheckpointCause } from "#shared/checkpoints/checkpoint.ts";
import type { CheckpointId } from "#shared/lib/ids.ts";
import { err, ok } from "#shared/lib/result.ts";
import type { FileDiff } from "#shared/tools/card.ts";
import { foldPath } from "./attribution.ts";
import { netChanges } from "./change-log.ts";
import { type CollectOrder, collect, storeBytes, verify } from "./collect.ts";
import { failureOf } from "./failure.ts";
import { contentOf, createMarks, type Marks } from "./marks.ts";
import { type ContentSource, type Incoming, outgoing, type Since } from "./incoming.ts";
import type { OpenStore } from "./open-store.ts";
import type { StoreParts } from "./parts.ts";
import { cleanPaths } from "./paths.ts";
import { isPicked, unlessDamaged } from "./plan.ts";
import { createRollBack, unknownCheckpoint } from "./roll-back.ts";
import { createSelfCheck, lostPaths, lostPoints } from "./self-check.ts";
import { type CheckRuns, createCheckRuns } from "./check-runs.ts";
import { type Answer, type Asking, createStoreWork, type StoreWork } from "./store-work.ts";
import { fileDiff } from "./text-compare.ts";
import { keepUntold, takeUntold } from "./untold.ts";
import type { Recovered, StoreStats } from "./verbs.ts";

export type TakeOrder = { readonly id: string; readonly at: number; readonly cause: CheckpointCause; readonly session: string };
export type EngineTake = { kind: "taken"; checkpoint: Checkpoint } | { kind: "unchanged"; checkpoint: CheckpointId } | { kind: "failed"; why: string };
export type CallOrder = {
  readonly call: string;
  readonly session: string;
  readonly turn: string | undefined;
  readonly declared: readonly string[] | undefined;
  readonly background: boolean;
  readonly at: number;
};
export type Engine = ReturnType<typeof createEngine>;

export function createEngine(store: OpenStore) {
  const { parts, watching } = store;
  const marks = createMarks(parts);
  const work = createStoreWork(store, marks);
  const selfCheck = createCheckRuns(work, createSelfCheck(parts, marks), ({ paths, points }) => {
    keepUntold(parts.db, { kind: "damaged", paths: [...paths], points });
    // what still stands in the folder is read again at the next look
    watching.failed();
  });
  return {
    ...createTaking(parts, marks, work, selfCheck),
    ...createRollBack(parts, marks, work),
    recovered: () => work.recovered(),
    isBroken: () => work.isBroken,
    /** What was met at the opening; `news` tells it to whoever asks first. */
    tell: (recovered: Recovered) => keepUntold(parts.db, recovered),
    news: () => takeUntold(parts.db),
    list: async () => marks.all().map((mark) => mark.checkpoint),
    get: async (id: string) => marks.get(id)?.checkpoint,
    diff: (order: { readonly from: string; readonly to: string; readonly paths: readonly string[] | undefined }, asking: Asking): Answer<FileDiff[]> =>
      work.answered(async () => {
        const from = marks.get(order.from);
        const to = order.to === "folder" ? undefined : marks.get(order.to);
        if (from === undefined) return err(unknownCheckpoint(order.from));
        if (order.to !== "folder" && to === undefined) return err(unknownCheckpoint(order.to));
        if (to === undefined) await work.look(asking);
        const paths = order.paths === undefined ? undefined : cleanPaths(order.paths, parts);
        return ok(diffBetween(parts, from.position, to?.position ?? parts.log.head(), paths));
      }),
    /** What was done here since: for the folder of which this one is a copy (K8). */
    outgoing: (since: readonly Since[], asking: Asking): Answer<readonly Incoming[]> =>
      work.answered(async () => {
        await work.look(asking);
        const found = outgoing(parts, marks, since);
        return found === undefined ? err(unknownCheckpoint(since[0]?.checkpoint ?? "")) : ok(found);
      }),
    /** Agents of other sessions that changed these paths since a point (K8). No look is taken: the checkpoint before a call was one. */
    others: (order: { readonly since: string; readonly session: string; readonly paths: readonly string[] }): Answer<{ path: string; session: string }[]> =>
      work.answered(async () => {
        const from = marks.get(order.since)?.position;
        return from === undefined ? ok([]) : ok(othersSince(parts, from, order));
      }),
    contents: (): ContentSource => parts.blobs,
    pin: (id: string, pinned: boolean) => work.alone(async () => marks.pin(id, pinned)),
    stats: () => work.answered(async () => ok(statsOf(parts, marks, watching.off))),
    collect: (order: CollectOrder) => work.answered(async () => ok(collect(parts, marks, order))),
    verify: () =>
      work.answered(async () => {
        const verified = verify(parts);
        // what still stands in the folder is read again at the next look
        if (verified.damaged.length > 0) watching.failed();
        return ok(verified);
      }),
    async close() {
      selfCheck.stop();
      await work.settled();
      store.close();
    },
  };
}

function createTaking(parts: StoreParts, marks: Marks, work: StoreWork, selfCheck: CheckRuns) {
  const keepBounds = createBounds(parts, marks);
  let waitingTakes = 0;
  const tidyUp = async (at: number) => {
    await work.alone(() => keepBounds(at)).catch(triedAgainNextTurn);
    await selfCheck.run(at);
  };
  return {
    async take(order: TakeOrder, asking: Asking): Promise<EngineTake> {
      waitingTakes += 1;
      selfCheck.pause();
      try {
        return await work.alone(async () => {
          // the start of a turn checks what the system told since the last one
          await work.look(asking, order.cause.kind === "turn_start");
          return takeNow(parts, marks, order);
        });
      } catch (error) {
        return { kind: "failed", why: failureOf(error).message };
      } finally {
        waitingTakes -= 1;
        if (order.cause.kind === "turn_end") void tidyUp(order.at);
      }
    },
    beginCall({ at, declared, ...call }: CallOrder) {
      const paths = declared === undefined ? undefined : cleanPaths(declared, parts).map((path) => foldPath(path, parts.platform));
      parts.calls.open({ ...call, declared: paths, opened: at });
    },
    async endCall(order: { readonly call: string; readonly at: number }, asking: Asking) {
      parts.calls.close(order.call, order.at);
      // a look that a waiting checkpoint is about to take anyway is not taken twice
      if (waitingTakes > 0 || marks.current() === undefined) return;
      await work.alone(() => work.look(asking));
    },
  };
}

function takeNow(parts: StoreParts, marks: Marks, order: TakeOrder): EngineTake {
  const { cause, session, at } = order;
  parts.calls.forgetImplied(session, cause.call);
  if (cause.kind === "before_call" && cause.call !== undefined) {
    parts.calls.imply({ call: cause.call, session, turn: cause.turn, declared: undefined, background: false, opened: at });
  }
  const current = marks.current();
  if (current !== undefined && marks.pending().length === 0) return { kind: "unchanged", checkpoint: current.checkpoint.id };
  return { kind: "taken", checkpoint: marks.add(order).checkpoint };
}

const WORTH_ANOTHER = 1.1;
const triedAgainNextTurn = () => {};

/** After a turn, when nobody waits: keeps the store within its bounds (K9). */
function createBounds(parts: StoreParts, marks: Marks): (at: number) => Promise<void> {
  // what a collection could not bring below the bound; it is not tried again for the same
  let leftOver = 0;
  return async (at) => {
    const { maxStoreBytes, maxAgeMs } = parts.limits;
    if (storeBytes(parts) <= Math.max(maxStoreBytes, leftOver) && !marks.hasForgettable(at - maxAgeMs)) return;
    collect(parts, marks, { maxBytes: maxStoreBytes, maxAgeMs, keep: [], at });
    leftOver = storeBytes(parts) * WORTH_ANOTHER;
  };
}

function othersSince(
  parts: StoreParts,
  from: number,
  order: { readonly session: string; readonly paths: readonly string[] },
): { path: string; session: string }[] {
  const paths = new Set(cleanPaths(order.paths, parts));
  const found = new Map<string, string>();
  for (const { path, author } of parts.log.between(from, parts.log.head())) {
    if (author.session !== undefined && author.session !== order.session && author.who === "agent" && paths.has(path)) found.set(path, author.session);
  }
  return [...found].map(([path, session]) => ({ path, session }));
}

function diffBetween(parts: StoreParts, from: number, to: number, paths: readonly string[] | undefined): FileDiff[] {
  const isBackwards = from > to;
  return netChanges(parts.log.between(Math.min(from, to), Math.max(from, to)))
    .filter((change) => isPicked(change.path, paths) && change.rows.some((row) => row.author.who !== "coverage"))
    .filter((change) => (change.after ?? change.before)?.kind !== "dir")
    .map((change) => {
      const [before, after] = isBackwards ? [change.after, change.before] : [change.before, change.after];
      const isHeld = before?.kind !== "opaque" && after?.kind !== "opaque";
      const unseen = { path: change.path, added: 0, removed: 0, hunks: [], binary: true };
      if (!isHeld) return unseen;
      return unlessDamaged(() => fileDiff(change.path, contentOf(parts, before), contentOf(parts, after), parts.limits)) ?? unseen;
    });
}

function statsOf(parts: StoreParts, marks: Marks, watchingOff: string | undefined): StoreStats {
  const all = marks.all();
  const { files, bytes } = parts.index.totals();
  const oldest = all[0]?.checkpoint.at;
  return {
    bytes: storeBytes(parts),
    checkpoints: all.length,
    pinned: all.filter((mark) => mark.pinned).length,
    ...(oldest === undefined ? {} : { oldest }),
    ...(watchingOff === undefined ? {} : { watchingOff }),
    files,
    protectedBytes: bytes,
    damaged: parts.db.one("SELECT COUNT(*) FROM blobs WHERE bad = 1")?.number(0) ?? 0,
    damagedPaths: [...lostPaths(parts)],
    lostPoints: lostPoints(parts, marks),
  };
}
