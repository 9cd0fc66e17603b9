// The main thread's side: refuses folders that must not be protected, and passes every question on to the worker. Does no work
// of its own, so that nothing here can hold up the window (K3).
import { createHash } from "node:crypto";
import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import type { RollbackFailure } from "#shared/checkpoints/checkpoint.ts";
import { CheckpointId } from "#shared/lib/ids.ts";
import { err, ok, type Result } from "#shared/lib/result.ts";
import type { Clock } from "#electron/lib/clock.ts";
import { createWorkerCalls, type WorkerCalls, type WorkerFailure } from "#electron/lib/worker-call.ts";
import type { CheckpointStore, CheckpointStores, StoreNews, StoreRecovery } from "./contract.ts";
import { codeOf } from "./error-code.ts";
import { type CheckpointLimits, DEFAULT_LIMITS } from "./limits.ts";
import { isBelow } from "./paths.ts";
import { type PlatformFacts, refuseFolder } from "./refuse.ts";
import { Progress, type StoreConfig, verbs } from "./verbs.ts";

export type Calls = WorkerCalls<typeof verbs>;

export type CheckpointStoresDeps = {
  /** the program's data folder; stores are made in `checkpoints` below it */
  readonly dataDir: string;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly facts: PlatformFacts & { readonly pid: number };
  /** the built `electron/workers/checkpoint-store.ts` */
  readonly workerFile: string | URL;
  /** instead of that worker; tests serve the calls in their own thread */
  readonly calls?: Calls;
  readonly limits?: Partial<CheckpointLimits>;
  /** the first protection of a folder takes a while (K3) */
  readonly onProgress?: (news: { readonly folder: string } & Progress) => void;
};

export function createCheckpointStores(deps: CheckpointStoresDeps): CheckpointStores {
  const dataDir = path.resolve(deps.dataDir);
  const opened = new Map<string, { readonly config: StoreConfig; handles: number }>();
  const line = deps.calls ?? createWorkerCalls(verbs, { file: deps.workerFile, clock: deps.clock });
  let closed = false;

  const release = async (root: string) => {
    const one = opened.get(root);
    if (one === undefined) return;
    one.handles -= 1;
    if (one.handles > 0) return;
    opened.delete(root);
    await line.call("close", { config: one.config });
  };

  // Each of two folders of which one lies in the other keeps its own points. Calls are told to both, so that in each the other's
  // work is known as another session's, and stays when one goes back (K5, D13).
  const overlapping = (root: string) => [...opened].flatMap(([other, { config }]) => (isBelow(root, other) || isBelow(other, root) ? [config] : []));

  return {
    async open(folder) {
      if (closed) return err({ kind: "io", paths: [folder], message: "The program is closing." });
      const found = await findFolder(folder, deps.facts);
      if (!found.ok) return found;
      const root = found.value;
      const config = opened.get(root)?.config ?? makeConfig(root, dataDir, deps);
      const answer = await line.call("open", { config });
      const recovery = flatten(answer);
      if (!recovery.ok) return recovery;
      const known = opened.get(root);
      if (known === undefined) opened.set(root, { config, handles: 1 });
      else known.handles += 1;
      const recovered = recovery.value ?? undefined;
      return ok(
        createStore({
          config,
          line,
          deps,
          recovered,
          around: () => overlapping(root),
          configOf: (other) => opened.get(other)?.config,
          release: () => release(root),
        }),
      );
    },
    async close() {
      closed = true;
      for (const { config } of opened.values()) await line.call("close", { config });
      opened.clear();
      await line.close();
    },
  };
}

async function findFolder(folder: string, facts: PlatformFacts): Promise<Result<string, RollbackFailure>> {
  const early = refuseFolder(folder, folder, facts);
  if (early !== undefined) return err(early);
  try {
    const real = await realpath(folder);
    const refused = refuseFolder(folder, real, facts);
    if (refused !== undefined) return err(refused);
    if (!(await stat(real)).isDirectory()) return err({ kind: "folder_gone", paths: [folder], message: `${folder} is not a folder.` });
    return ok(facts.platform === "win32" ? real.replaceAll("\\", "/") : real);
  } catch (error) {
    return err({ kind: "folder_gone", paths: [folder], message: `The folder ${folder} is not there or cannot be read (${codeOf(error)}).` });
  }
}

function makeConfig(root: string, dataDir: string, deps: CheckpointStoresDeps): StoreConfig {
  const { platform, pid } = deps.facts;
  const key = platform === "linux" ? root : root.toLowerCase();
  const name = `${createHash("sha256").update(key).digest("hex").slice(0, 16)}-${path
    .basename(root)
    .replace(/[^A-Za-z0-9_-]+/g, "_")
    .slice(0, 40)}`;
  const slashed = platform === "win32" ? dataDir.replaceAll("\\", "/") : dataDir;
  return { root, folder: `${slashed}/checkpoints/${name}`, platform, pid, limits: { ...DEFAULT_LIMITS, ...deps.limits }, excluded: [slashed] };
}

/** Two kinds of failure become one: the store said no, or the worker could not say anything. */
function flatten<T>(answer: Result<Result<T, RollbackFailure>, WorkerFailure>): Result<T, RollbackFailure> {
  if (answer.ok) return answer.value;
  return err({ kind: "io", paths: [], message: `The checkpoint worker gave no answer (${answer.error.kind}): ${answer.error.message}` });
}

