// The tools of one session and what they keep: what the model has read, pictures, long results.
import { join } from "node:path";
import { createRipgrep, ripgrepPath } from "#electron/lib/ripgrep.ts";
import { createWorkerCalls } from "#electron/lib/worker-call.ts";
import { shellJudge } from "#electron/permissions/shell-judge.ts";
import { type Blobs, createBlobs } from "#electron/sessions/blobs.ts";
import type { RunSubagent } from "#electron/subagents/contract.ts";
import { createArtefactStore } from "#electron/tools/artefacts.ts";
import { type Askable, createAskUserTool } from "#electron/tools/builtin/ask-user.ts";
import { createBashTools } from "#electron/tools/builtin/bash-tools.ts";
import { lookupHost } from "#electron/tools/builtin/fetch-page.ts";
import { createGoalTool, type GoalDeps } from "#electron/tools/builtin/goal.ts";
import { createHypothesisTool, type HypothesisDeps } from "#electron/tools/builtin/hypothesis.ts";
import { createPlanExitTool, type PlanDeps } from "#electron/tools/builtin/plan-exit.ts";
import { createTaskTool } from "#electron/tools/builtin/task.ts";
import type { Tool } from "#electron/tools/contract.ts";
import { createFileTools, type FileToolsDeps } from "#electron/tools/file-tools.ts";
import { PAGE_VERBS } from "#electron/tools/page-verbs.ts";
import { openReadState, type StoredReadState } from "#electron/tools/read-state-file.ts";
import type { ArtefactStore } from "#electron/tools/result-limit.ts";
import type { ShellKind } from "#electron/tools/builtin/bash.text.ts";
import type { Engine } from "./engine.ts";
import type { Shells } from "./shells.ts";

export type SessionKeep = {
  readonly blobs: Blobs;
  readonly artefacts: ArtefactStore;
  readonly readState: StoredReadState;
  readonly resultsDir: string;
  readonly shellKind: ShellKind;
};

export async function openSessionKeep(folder: string, shells: Pick<Shells, "kind">): Promise<SessionKeep> {
  const resultsDir = join(folder, "results");
  return {
    shellKind: await shells.kind(),
    blobs: createBlobs(join(folder, "blobs")),
    artefacts: createArtefactStore(resultsDir),
    readState: await openReadState(join(folder, "read-state.json")),
    resultsDir,
  };
}

/**
 * The agent's notes about its own work, and who keeps them; whom it can ask. A sub-agent has no goal, presents no plan and
 * starts no sub-agents.
 */
export type WorkPowers = Pick<FileToolsDeps, "onTodos" | "intend"> &
  HypothesisDeps & {
    readonly askable: Askable;
    readonly goal: GoalDeps | undefined;
    readonly plan: PlanDeps | undefined;
    readonly task: RunSubagent | undefined;
  };

/** One set per history: what the model has read belongs to it. */
export function sessionTools(engine: Engine, keep: SessionKeep, work: WorkPowers): readonly Tool[] {
  const { clock, shells } = engine;
  const files = createFileTools({
    readState: keep.readState.state,
    blobs: keep.blobs,
    ...engine.media,
    ripgrep: createRipgrep(ripgrepPath()),
    onTodos: work.onTodos,
    intend: work.intend,
    web: { fetch: globalThis.fetch, lookup: lookupHost, render: pageRenderer(engine) },
  });
  const commands = createBashTools({
    shells: shells.runner,
    analyser: shells.analyser,
    judge: shellJudge,
    settings: () => ({ timeoutMs: engine.settings().bashTimeoutMs }),
    spoolDir: keep.resultsDir,
    shellKind: keep.shellKind,
  });
  const parentOnly = [
    ...(work.plan === undefined ? [] : [createPlanExitTool(work.plan)]),
    ...(work.goal === undefined ? [] : [createGoalTool(work.goal)]),
    ...(work.task === undefined ? [] : [createTaskTool({ run: work.task })]),
  ];
  return [...files, ...commands, createHypothesisTool(work), createAskUserTool(work), ...parentOnly];

  /** A thread per page: pages are rare, and a hung one must not keep others waiting. */
  function pageRenderer({ facts: { out } }: Engine) {
    return async (page: { readonly bytes: Uint8Array; readonly type: string; readonly url: string }) => {
      const calls = createWorkerCalls(PAGE_VERBS, { file: join(out, "workers", "render-page.cjs"), clock });
      const rendered = await calls.call("render", { ...page, bytes: new Uint8Array(page.bytes) });
      await calls.close();
      return rendered.ok ? rendered.value.page : undefined;
    };
  }
}
