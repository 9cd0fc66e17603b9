// One open store, in the worker: each question runs alone, holding the folder's lock, on an index that is up to date.
import type { CheckpointCause, RollbackFailure } from "#shared/checkpoints/checkpoint.ts";
import type { FileDiff } from "#shared/tools/card.ts";
import { CheckpointId } from "#shared/lib/ids.ts";
import { err, ok, type Result } from "#shared/lib/result.ts";
import { carryOut, failureOf } from "./apply.ts";
import { foldPath } from "./attribution.ts";
import { DamagedBlob, hashOf } from "./blobs.ts";
import { netChanges } from "./change-log.ts";
import { collect, setApart, storeBytes, verify } from "./collect.ts";
import { contentOf, createMarks, type Mark, type Marks, shownPath } from "./marks.ts";
import type { OpenStore } from "./open-store.ts";
import { readMeta, type StoreParts } from "./parts.ts";
import { relativePath } from "./paths.ts";
import { isPicked, isSamePlan, makePlan, type Plan, type PlanRequest } from "./plan.ts";
import { recover } from "./recover.ts";
import { scan } from "./scan.ts";
import { fileDiff, isBinary } from "./text-compare.ts";
import type { Progress, Recovered, StoreStats, ThreeWay } from "./verbs.ts";

export type Asking = { readonly signal: AbortSignal; readonly onProgress: (progress: Progress) => void };
export type TakeOrder = { readonly id: string; readonly at: number; readonly cause: CheckpointCause; readonly session: string };
export type EngineTake = { kind: "taken"; checkpoint: Mark["checkpoint"] } | { kind: "unchanged"; checkpoint: CheckpointId } | { kind: "failed"; why: string };
export type PlanOrder = Omit<PlanRequest, "target" | "session"> & { readonly target: string; readonly session: string | undefined };
type Answer<T> = Promise<Result<T, RollbackFailure>>;

const KEPT_PLANS = 50;

