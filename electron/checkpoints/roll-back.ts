// Previews and roll-backs of one store (K6, K7): a plan is kept under its id, and only a plan that would still do the same is
// carried out.
import type { Checkpoint, RollbackFailure } from "#shared/checkpoints/checkpoint.ts";
import { err, ok } from "#shared/lib/result.ts";
import { carryOut } from "./apply.ts";
import { hashOf } from "./blob-format.ts";
import type { State } from "./entry.ts";
import { type ContentSource, type Incoming, takeIn } from "./incoming.ts";
import { contentOf, type Marks, shownPath } from "./marks.ts";
import type { StoreParts } from "./parts.ts";
import { cleanPaths, relativePath } from "./paths.ts";
import { isSamePlan, makePlan, type Plan, type PlanRequest } from "./plan.ts";
import type { Answer, Asking, StoreWork } from "./store-work.ts";
import { ANY_SESSION } from "./rebase.ts";
import { sumOf } from "./row-sum.ts";
import { isBinary } from "./text-compare.ts";
import type { ThreeWay } from "./verbs.ts";

export type PlanOrder = Omit<PlanRequest, "target" | "session"> & { readonly target: string; readonly session: string | undefined };
export type RollBackOrder = { readonly plan: string; readonly session: string; readonly before: string; readonly at: number };
export type IncomingOrder = {
  readonly plan: string;
  readonly session: string;
  readonly files: readonly string[] | undefined;
  readonly overwrite: readonly string[];
  readonly incoming: readonly Incoming[];
  readonly source: ContentSource;
};
type RolledBack = { before: Checkpoint; files: string[] };

const KEPT_PLANS = 50;
const NO_POINT: RollbackFailure = {
  kind: "unknown_checkpoint",
  paths: [],
  message: "The folder has no checkpoint yet, so nothing could be undone. Take one first.",
};
const STALE: RollbackFailure = { kind: "stale_plan", paths: [], message: "The folder changed since the preview, or the preview is gone. Look at it again." };
export const unknownCheckpoint = (id: string): RollbackFailure => ({
  kind: "unknown_checkpoint",
  paths: [],
  message: `There is no checkpoint ${id} any more.`,
});

export function createRollBack(parts: StoreParts, marks: Marks, work: StoreWork) {
  const plans = new Map<string, Plan>();
  const keep = (plan: Plan) => {
    plans.set(plan.request.plan, plan);
    for (const id of [...plans.keys()].slice(0, -KEPT_PLANS)) plans.delete(id);
  };
  return {
    plan: (order: PlanOrder, asking: Asking) =>
      work.answered(async () => {
        const target = marks.get(order.target);
        if (target === undefined) return err(unknownCheckpoint(order.target));
        await work.look(asking);
        const clean = (paths: readonly string[]) => cleanPaths(paths, parts);
        const plan = makePlan(parts, {
          ...order,
          target,
          session: order.session ?? target.session,
          files: order.files === undefined ? undefined : clean(order.files),
          overwrite: clean(order.overwrite),
          hunks: order.hunks.flatMap((one) => clean([one.path]).map((path) => ({ path, hunks: one.hunks }))),
        });
        keep(plan);
        return ok(plan.preview);
      }),
    /** The same for the work of a copy; `read` gives its contents. */
    planIncoming: (order: IncomingOrder, asking: Asking) =>
      work.answered(async () => {
        await work.look(asking);
        const target = marks.current();
        if (target === undefined) return err(NO_POINT);
        takeIn(parts, order.incoming, order.source);
        const { plan: id, session, files, overwrite, incoming } = order;
        const plan = makePlan(parts, { plan: id, target, scope: "files", session, exact: false, turns: undefined, files, hunks: [], overwrite, incoming });
        keep(plan);
        return ok(plan.preview);
      }),
    threeWay: (order: { readonly plan: string; readonly path: string }): Answer<ThreeWay> =>
      work.answered(async () => {
        const plan = plans.get(order.plan);
        return plan === undefined ? err(STALE) : ok(threeWay(parts, plan, order.path));
      }),
    apply: (order: RollBackOrder, asking: Asking): Answer<RolledBack> =>
      work.answered(async () => {
        const plan = plans.get(order.plan);
        if (plan === undefined) return err(STALE);
        await work.look(asking);
        // contents were read for the preview, and are again when they are laid in place
        const fresh = makePlan(parts, plan.request, (hash) => parts.blobs.has(hash));
        return isSamePlan(plan, fresh) ? rollBack(parts, marks, fresh, { ...order, ...asking }) : err(STALE);
      }),
  };
}

async function rollBack(parts: StoreParts, marks: Marks, plan: Plan, order: RollBackOrder & Asking): Answer<RolledBack> {
  const { request, wishes } = plan;
  const { target } = request;
  const previous = marks.current();
  const before = marks.add({ id: order.before, at: order.at, session: order.session, cause: { kind: "rollback", label: target.checkpoint.cause.label } });
  const failure = await carryOut(parts, {
    ...order,
    journal: hashOf(Buffer.from(request.plan)).slice(0, 12),
    wishes,
    record: (positions) => recordRollBack(parts, marks, request, positions),
  });
  if (failure === undefined)
    return ok({ before: before.checkpoint, files: wishes.map((wish) => shownPath({ path: wish.path, before: wish.now, after: wish.want })) });
  marks.remove(before.checkpoint.id);
  if (previous !== undefined) marks.setCurrent(previous.checkpoint.id);
  return err(failure);
}

function recordRollBack(parts: StoreParts, marks: Marks, request: PlanRequest, { started, ended }: { readonly started: number; readonly ended: number }): void {
  const { target, files, turns, scope } = request;
  // where only single turns or hunks went back, what is left of the work is still its author's
  if (scope === "conversation" || turns !== undefined || files?.length === 0 || request.incoming !== undefined) return;
  const session = request.exact || request.session === ANY_SESSION ? null : request.session;
  const values = [target.position, started, ended, JSON.stringify(files ?? null), session];
  parts.db.run("INSERT INTO rollbacks(target, started, ended, files, session, sum) VALUES(?,?,?,?,?,?)", [...values, sumOf(values)]);
  if (files === undefined) marks.setCurrent(target.checkpoint.id);
}

/** What the plan would put there: the point's state, or the copy's. */
function otherSide(parts: StoreParts, { request }: Plan, path: string, now: State): State {
  const incoming = request.incoming?.find((one) => one.path === path);
  if (incoming !== undefined) return incoming.theirs;
  const then = parts.log.stateAt(path, request.target.position);
  return then === undefined ? now : then.state;
}

function threeWay(parts: StoreParts, plan: Plan, given: string): ThreeWay {
  const path = relativePath(parts.root, given, parts.platform) ?? given;
  const now = parts.index.get(path)?.entry;
  const sides = { now: contentOf(parts, now), target: contentOf(parts, otherSide(parts, plan, path, now)) };
  const isOdd = [sides.now, sides.target].some((bytes) => bytes !== undefined && (isBinary(bytes) || bytes.length > parts.limits.maxTextBytes));
  if (isOdd) return { binary: true };
  const text = (bytes: Uint8Array | undefined) => (bytes === undefined ? undefined : Buffer.from(bytes).toString("utf8"));
  return { now: text(sides.now), target: text(sides.target), binary: false };
}