type StoreSpec = {
  readonly config: StoreConfig;
  readonly line: Calls;
  readonly deps: CheckpointStoresDeps;
  readonly recovered: StoreRecovery | undefined;
  /** the open stores of folders above and below */
  readonly around: () => readonly StoreConfig[];
  /** of another open store */
  readonly configOf: (folder: string) => StoreConfig | undefined;
  readonly release: () => Promise<void>;
};

function createStore({ config, line, deps, recovered, around, configOf, release }: StoreSpec): CheckpointStore {
  const { clock, newId } = deps;
  let isOpen = true;
  const nested = tellNested(around);
  const report = (value: unknown) => {
    const progress = Progress.safeParse(value);
    if (progress.success) deps.onProgress?.({ folder: config.root, ...progress.data });
  };
  return {
    folder: config.root,
    recovered,
    async take(cause, session, signal) {
      const answer = await line.call("take", { config, id: newId(), at: clock.now(), cause, session }, { signal, onProgress: report });
      return answer.ok ? answer.value : { kind: "failed", why: `${answer.error.kind}: ${answer.error.message}` };
    },
    ...callsOf({ config, line, deps, around }),
    async list() {
      return must(await line.call("list", { config }));
    },
    async get(id) {
      return must(await line.call("get", { config, id })) ?? undefined;
    },
    diff: async (from, to, paths) => flatten(await line.call("diff", { config, from, to, paths: paths === undefined ? undefined : [...paths] })),
    ...goingBack({ config, line, deps, configOf }),
    others: async (since, session, paths) => flatten(await line.call("others", { config, since, session, paths: [...paths] })),
    async pin(id, pinned) {
      const answer = await line.call("pin", { config, id, pinned });
      return answer.ok && answer.value;
    },
    stats: async () => flatten(await line.call("stats", { config })),
    collect: async ({ keep, ...bounds }) => flatten(await line.call("collect", { config, ...bounds, keep: [...keep], at: clock.now() })),
    async news() {
      const told = flatten(await line.call("news", { config }));
      return [...nested(), ...(told.ok ? told.value : [])];
    },
    verify: async () => flatten(await line.call("verify", { config })),
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await release();
    },
  };
}

type GoingBack = Pick<CheckpointStore, "plan" | "planIncoming" | "threeWay" | "apply">;

function goingBack({ config, line, deps, configOf }: Pick<StoreSpec, "config" | "line" | "deps" | "configOf">): GoingBack {
  const { clock, newId } = deps;
  return {
    async plan(target, pick) {
      const { scope, session, exact = false } = pick;
      const hunks = (pick.hunks ?? []).map((one) => ({ path: one.path, hunks: [...one.hunks] }));
      const files = pick.files === undefined && hunks.length > 0 ? [] : copy(pick.files);
      const lists = { files, hunks, turns: copy(pick.turns), overwrite: [...(pick.overwrite ?? [])] };
      return flatten(await line.call("plan", { config, plan: newId(), target, scope, session, exact, ...lists }));
    },
    async planIncoming(from, { session, since, files, overwrite = [], reverse = false }) {
      const copied = configOf(from.folder);
      if (copied === undefined) return err({ kind: "folder_gone", paths: [from.folder], message: "The copy is not open." });
      const starts = since.map((one) => ({ checkpoint: one.checkpoint, ...(one.files === undefined ? {} : { files: [...one.files] }) }));
      const order = {
        config,
        plan: newId(),
        session,
        from: copied,
        since: starts,
        overwrite: [...overwrite],
        reverse,
        ...(files === undefined ? {} : { files: [...files] }),
      };
      return flatten(await line.call("planIncoming", order));
    },
    threeWay: async (plan, file) => flatten(await line.call("threeWay", { config, plan, path: file })),
    async apply(plan, session, signal, onProgress) {
      const order = { config, plan, session, before: CheckpointId.parse(newId()), at: clock.now() };
      const tell = (value: unknown) => {
        const progress = Progress.safeParse(value);
        if (progress.success) onProgress?.(progress.data);
      };
      return flatten(await line.call("apply", order, { signal, onProgress: tell }));
    },
  };
}

/** Also to the stores of folders around this one. */
function callsOf({ config, line, deps, around }: Pick<StoreSpec, "config" | "line" | "deps" | "around">): Pick<CheckpointStore, "beginCall" | "endCall"> {
  const { clock } = deps;
  return {
    beginCall({ declared, background = false, ...call }) {
      const at = clock.now();
      const paths = declared === "unknown" ? undefined : [...declared];
      const elsewhere = paths?.map((one) => path.resolve(config.root, one));
      void line.call("beginCall", { config, ...call, declared: paths, background, at });
      for (const store of around()) void line.call("beginCall", { config: store, ...call, declared: elsewhere, background, at });
    },
    async endCall(call) {
      const at = clock.now();
      await Promise.all([config, ...around()].map((store) => line.call("endCall", { config: store, call, at })));
    },
  };
}

/** Each folder around is told of once. */
function tellNested(around: StoreSpec["around"]): () => StoreNews[] {
  const told = new Set<string>();
  return () => {
    const paths = around().flatMap(({ root }) => (told.has(root) ? [] : [root]));
    for (const one of paths) told.add(one);
    return paths.length === 0 ? [] : [{ kind: "nested", paths }];
  };
}

/** An empty list must never stand for "could not be read" (D12). */
function must<T>(answer: Result<T, WorkerFailure>): T {
  if (answer.ok) return answer.value;
  throw new Error(`The checkpoint worker gave no answer (${answer.error.kind}): ${answer.error.message}`);
}

function copy<T>(list: readonly T[] | undefined): T[] | undefined {
  return list === undefined ? undefined : [...list];
}