export function createEngine(store: OpenStore) {
  const { parts, lock, watching } = store;
  const marks = createMarks(parts);
  const plans = new Map<string, Plan>();
  let queue: Promise<unknown> = Promise.resolve();
  let waitingTakes = 0;
  let generation = readMeta(parts.db, "generation");
  let recovered: Recovered | undefined;

  /** One after the other; another process's writes are taken in first. */
  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = queue.then(() =>
      lock.hold(async () => {
        if (readMeta(parts.db, "generation") !== generation) {
          parts.index.reload();
          parts.blobs.doubt();
        }
        recovered = recover(parts) ?? recovered;
        try {
          return await work();
        } finally {
          generation = readMeta(parts.db, "generation");
        }
      }),
    );
    queue = mine.catch(() => {});
    return mine;
  };
  const answered = async <T>(work: () => Answer<T>): Answer<T> => {
    try {
      return await alone(work);
    } catch (error) {
      if (error instanceof DamagedBlob) {
        setApart(parts, error.hash);
        watching.failed();
      }
      return err(failureOf(error));
    }
  };
  const look = async (asking: Asking, everything = false): Promise<void> => {
    const isFirst = marks.current() === undefined;
    const where = await watching.collect(everything || isFirst);
    try {
      const only = where.kind === "only" ? where.paths : undefined;
      const changed = await scan(parts, { signal: asking.signal, isFirst, only, watching, onProgress: asking.onProgress });
      if (where.kind === "all") await watching.walked(changed);
    } catch (error) {
      watching.failed();
      throw error;
    }
  };
  const unknown = (id: string) => err<RollbackFailure>({ kind: "unknown_checkpoint", paths: [], message: `There is no checkpoint ${id} any more.` });

  const take = async (order: TakeOrder, asking: Asking): Promise<EngineTake> => {
    waitingTakes += 1;
    try {
      return await alone(() => takeNow(parts, marks, order, () => look(asking, order.cause.kind === "turn_start")));
    } catch (error) {
      return { kind: "failed", why: failureOf(error).message };
    } finally {
      waitingTakes -= 1;
    }
  };
  const keepPlan = (plan: Plan) => {
    plans.set(plan.request.plan, plan);
    for (const id of [...plans.keys()].slice(0, -KEPT_PLANS)) plans.delete(id);
  };

  return {
    recovered: () => alone(async () => recovered ?? null),
    take,
    list: async () => marks.all().map((mark) => mark.checkpoint),
    get: async (id: string) => marks.get(id)?.checkpoint,
    diff: (order: { readonly from: string; readonly to: string; readonly paths: readonly string[] | undefined }, asking: Asking): Answer<FileDiff[]> =>
      answered(async () => {
        const from = marks.get(order.from);
        const to = order.to === "folder" ? undefined : marks.get(order.to);
        if (from === undefined) return unknown(order.from);
        if (order.to !== "folder" && to === undefined) return unknown(order.to);
        if (to === undefined) await look(asking);
        return ok(diffBetween(parts, from.position, to?.position ?? parts.log.head(), cleanPaths(parts, order.paths)));
      }),
    plan: (order: PlanOrder, asking: Asking) =>
      answered(async () => {
        const target = marks.get(order.target);
        if (target === undefined) return unknown(order.target);
        await look(asking);
        const plan = makePlan(parts, {
          ...order,
          target,
          session: order.session ?? target.session,
          files: cleanPaths(parts, order.files),
          overwrite: cleanPaths(parts, order.overwrite) ?? [],
        });
        keepPlan(plan);
        return ok(plan.preview);
      }),
    threeWay: (order: { readonly plan: string; readonly path: string }): Answer<ThreeWay> =>
      answered(async () => {
        const plan = plans.get(order.plan);
        return plan === undefined ? err(STALE) : ok(threeWay(parts, plan, order.path));
      }),
    apply: (order: { readonly plan: string; readonly session: string; readonly before: string; readonly at: number }, asking: Asking) =>
      answered(async () => {
        const plan = plans.get(order.plan);
        if (plan === undefined) return err(STALE);
        await look(asking);
        const fresh = makePlan(parts, plan.request);
        if (!isSamePlan(plan, fresh)) return err(STALE);
        return applyNow(parts, marks, fresh, { ...order, ...asking });
      }),
    beginCall(window: {
      readonly call: string;
      readonly session: string;
      readonly turn: string | undefined;
      readonly declared: readonly string[] | undefined;
      readonly background: boolean;
      readonly at: number;
    }) {
      const { at, declared, ...rest } = window;
      const paths = cleanPaths(parts, declared)?.map((path) => foldPath(path, parts.platform));
      parts.calls.open({ ...rest, declared: paths, opened: at });
    },
    async endCall(order: { readonly call: string; readonly at: number }, asking: Asking) {
      parts.calls.close(order.call, order.at);
      // a look that a waiting checkpoint is about to take anyway is not taken twice
      if (waitingTakes > 0 || marks.current() === undefined) return;
      await alone(() => look(asking));
    },
    pin: (id: string, pinned: boolean) => alone(async () => marks.pin(id, pinned)),
    stats: () => answered(async () => ok(statsOf(parts, marks, watching.off))),
    collect: (order: { readonly maxBytes: number; readonly maxAgeMs: number; readonly keep: readonly string[]; readonly at: number }) =>
      answered(async () => ok(collect(parts, marks, order))),
    verify: () =>
      answered(async () => {
        const verified = verify(parts);
        // what still stands in the folder is read again at the next look
        if (verified.damaged.length > 0) watching.failed();
        return ok(verified);
      }),
    async close() {
      await queue.catch(() => {});
      store.close();
    },
  };
}
export type Engine = ReturnType<typeof createEngine>;

const STALE: RollbackFailure = { kind: "stale_plan", paths: [], message: "The folder changed since the preview, or the preview is gone. Look at it again." };

