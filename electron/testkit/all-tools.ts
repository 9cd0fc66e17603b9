// Every tool that Cairn brings along, over a folder on disk and with real powers where they are cheap, called through the real
// pipeline: for tables over all tools. A tool that is missing here is found by the test that compares with what a model is sent.
import { join } from "node:path";
import { contentText } from "#shared/chat/blocks.ts";
import { NO_USAGE } from "#shared/chat/usage.ts";
import { CallId } from "#shared/lib/ids.ts";
import { err, ok } from "#shared/lib/result.ts";
import type { ToolOutcome } from "#shared/tools/outcome.ts";
import { childEnvironment } from "#electron/lib/child-environment.ts";
import { createSystemClock } from "#electron/lib/clock.ts";
import type { ShellAnalyser } from "#electron/permissions/contract.ts";
import { shellJudge } from "#electron/permissions/shell-judge.ts";
import type { PipelineDeps } from "#electron/pipeline/deps.ts";
import { createPrepare } from "#electron/pipeline/prepare.ts";
import { createRunCall } from "#electron/pipeline/run-call.ts";
import { createAdmission } from "#electron/scheduler/admission.ts";
import { createKeyedLock } from "#electron/scheduler/keyed-lock.ts";
import { createBackgroundShells } from "#electron/shells/background.ts";
import { createShellRunner } from "#electron/shells/create-runner.ts";
import { programOf } from "#electron/shells/shell-program.ts";
import { createAskUserTool } from "#electron/tools/builtin/ask-user.ts";
import { createBashTools } from "#electron/tools/builtin/bash-tools.ts";
import { createGoalTool } from "#electron/tools/builtin/goal.ts";
import { createHypothesisTool } from "#electron/tools/builtin/hypothesis.ts";
import { createPlanExitTool } from "#electron/tools/builtin/plan-exit.ts";
import { createTaskTool } from "#electron/tools/builtin/task.ts";
import { classify } from "#electron/tools/classify.ts";
import type { Tool } from "#electron/tools/contract.ts";
import type { FileToolsDeps } from "#electron/tools/file-tools.ts";
import { parseInput } from "#electron/tools/parse-input.ts";
import { createRegistry } from "#electron/tools/registry.ts";
import { invalidInput, unknownTool } from "#electron/tools/tell-model.ts";
import { openToolbox, type Toolbox } from "#electron/tools/testkit/toolbox.ts";

export interface AllTools {
  readonly box: Toolbox;
  readonly tools: readonly Tool[];
  /** Through every gate; `between`: after the call was prepared and judged, before it runs. */
  call(name: string, input: unknown, between?: () => Promise<void>): Promise<{ readonly outcome: ToolOutcome; readonly text: string; readonly ms: number }>;
  close(): Promise<void>;
}

/** Knows nothing of any command, so each counts as unproven. */
const ANALYSER: ShellAnalyser = {
  analyse: async (command) => ({ kind: "shell_facts", command, parts: [], reads: [], redirects: [], readOnly: false, unreadable: true, background: false }),
  close: async () => {},
};

/** `powers`: of the pipeline, over those that do nothing. */
export async function openAllTools(change: Partial<FileToolsDeps> = {}, powers: (box: Toolbox) => Partial<PipelineDeps> = () => ({})): Promise<AllTools> {
  const clock = createSystemClock();
  const box = await openToolbox({
    web: { fetch: async () => Promise.reject(new TypeError("no network in tests")), lookup: async () => ["203.0.113.5"] },
    ...change,
  });
  const runner = createShellRunner({ clock, shell: programOf("/bin/bash"), environment: () => childEnvironment(process.env) });
  const background = createBackgroundShells(runner);
  const tools: readonly Tool[] = [
    ...box.tools,
    ...createBashTools({
      shells: async () => ({ runner, background }),
      analyser: ANALYSER,
      judge: shellJudge,
      settings: () => ({ timeoutMs: 5_000 }),
      spoolDir: join(box.outside, "results"),
      shellKind: "bash",
    }),
    createAskUserTool({ askable: { kind: "headless" } }),
    createPlanExitTool({ mode: () => "default", file: () => join(box.outside, "plan.md"), read: async () => undefined, save: async () => {} }),
    createHypothesisTool({ hypotheses: () => [], onHypotheses: async () => {} }),
    createGoalTool({ goal: () => undefined, onGoal: async () => {} }),
    createTaskTool({ run: async () => ({ end: { why: "answered", steps: 1, requests: 1, lostSteps: 0 }, text: "done", calls: 0, usage: NO_USAGE }) }),
  ];
  const registry = createRegistry(tools);
  const prepare = createPrepare({
    registry,
    place: box.place,
    classify,
    parse(tool, input) {
      const parsed = parseInput(tool, input);
      return parsed.ok ? ok(parsed.value) : err(invalidInput(tool.name, parsed.error, { olderForm: false }).message);
    },
  });
  let between: (() => Promise<void>) | undefined;
  const deps: PipelineDeps = {
    registry,
    prepare,
    clock,
    trace: { emit: () => {} },
    hooks: { run: async () => [] },
    admission: createAdmission(createKeyedLock(), 4),
    abortGraceMs: 1_000,
    mode: () => "bypass",
    authorise: async () => (await between?.(), { behavior: "allow", waited: false }),
    protect: async () => {},
    watchWrites: async () => async () => {},
    journal: { state: () => {}, started: async () => {}, refused: async () => {}, settled: async () => {}, progress: () => {} },
    limit: async (content) => ({ content, cut: false }),
    redact: (text) => text,
    hookStop: () => {},
    tell: { unknownTool: (name, near) => unknownTool(name, near).message, denied: () => "denied" },
    ...powers(box),
  };
  const run = createRunCall(deps);
  let calls = 0;
  return {
    box,
    tools,
    async call(name, input, then) {
      between = then;
      const call = await prepare({ id: CallId.parse(`call_${++calls}`), name, input });
      const begun = clock.monotonic();
      const scope = box.scope.child(`call_${calls}`);
      const outcome = await run(call, { ...box.context(), call: call.id, scope });
      await scope.close({ by: "shutdown" });
      return { outcome, text: contentText(outcome.forModel), ms: clock.monotonic() - begun };
    },
    async close() {
      await runner.close();
      await box.close();
    },
  };
}
