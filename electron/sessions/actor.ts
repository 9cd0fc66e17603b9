// One session as others see it: everything that can be done to it, in one place (S1, S4).
import { err, ok } from "#shared/lib/result.ts";
import { isOutcomeAsked } from "#shared/session/unknown-outcome.ts";
import type { SessionView } from "#shared/session/view.ts";
import type { Clock } from "#electron/lib/clock.ts";
import type { Scope } from "#electron/lib/scope.ts";
import type { OpenTurn, ProjectHistory, SessionActor, SessionLog } from "./contract.ts";
import { createQuestions } from "./questions.ts";
import { createRollback } from "./rollback.ts";
import { createSessionCheckpoints, type SessionCheckpointDeps } from "./session-checkpoints.ts";
import { createCore, type SessionCore } from "./session-core.ts";
import { createTurns, isFolder, type Turns } from "./turns.ts";

export type ActorDeps = {
  readonly log: SessionLog;
  readonly view: SessionView;
  /** the session's own data folder */
  readonly folder: string;
  readonly scope: Scope;
  readonly clock: Clock;
  readonly openTurn: OpenTurn;
  readonly project: ProjectHistory;
  /** ms the loop gets to end by itself after an abort */
  readonly stopGraceMs: number;
  openStore: SessionCheckpointDeps["openStore"];
  /** masks keys in what the person wrote (R3) */
  redact(text: string): string;
  newId(): string;
  /** called after every durable change, for lists */
  changed(view: SessionView): void;
  /** gives back the writer's lock */
  release(): Promise<void>;
};

export function createActor(deps: ActorDeps): SessionActor {
  const core = createCore(deps);
  const session = deps.view.session;
  const sync = () => deps.log.sync();
  const questions = createQuestions(core, deps.redact);
  const checkpoints = createSessionCheckpoints({
    session,
    known: (id) => core.view().trail.some((node) => node.checkpoint.id === id),
    folder: () => core.view().cwd,
    openStore: deps.openStore,
    append: core.append,
  });
  const over = new AbortController();
  const turns = createTurns({ ...deps, closing: over.signal, core, questions, checkpoints, sync });
  const rollback = createRollback({
    checkpoints,
    session,
    view: core.view,
    append: core.append,
    sync,
    newId: deps.newId,
    stopTurn: () => turns.stop({ by: "rollback" }),
  });
  let closing: Promise<void> | undefined;
  const close = async () => {
    await endTurns(turns, over);
    await deps.scope.close({ by: "shutdown" });
    await deps.log.sync();
    await deps.log.close();
    await deps.release();
  };
  return {
    id: session,
    get view() {
      return core.view();
    },
    prompt: turns.prompt,
    resend: turns.resend,
    idle: turns.idle,
    stop: () => turns.stop({ by: "person" }),
    retryNow: turns.retryNow,
    answer: async (question, answer) => (questions.answer(question, answer) ? ok(null) : err({ kind: "unknown_question" })),
    async answerPerson(question, answer) {
      const said = questions.answerPerson(question, answer);
      return said === "answered" ? ok(null) : err({ kind: said });
    },
    ...changesByPerson(core, turns),
    planRollback: rollback.plan,
    markCheckpoint: checkpoints.mark,
    applyRollback: (plan) => rollback.apply(plan, deps.scope.signal),
    noteBroughtOver: (brought) =>
      core.append([brought === "undone" ? { v: 1, type: "bring_undone" } : { v: 1, type: "brought_over", ...brought, files: [...brought.files] }]),
    follow: core.follow,
    eventsFrom: core.eventsFrom,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/** Nothing new begins; a turn that was just about to has the log now, and ends before the log does. */
async function endTurns(turns: Turns, over: AbortController): Promise<void> {
  over.abort();
  await turns.stop({ by: "shutdown" });
  await turns.begun();
  await turns.stop({ by: "shutdown" });
}

type Changes = Pick<SessionActor, "tellOutcome" | "setMode" | "setModel" | "rename" | "file" | "moveFolder" | "editQueue">;

/** What the person may change about a session at any time, a running turn or not. */
function changesByPerson(core: SessionCore, turns: Turns): Changes {
  return {
    async tellOutcome(id, happened) {
      const call = core.view().calls[id];
      if (call === undefined || !isOutcomeAsked(core.view(), call)) return false;
      await core.append([{ v: 1, type: "outcome_told", turn: call.turn, call: id, happened }]);
      return true;
    },
    setMode: turns.setMode,
    setModel: (maker) => core.append([{ v: 1, type: "model_changed", maker }]),
    rename: (title) => core.append([{ v: 1, type: "session_renamed", title, byPerson: true }]),
    async file(change) {
      const { pinned, archived } = core.view().filed;
      if ((change.pinned ?? pinned) !== pinned || (change.archived ?? archived) !== archived) await core.append([{ v: 1, type: "session_filed", ...change }]);
    },
    async moveFolder(cwd) {
      if (!(await isFolder(cwd))) return err({ kind: "folder_gone" });
      await core.append([{ v: 1, type: "folder_moved", cwd }]);
      return ok(null);
    },
    async editQueue({ kind, id }) {
      if (kind === "send_now") return turns.sendNow(id);
      if (core.view().queue.some((item) => item.id === id)) await core.append([{ v: 1, type: "prompt_unqueued", id, why: "deleted" }]);
    },
  };
}