async function takeNow(parts: StoreParts, marks: Marks, order: TakeOrder, look: () => Promise<unknown>): Promise<EngineTake> {
  const { cause, session, at } = order;
  await look();
  parts.calls.forgetImplied(session, cause.call);
  if (cause.kind === "before_call" && cause.call !== undefined) {
    parts.calls.imply({ call: cause.call, session, turn: cause.turn, declared: undefined, background: false, opened: at });
  }
  const current = marks.current();
  if (current !== undefined && marks.pending().length === 0) return { kind: "unchanged", checkpoint: current.checkpoint.id };
  return { kind: "taken", checkpoint: marks.add(order).checkpoint };
}

async function applyNow(
  parts: StoreParts,
  marks: Marks,
  plan: Plan,
  order: { readonly session: string; readonly before: string; readonly at: number } & Asking,
): Answer<{ before: Mark["checkpoint"]; files: string[] }> {
  const { request, wishes } = plan;
  const { target } = request;
  const previous = marks.current();
  const before = marks.add({ id: order.before, at: order.at, session: order.session, cause: { kind: "rollback", label: target.checkpoint.cause.label } });
  const isWhole = request.files === undefined && request.turns === undefined;
  const failure = await carryOut(parts, {
    ...order,
    journal: hashOf(Buffer.from(request.plan)).slice(0, 12),
    wishes,
    record: ({ started, ended }) => {
      if (request.turns !== undefined) return;
      parts.db.run("INSERT INTO rollbacks(target, started, ended, files) VALUES(?,?,?,?)", [
        target.position,
        started,
        ended,
        JSON.stringify(request.files ?? null),
      ]);
      if (isWhole && request.scope !== "conversation") marks.setCurrent(target.checkpoint.id);
    },
  });
  if (failure === undefined)
    return ok({ before: before.checkpoint, files: wishes.map((wish) => shownPath({ path: wish.path, before: wish.now, after: wish.want })) });
  marks.remove(before.checkpoint.id);
  if (previous !== undefined) marks.setCurrent(previous.checkpoint.id);
  return err(failure);
}

function cleanPaths(parts: StoreParts, paths: readonly string[] | undefined): readonly string[] | undefined {
  return paths?.flatMap((path) => relativePath(parts.root, path, parts.platform) ?? []);
}

function diffBetween(parts: StoreParts, from: number, to: number, paths: readonly string[] | undefined): FileDiff[] {
  const isBackwards = from > to;
  return netChanges(parts.log.between(Math.min(from, to), Math.max(from, to)))
    .filter((change) => isPicked(change.path, paths) && change.rows.some((row) => row.author.who !== "coverage"))
    .filter((change) => (change.after ?? change.before)?.kind !== "dir")
    .map((change) => {
      const [before, after] = isBackwards ? [change.after, change.before] : [change.before, change.after];
      const isHeld = before?.kind !== "opaque" && after?.kind !== "opaque";
      if (!isHeld) return { path: change.path, added: 0, removed: 0, hunks: [], binary: true };
      return fileDiff(change.path, contentOf(parts, before), contentOf(parts, after), parts.limits);
    });
}

function threeWay(parts: StoreParts, plan: Plan, given: string): ThreeWay {
  const path = relativePath(parts.root, given, parts.platform) ?? given;
  const then = parts.log.stateAt(path, plan.request.target.position);
  const now = parts.index.get(path)?.entry;
  const sides = { now: contentOf(parts, now), target: contentOf(parts, then === undefined ? now : then.state) };
  const isOdd = [sides.now, sides.target].some((bytes) => bytes !== undefined && (isBinary(bytes) || bytes.length > parts.limits.maxTextBytes));
  if (isOdd) return { binary: true };
  const text = (bytes: Uint8Array | undefined) => (bytes === undefined ? undefined : Buffer.from(bytes).toString("utf8"));
  return { now: text(sides.now), target: text(sides.target), binary: false };
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
  };
}
