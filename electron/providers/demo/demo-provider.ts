// The demo provider: the same interface as a real one, a script instead of a model, words at the pace of a calm typist.
import type { Clock } from "#electron/lib/clock.ts";
import type { ModelEvent, ModelRequest, Provider } from "#electron/providers/contract.ts";
import { ABORTED } from "#electron/providers/failures/from-error.ts";
import { describeModel } from "#electron/providers/models.ts";
import { nextStep } from "./next-step.ts";
import { type DemoStep, sceneOf } from "./scene.ts";

export type DemoDeps = { readonly clock: Clock; readonly speed: "instant" | "calm" };

const THINK_MS = 450;
const DELTA_MS = 24;
const CHARS_PER_TOKEN = 4;
/** A word with the space after it; scripts without spaces go by two characters. */
const DELTAS = /[\p{Script=Han}，。：；！？、「」]{1,2}|[^\s\p{Script=Han}]+\s*|\s+/gu;

export function createDemoProvider(deps: DemoDeps): Provider {
  return {
    id: "demo",
    describe: (model) => describeModel("demo", model, {}),
    stream: (request, signal) => play(request, signal, deps),
  };
}

async function* play(request: ModelRequest, signal: AbortSignal, deps: DemoDeps): AsyncGenerator<ModelEvent, void, void> {
  const pause = (ms: number) => (deps.speed === "instant" ? Promise.resolve() : deps.clock.sleep(ms, signal));
  await pause(THINK_MS);
  for (const event of eventsOf(request, nextStep(sceneOf(request)))) {
    if (signal.aborted) return yield { type: "failed", failure: ABORTED };
    yield event;
    if (event.type === "text" || event.type === "tool_input") await pause(DELTA_MS);
  }
}

function* eventsOf(request: ModelRequest, step: DemoStep): Generator<ModelEvent, void, void> {
  yield { type: "headers" };
  yield { type: "bytes" };
  for (const delta of step.say.match(DELTAS) ?? []) yield { type: "text", delta };
  for (const [index, call] of step.calls.entries()) {
    const raw = JSON.stringify(call.input);
    for (const delta of raw.match(/[\s\S]{1,48}/gu) ?? []) yield { type: "tool_input", index, name: call.name, delta };
    yield { type: "tool_call", index, id: callId(request, index), name: call.name, input: call.input };
  }
  yield {
    type: "usage",
    usage: { input: tokens(JSON.stringify(request.messages)), output: tokens(step.say + JSON.stringify(step.calls)), cacheRead: 0, cacheWrite: 0 },
  };
  yield { type: "stopped", reason: { kind: step.calls.length === 0 ? "end_turn" : "tool_use" } };
}

/** Unique within a session: the history grows with every reply. */
function callId(request: ModelRequest, index: number): string {
  return `demo_${request.messages.length}_${index + 1}`;
}

function tokens(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}
