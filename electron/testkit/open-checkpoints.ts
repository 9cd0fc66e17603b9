// A checkpoint store on a temporary workspace, with short ways to say what a test does.
import { CallId, type CheckpointId, SessionId, TurnId } from "#shared/lib/ids.ts";
import type { Checkpoint, CheckpointCause, RollbackFailure, RollbackPreview } from "#shared/checkpoints/checkpoint.ts";
import type { Result } from "#shared/lib/result.ts";
import type { CheckpointStore, CheckpointStores, RollbackPick } from "#electron/checkpoints/contract.ts";
import { openDatabase } from "#electron/checkpoints/database.ts";
import { createDisk, watchFolder } from "#electron/checkpoints/disk.ts";
import { createStoreHost } from "#electron/checkpoints/host.ts";
import { isProcessAlive, type StorePowers } from "#electron/checkpoints/open-store.ts";
import { type CheckpointStoresDeps, createCheckpointStores } from "#electron/checkpoints/stores.ts";
import { verbs } from "#electron/checkpoints/verbs.ts";
import { createSystemClock } from "#electron/lib/clock.ts";
import { createInlineCalls } from "./inline-calls.ts";
import type { TempWorkspace } from "./temp-workspace.ts";

export const SESSION_A = SessionId.parse("session-a");
export const SESSION_B = SessionId.parse("session-b");
const NEVER = new AbortController().signal;

export interface CheckpointHarness {
  readonly stores: CheckpointStores;
  readonly store: CheckpointStore;
  /** Takes, and answers the checkpoint that now stands for the present state. */
  take(cause?: Partial<CheckpointCause>, session?: SessionId): Promise<CheckpointId>;
  taken(cause?: Partial<CheckpointCause>, session?: SessionId): Promise<Checkpoint>;
  /** Does something as a call of the agent, between its checkpoint and its end. */
  agent(
    work: () => Promise<unknown>,
    as?: { readonly session?: SessionId; readonly turn?: string; readonly declared?: readonly string[] | "unknown" },
  ): Promise<CheckpointId>;
  preview(target: CheckpointId, pick?: Partial<RollbackPick>): Promise<RollbackPreview>;
  goBack(
    target: CheckpointId,
    pick?: Partial<RollbackPick>,
  ): Promise<Result<{ readonly before: Checkpoint; readonly files: readonly string[] }, RollbackFailure>>;
  close(): Promise<void>;
}

let ids = 0;

const realPowers = (): StorePowers => ({
  disk: createDisk(process.platform),
  clock: createSystemClock(),
  openDb: openDatabase,
  isAlive: isProcessAlive,
  watch: process.platform === "linux" ? watchFolder : undefined,
});

/** `stores`: those of another harness; `powers`: tests plant faults through them. */
export async function openCheckpoints(
  workspace: TempWorkspace,
  { stores: shared, ...deps }: Partial<CheckpointStoresDeps> & { readonly stores?: CheckpointStores } = {},
  powers: Partial<StorePowers> = {},
): Promise<CheckpointHarness> {
  const clock = createSystemClock();
  const stores =
    shared ??
    createCheckpointStores({
      dataDir: workspace.dataDir,
      clock,
      workerFile: "",
      calls: createInlineCalls(verbs, createStoreHost({ ...realPowers(), ...powers }), clock),
      newId: () => `id-${process.pid}-${(ids += 1)}`,
      facts: { platform: process.platform, home: "/home/nobody", personal: [], pid: process.pid },
      ...deps,
    });
  const opened = await stores.open(workspace.root);
  if (!opened.ok) throw new Error(opened.error.message);
  const store = opened.value;
  const harness: CheckpointHarness = {
    stores,
    store,
    async take(cause = {}, session = SESSION_A) {
      const outcome = await store.take({ kind: "person", label: "test", ...cause }, session, NEVER);
      if (outcome.kind === "failed") throw new Error(outcome.why);
      return outcome.kind === "taken" ? outcome.checkpoint.id : outcome.checkpoint;
    },
    async taken(cause = {}, session = SESSION_A) {
      const found = await store.get(await harness.take(cause, session));
      if (found === undefined) throw new Error("the checkpoint is not there");
      return found;
    },
    async agent(work, { session = SESSION_A, turn = "turn-1", declared = "unknown" } = {}) {
      const call = CallId.parse(`call-${(ids += 1)}`);
      const before = await harness.take({ kind: "before_call", label: "call", call, turn: TurnId.parse(turn) }, session);
      store.beginCall({ session, turn: TurnId.parse(turn), call, declared });
      await work();
      await store.endCall(call);
      return before;
    },
    async preview(target, pick = {}) {
      const plan = await store.plan(target, { scope: "files", session: SESSION_A, ...pick });
      if (!plan.ok) throw new Error(plan.error.message);
      return plan.value;
    },
    async goBack(target, pick = {}) {
      const plan = await harness.preview(target, pick);
      return store.apply(plan.plan, pick.session === undefined || pick.session === "any" ? SESSION_A : pick.session, NEVER);
    },
    close: () => stores.close(),
  };
  return harness;
}
