// The gates before a call runs (T3). Each may pass the call on, changed or not, or settle it.
import type { ContentPart } from "#shared/chat/blocks.ts";
import { stableJson } from "#shared/lib/stable-json.ts";
import type { HookOutcome } from "#electron/hooks/contract.ts";
import type { CallInFlight, Gate, GateVerdict } from "./contract.ts";
import type { PipelineDeps } from "./deps.ts";
import { failed, hookText } from "./settle.ts";

const INPUT_CHANGED = "Note: a hook of the user changed the input of this call before it ran.";

const next = (call: CallInFlight): GateVerdict => ({ kind: "next", call });

export function findGate(deps: PipelineDeps): Gate {
  return {
    name: "find",
    async run(call) {
      if (call.tool !== undefined) return next(call);
      const message = deps.tell.unknownTool(call.name, deps.registry.near(call.name));
      return { kind: "settle", outcome: failed(call, { kind: "not_found", retryable: false, message }) };
    },
  };
}

export function checkpointGate(deps: PipelineDeps): Gate {
  return {
    name: "checkpoint",
    async run(call, cx) {
      if (call.traits.mayWrite && call.parseError === undefined) await deps.protect(call, cx);
      return next(call);
    },
  };
}

export function preHooksGate(deps: PipelineDeps): Gate {
  return {
    name: "pre_hooks",
    async run(call, cx) {
      const name = call.tool?.name ?? call.name;
      const shown = call.input === undefined ? call.raw : (call.tool?.observable(call.input, cx.place, call.facts) ?? call.input);
      const outcomes = await deps.hooks.run("PreToolUse", name, { tool_name: name, tool_input: shown, tool_use_id: call.id }, cx.scope.signal);
      const refused = refusedBy(deps, call, outcomes);
      if (refused !== undefined) return refused;
      const changed = await withInput(deps, call, outcomes, shown);
      // The checkpoint gate let a reading call pass; what it was changed to may write (K2).
      if (changed.traits.mayWrite && !call.traits.mayWrite && changed.parseError === undefined) await deps.protect(changed, cx);
      return next(heed(changed, outcomes));
    },
  };
}

function refusedBy(deps: PipelineDeps, call: CallInFlight, outcomes: readonly HookOutcome[]): GateVerdict | undefined {
  for (const outcome of outcomes) if (outcome.kind === "stop") deps.hookStop(outcome.reason);
  const refused = outcomes.find((outcome) => outcome.kind === "block" || outcome.kind === "stop");
  if (refused === undefined) return undefined;
  const message = `A hook ${refused.kind === "stop" ? "ended the work before" : "blocked"} this call: ${refused.reason}`;
  return { kind: "settle", outcome: failed(call, { kind: "hook_blocked", retryable: false, message }) };
}

/** Several hooks: the strictest word counts, and every context is kept (H2). */
function heed(call: CallInFlight, outcomes: readonly HookOutcome[]): CallInFlight {
  const says = outcomes.reduce((said, outcome) => (outcome.kind === "permission" ? stricter(said, outcome.says) : said), call.hookSays);
  const contexts = outcomes.flatMap((outcome): ContentPart[] => (outcome.kind === "context" ? [hookText("PreToolUse", outcome.text)] : []));
  return { ...call, hookSays: says, notes: [...call.notes, ...contexts] };
}

/**
 * Each hook saw what the one before it made of the input, so the last change is the input. An echo of the normalised copy is no change
 * (T1), nor is a change that another hook took back; a real one is noted without its values (T11).
 */
async function withInput(deps: PipelineDeps, call: CallInFlight, outcomes: readonly HookOutcome[], shown: unknown): Promise<CallInFlight> {
  const last = outcomes.findLast((outcome) => outcome.kind === "changed_input");
  if (last === undefined || stableJson(last.input) === stableJson(shown) || stableJson(last.input) === stableJson(call.raw)) return call;
  const again = await deps.prepare({ id: call.id, name: call.name, input: last.input });
  return { ...again, notes: [...call.notes, { type: "text", text: INPUT_CHANGED }] };
}

function stricter(a: CallInFlight["hookSays"], b: NonNullable<CallInFlight["hookSays"]>): CallInFlight["hookSays"] {
  const rank = { allow: 0, ask: 1, deny: 2 } as const;
  return a === undefined || rank[b] > rank[a] ? b : a;
}

export function permissionGate(deps: PipelineDeps): Gate {
  return {
    name: "permission",
    async run(call, cx) {
      const { tool } = call;
      if (tool === undefined) return next(call);
      const parsed = call.parseError === undefined;
      const query = {
        call: call.id,
        turn: cx.turn,
        tool,
        input: parsed ? call.input : call.raw,
        parsed,
        facts: call.facts,
        traits: call.traits,
        place: cx.place,
        mode: deps.mode(),
        hookSays: call.hookSays,
      };
      const said = await deps.authorise(query, cx.scope.signal);
      if (said.behavior === "allow") return next({ ...call, waited: call.waited || said.waited });
      if (said.behavior === "aborted") return next(call); // the pipeline's own check settles it
      await deps.journal.refused(call, said.by, said.because, cx);
      return { kind: "settle", outcome: failed(call, { kind: "permission_denied", retryable: false, message: deps.tell.denied(tool, said) }) };
    },
  };
}

export function validateGate(): Gate {
  return {
    name: "validate",
    async run(call, cx) {
      if (call.parseError !== undefined) return { kind: "settle", outcome: failed(call, { kind: "invalid_input", retryable: true, message: call.parseError }) };
      const checked = await call.tool?.validate(call.input, cx);
      if (checked?.ok === false) return { kind: "settle", outcome: failed(call, checked.error) };
      return next(checked === undefined ? call : { ...call, input: checked.value });
    },
  };
}
