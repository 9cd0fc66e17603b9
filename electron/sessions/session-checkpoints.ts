// The checkpoints of one session's folder, with what the trail must say when there are none (K2, D12).
import type { CheckpointCause, RollbackFailure } from "#shared/checkpoints/checkpoint.ts";
import type { SessionEvent } from "#shared/events/durable.ts";
import type { CheckpointId, SessionId, TurnId } from "#shared/lib/ids.ts";
import { err, ok, type Result } from "#shared/lib/result.ts";
import type { CheckpointStore, StoreNews } from "#electron/checkpoints/contract.ts";

export interface SessionCheckpoints {
  store(): Promise<Result<CheckpointStore, RollbackFailure>>;
  /** Never rejects. */
  take(cause: CheckpointCause, signal: AbortSignal): Promise<void>;
  /** A named one is pinned as well: who names it wants to find it again. */
  mark(checkpoint: CheckpointId, mark: { readonly name?: string | undefined; readonly pinned?: boolean | undefined }): Promise<Result<null, RollbackFailure>>;
}

export type SessionCheckpointDeps = {
  readonly session: SessionId;
  folder(): string;
  /** whether this session's trail has it */
  known(id: CheckpointId): boolean;
  openStore(folder: string): Promise<Result<CheckpointStore, RollbackFailure>>;
  append(events: readonly SessionEvent[]): Promise<void>;
};

export function createSessionCheckpoints(deps: SessionCheckpointDeps): SessionCheckpoints {
  let refusedFor: string | undefined;
  let told: TurnId | undefined;
  const store = () => deps.openStore(deps.folder());
  // Every missing stone is on the trail; that there is no way back is said where one reads, once a turn (K2, D12).
  const missing = async ({ label, turn }: CheckpointCause, why: string): Promise<void> => {
    const first = turn === undefined || turn !== told;
    told = turn;
    const warning: SessionEvent = {
      v: 1,
      type: "warning_raised",
      ...(turn === undefined ? {} : { turn }),
      notice: { key: "notices.no_checkpoint", params: { why } },
    };
    await deps.append([{ v: 1, type: "checkpoint_missing", label, why }, ...(first ? [warning] : [])]);
  };
  // A roll-back that a crash interrupted, damage in the store, another session's folder around this one: said where one reads (K7, K9).
  const tellNews = async (from: CheckpointStore, turn: TurnId | undefined): Promise<void> => {
    const news = await from.news();
    if (news.length === 0) return;
    await deps.append(news.map((one) => ({ v: 1, type: "warning_raised", ...(turn === undefined ? {} : { turn }), notice: noticeOf(one) })));
  };
  return {
    store,
    async mark(checkpoint, { name, pinned }) {
      const keep = pinned ?? (name === undefined || name === "" ? undefined : true);
      const opened = await store();
      if (!opened.ok) return opened;
      const gone = { kind: "unknown_checkpoint" as const, paths: [], message: `There is no checkpoint ${checkpoint} any more.` };
      if (!deps.known(checkpoint)) return err(gone);
      if (keep !== undefined && !(await opened.value.pin(checkpoint, keep))) return err(gone);
      const given = { ...(name === undefined ? {} : { name }), ...(keep === undefined ? {} : { pinned: keep }) };
      await deps.append([{ v: 1, type: "checkpoint_marked", checkpoint, ...given }]);
      return ok(null);
    },
    async take(cause, signal) {
      const opened = await store();
      if (!opened.ok) {
        // A folder that is refused as a whole is told once, not before every call.
        if (refusedFor === deps.folder()) return;
        refusedFor = deps.folder();
        return missing(cause, opened.error.message);
      }
      const taken = await opened.value.take(cause, deps.session, signal);
      if (cause.kind === "turn_start" || cause.kind === "turn_end") await tellNews(opened.value, cause.turn);
      if (taken.kind === "taken") return deps.append([{ v: 1, type: "checkpoint_taken", checkpoint: taken.checkpoint }]);
      // Another session's stone stands for the same state: without it this session would have no first one.
      if (taken.kind === "unchanged" && !deps.known(taken.checkpoint)) {
        const checkpoint = await opened.value.get(taken.checkpoint);
        if (checkpoint !== undefined) return deps.append([{ v: 1, type: "checkpoint_taken", checkpoint: { ...checkpoint, cause } }]);
      }
      if (taken.kind === "failed" && !signal.aborted) return missing(cause, taken.why);
    },
  };
}

const SHOWN_PATHS = 8;

/** In words for the person. */
export function noticeOf(news: StoreNews): { key: string; params: Record<string, string | number> } {
  const { kind, paths } = news;
  const files = paths.length > SHOWN_PATHS ? `${paths.slice(0, SHOWN_PATHS).join(", ")} …` : paths.join(", ");
  if (news.kind === "damaged" && paths.length === 0) return { key: "notices.checkpoint_points_lost", params: { points: news.points } };
  return { key: `notices.checkpoint_${kind}`, params: { files, count: paths.length } };
}
