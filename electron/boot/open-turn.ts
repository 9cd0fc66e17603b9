// One session's parts, made when its first turn opens, and the loop of each turn joined to them.
import type { SessionId } from "#shared/lib/ids.ts";
import { CallId, EntryId, ReplyId } from "#shared/lib/ids.ts";
import { ProviderId } from "#shared/settings/settings.ts";
import type { LoopDeps } from "#electron/loop/contract.ts";
import { runTurn } from "#electron/loop/run-turn.ts";
import { DEFAULT_CAPS } from "#electron/loop/limits.ts";
import { createRefusals } from "#electron/permissions/refusals.ts";
import { createTurnScheduler } from "#electron/scheduler/turn-scheduler.ts";
import type { OpenTurn, TurnEnv } from "#electron/sessions/contract.ts";
import { createRegistry } from "#electron/tools/registry.ts";
import { sessionContext } from "./session-context.ts";
import type { Engine } from "./engine.ts";
import { openSessionKeep, turnTools } from "./session-tools.ts";
import { turnPipeline } from "./turn-pipeline.ts";

/** The session's own folder holds blobs, long results and what the model has read. */
export function createOpenTurn(engine: Engine, id: SessionId, folder: string): OpenTurn {
  const refusals = createRefusals();
  let keep: ReturnType<typeof openSessionKeep> | undefined;
  return async (env) => {
    keep ??= openSessionKeep(folder);
    const kept = await keep;
    const place = { cwd: env.view().cwd, home: engine.facts.home };
    const registry = createRegistry(turnTools(engine, kept, env), { disabled: engine.settings().disabledTools });
    let hookStop: string | undefined;
    const rules = engine.remembered.forSession(id, place.cwd);
    const pipeline = turnPipeline(engine, env, {
      registry,
      place,
      artefacts: kept.artefacts,
      permissions: { rules, refusals, resultsDir: kept.resultsDir },
      hookStop: (reason) => {
        hookStop ??= reason;
      },
    });
    const maker = env.view().maker;
    const provider = await engine.provider(ProviderId.parse(maker.provider));
    const headless = engine.facts.face.kind === "headless" ? engine.facts.face.run : undefined;
    const deps: LoopDeps = {
      session: id,
      turn: env.turn,
      maker,
      provider,
      fallback: await fallbackOf(engine, env),
      prepare: pipeline.prepare,
      openScheduler: (scope) => createTurnScheduler({ scope, run: pipeline.runCall, contextFor: pipeline.contextFor, trace: engine.trace }),
      context: await sessionContext(engine, env, { registry, provider, maker, place }),
      gates: [],
      limits: {
        caps: DEFAULT_CAPS,
        maxSteps: headless?.maxSteps,
        reminderAfterSteps: engine.settings().reminderAfterSteps,
        timeouts: engine.settings().timeouts,
        headless: headless !== undefined,
      },
      clock: engine.clock,
      scope: env.scope,
      trace: engine.trace,
      takeSteering: env.takeSteering,
      personWaitMs: env.waits.totalMs,
      newReplyId: () => ReplyId.parse(engine.newId()),
      newCallId: () => CallId.parse(engine.newId()),
      newEntryId: () => EntryId.parse(engine.newId()),
      blob: (ref) => kept.blobs.base64(ref),
      hookStop: () => hookStop,
    };
    return (start) => runTurn(start, deps);
  };
}

async function fallbackOf(engine: Engine, env: TurnEnv): Promise<LoopDeps["fallback"]> {
  const run = engine.facts.face.kind === "headless" ? engine.facts.face.run : undefined;
  const model = run?.fallbackModel ?? engine.settings().fallbackModel;
  const { maker } = env.view();
  if (model === "" || model === maker.model) return undefined;
  return { provider: await engine.provider(ProviderId.parse(maker.provider)), maker: { provider: maker.provider, model } };
}
