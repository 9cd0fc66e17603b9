// What the main thread asks of the worker that holds the stores. Each question carries which store it is about, so that a worker
// that was started anew opens it by itself.
import { z } from "zod";
import { Checkpoint, CheckpointCause, RollbackFailure, RollbackPreview, RollbackScope } from "#shared/checkpoints/checkpoint.ts";
import { CheckpointId } from "#shared/lib/ids.ts";
import { FileDiff } from "#shared/tools/card.ts";
import type { CheckpointLimits } from "./limits.ts";

const count = z.number();

export const StoreConfig = z.object({
  /** real path, `/` as separator */
  root: z.string(),
  folder: z.string(),
  platform: z.custom<NodeJS.Platform>((value) => typeof value === "string"),
  pid: z.number(),
  limits: z.custom<CheckpointLimits>((value) => typeof value === "object" && value !== null),
  excluded: z.array(z.string()),
});
export type StoreConfig = z.infer<typeof StoreConfig>;

export const Recovered = z.object({
  /**
   * `reverted`: a roll-back had been interrupted, every file is as before it. `finished`: it had been done, only its leftovers
   * were cleaned up. `stuck`: some files cannot be put back yet. `store_isolated`: the store was damaged, it was set apart and a
   * new one begun.
   */
  kind: z.enum(["reverted", "finished", "stuck", "store_isolated"]),
  paths: z.array(z.string()),
});
export type Recovered = z.infer<typeof Recovered>;

/** What the person should hear of, once. `damaged`: found in the store; `points`: how many cannot be gone back to. */
export const StoreNews = z.union([
  Recovered,
  z.object({ kind: z.literal("remote"), paths: z.array(z.string()) }),
  z.object({ kind: z.literal("damaged"), paths: z.array(z.string()), points: count }),
]);
export type StoreNews = z.infer<typeof StoreNews>;

const of = <T extends z.ZodRawShape>(shape: T) => z.object({ config: StoreConfig, ...shape });
const result = <T extends z.ZodType>(value: T) =>
  z.union([z.object({ ok: z.literal(true), value }), z.object({ ok: z.literal(false), error: RollbackFailure })]);

export const StoreStats = z.object({
  bytes: count,
  checkpoints: count,
  pinned: count,
  oldest: count.optional(),
  /** why each look is a walk; absent while the system tells what changed */
  watchingOff: z.string().optional(),
  files: count,
  protectedBytes: count,
  damaged: count,
  damagedPaths: z.array(z.string()),
  lostPoints: count,
});
export type StoreStats = z.infer<typeof StoreStats>;
export const Collected = z.object({ freedBytes: count, removed: z.array(CheckpointId) });
export type Collected = z.infer<typeof Collected>;
export const Verified = z.object({ checked: count, damaged: z.array(z.object({ hash: z.string(), paths: z.array(z.string()) })) });
export type Verified = z.infer<typeof Verified>;
export const ThreeWay = z.object({ now: z.string().optional(), target: z.string().optional(), before: z.string().optional(), binary: z.boolean() });
export type ThreeWay = z.infer<typeof ThreeWay>;

export const verbs = {
  open: { input: of({}), output: result(Recovered.nullable()) },
  take: {
    input: of({ id: z.string(), at: count, cause: CheckpointCause, session: z.string() }),
    output: z.union([
      z.object({ kind: z.literal("taken"), checkpoint: Checkpoint }),
      z.object({ kind: z.literal("unchanged"), checkpoint: CheckpointId }),
      z.object({ kind: z.literal("failed"), why: z.string() }),
    ]),
  },
  list: { input: of({}), output: z.array(Checkpoint) },
  get: { input: of({ id: z.string() }), output: Checkpoint.nullable() },
  diff: { input: of({ from: z.string(), to: z.string(), paths: z.array(z.string()).optional() }), output: result(z.array(FileDiff)) },
  plan: {
    input: of({
      plan: z.string(),
      target: z.string(),
      scope: RollbackScope,
      session: z.string().optional(),
      exact: z.boolean(),
      files: z.array(z.string()).optional(),
      turns: z.array(z.string()).optional(),
      hunks: z.array(z.object({ path: z.string(), hunks: z.array(count) })),
      overwrite: z.array(z.string()),
    }),
    output: result(RollbackPreview),
  },
  planIncoming: {
    input: of({
      plan: z.string(),
      session: z.string(),
      from: StoreConfig,
      since: z.array(z.object({ checkpoint: z.string(), files: z.array(z.string()).optional() })),
      files: z.array(z.string()).optional(),
      overwrite: z.array(z.string()),
      reverse: z.boolean(),
    }),
    output: result(RollbackPreview),
  },
  others: {
    input: of({ since: z.string(), session: z.string(), paths: z.array(z.string()) }),
    output: result(z.array(z.object({ path: z.string(), session: z.string() }))),
  },
  threeWay: { input: of({ plan: z.string(), path: z.string() }), output: result(ThreeWay) },
  apply: {
    input: of({ plan: z.string(), session: z.string(), before: z.string(), at: count }),
    output: result(z.object({ before: Checkpoint, files: z.array(z.string()) })),
  },
  beginCall: {
    input: of({
      call: z.string(),
      session: z.string(),
      turn: z.string().optional(),
      declared: z.array(z.string()).optional(),
      background: z.boolean(),
      at: count,
    }),
    output: z.null(),
  },
  endCall: { input: of({ call: z.string(), at: count }), output: z.null() },
  pin: { input: of({ id: z.string(), pinned: z.boolean() }), output: z.boolean() },
  stats: { input: of({}), output: result(StoreStats) },
  collect: { input: of({ maxBytes: count, maxAgeMs: count, keep: z.array(z.string()), at: count }), output: result(Collected) },
  news: { input: of({}), output: result(z.array(StoreNews)) },
  verify: { input: of({}), output: result(Verified) },
  close: { input: of({}), output: z.null() },
} as const;

export const Progress = z.object({ done: count, of: count });
export type Progress = z.infer<typeof Progress>;
