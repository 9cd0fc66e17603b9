// The call pipeline of one turn: the session's journal, checkpoints and limits behind the narrow powers it asks for (T3).
import type { CallId } from "#shared/lib/ids.ts";
import { err } from "#shared/lib/result.ts";
import { oneLine } from "#shared/lib/text.ts";
import type { FileIntent } from "#shared/tools/recovery.ts";
import type { HookRunner } from "#electron/hooks/contract.ts";
import type { CallInFlight, Prepare, RunCall } from "#electron/pipeline/contract.ts";
import type { PipelineDeps } from "#electron/pipeline/deps.ts";
import { createPrepare } from "#electron/pipeline/prepare.ts";
import { createRunCall } from "#electron/pipeline/run-call.ts";
import type { Authorise } from "#electron/permissions/authorise.ts";
import { createAdmission } from "#electron/scheduler/admission.ts";
import type { Admission } from "#electron/scheduler/contract.ts";
import type { TurnEnv } from "#electron/sessions/contract.ts";
import { classify } from "#electron/tools/classify.ts";
import type { Place, Tool, ToolContext, ToolRegistry } from "#electron/tools/contract.ts";
import { parseInput } from "#electron/tools/parse-input.ts";
import { type ArtefactStore, limitResult } from "#electron/tools/result-limit.ts";
import { deniedCall, invalidInput, unknownTool } from "#electron/tools/tell-model.ts";
import type { Engine } from "./engine.ts";
import { type SessionPermissions, turnPermissions } from "./turn-permissions.ts";

/** ms a tool gets to return after its abort; longer than a shell needs to end a process tree. */
const ABORT_GRACE_MS = 8_000;
const LABEL_CHARS = 200;

/** Who says what may run, and which calls have a checkpoint; a turn and its sub-agents share it (L23). */
export type PermissionGate = { readonly authorise: Authorise; readonly protectedCalls: Set<CallId> };

export type TurnPipelineParts = {
  readonly registry: ToolRegistry;
  readonly place: Place;
  readonly artefacts: ArtefactStore;
  readonly permissions: SessionPermissions;
  readonly hooks: HookRunner;
  /** a hook said that the turn should end */
  hookStop(reason: string): void;
  /** those of the parent, for a sub-agent; absent: made anew */
  readonly gate?: PermissionGate;
  readonly admission?: Admission;
};
export type TurnPipeline = {
  readonly prepare: Prepare;
  readonly runCall: RunCall;
  readonly gate: PermissionGate;
  contextFor(call: CallInFlight, scope: ToolContext["scope"]): ToolContext;
};

export function turnPipeline(engine: Engine, env: TurnEnv, parts: TurnPipelineParts): TurnPipeline {
  const { registry, place } = parts;
  const gate = parts.gate ?? permissionGate(engine, env, parts.permissions);
  const prepare = createPrepare({
    registry,
    place,
    classify,
    parse(tool, input) {
      const parsed = parseInput(tool, input);
      return parsed.ok ? parsed : err(invalidInput(tool.name, parsed.error, { olderForm: knowsOlderForm(env, tool) }).message);
    },
  });
  const deps: PipelineDeps = {
    registry,
    prepare,
    clock: engine.clock,
    trace: engine.trace,
    hooks: parts.hooks,
    admission: parts.admission ?? createAdmission(engine.locksOf(place.cwd), engine.settings().maxParallelCalls),
    abortGraceMs: ABORT_GRACE_MS,
    mode: () => env.view().mode,
    authorise: gate.authorise,
    async protect(call, cx) {
      await env.checkpoint({ kind: "before_call", label: labelOf(call), turn: env.turn, call: call.id }, cx.scope.signal);
      gate.protectedCalls.add(call.id);
    },
    watchWrites: (call) => watchWrites(engine, env, call),
    journal: journal(env),
    limit: (content, tool) => limitResult(content, tool.maxResultChars, tool.name, parts.artefacts),
    redact: engine.redactor.redact,
    hookStop: parts.hookStop,
    tell: { unknownTool: (name, near) => unknownTool(name, near).message, denied: (tool, denial) => deniedCall(tool.name, denial) },
  };
  return {
    prepare,
    runCall: createRunCall(deps),
    gate,
    contextFor: (call, scope) => ({ session: env.session, turn: env.turn, call: call.id, place, scope, clock: engine.clock }),
  };
}

function permissionGate(engine: Engine, env: TurnEnv, permissions: SessionPermissions): PermissionGate {
  const protectedCalls = new Set<CallId>();
  const { authorise } = turnPermissions(engine, permissions, env, (call) => [...protectedCalls].some((id) => id === call));
  return { authorise, protectedCalls };
}

/** Earlier calls of this conversation were made when the tool's input meant something else. */
function knowsOlderForm(env: TurnEnv, { name, schemaVersion }: Tool): boolean {
  return Object.values(env.view().calls).some(({ tool, begun }) => tool === name && begun?.schema !== undefined && begun.schema < schemaVersion);
}

/** What the trail says about the point before this call: the command, or the files. */
function labelOf(call: CallInFlight): string {
  const files = call.traits.effects.flatMap((effect) => (effect.kind === "writes" || effect.kind === "deletes" ? [effect.target] : []));
  const command = typeof call.input === "object" && call.input !== null && "command" in call.input ? String(call.input.command) : "";
  return oneLine(`${call.name} ${command === "" ? files.join(", ") : command}`, LABEL_CHARS);
}

// Changes made while the call runs are its own (K5); a folder without checkpoints has nobody to tell.
async function watchWrites(engine: Engine, env: TurnEnv, call: CallInFlight): Promise<() => Promise<void>> {
  const store = await engine.openStore(env.view().cwd);
  if (!store.ok) return async () => {};
  const declared = call.traits.effects.some((effect) => effect.kind === "runs" || effect.kind === "workspace_global")
    ? "unknown"
    : call.traits.effects.flatMap((effect) => (effect.kind === "writes" || effect.kind === "deletes" ? [effect.target] : []));
  store.value.beginCall({ session: env.session, turn: env.turn, call: call.id, declared });
  return () => store.value.endCall(call.id);
}

/** Before a call replaces files the log says what stands there and what will (S2). */
export function intend(env: Pick<TurnEnv, "append" | "turn">, call: CallId, files: readonly FileIntent[]): Promise<void> {
  return env.append([{ v: 1, type: "call_intended", turn: env.turn, call, files: [...files] }]);
}

function journal(env: TurnEnv): PipelineDeps["journal"] {
  const { turn } = env;
  return {
    state: (call, state) => env.live({ type: "call_state", call: call.id, tool: call.tool?.name ?? call.name, state, input: call.raw }),
    started: (call) =>
      env.append([
        {
          v: 1,
          type: "call_started",
          turn,
          call: call.id,
          tool: call.tool?.name ?? call.name,
          input: call.raw,
          effects: [...call.traits.effects],
          readOnly: call.traits.readOnly,
          ...(call.tool === undefined ? {} : { idempotency: call.tool.idempotency, schema: call.tool.schemaVersion }),
        },
      ]),
    refused: (call, by, because) => env.append([{ v: 1, type: "permission_refused", turn, call: call.id, tool: call.tool?.name ?? call.name, by, because }]),
    settled: (call, outcome) => env.append([{ v: 1, type: "call_settled", turn, call: call.id, tool: call.tool?.name ?? call.name, outcome }]),
    progress: (call, progress) => env.live({ type: "call_progress", call: call.id, progress }),
  };
}
