// The gates before a call runs (T3). Each may pass the call on, changed or not, or settle it.
import { stableJson } from "#shared/lib/stable-json.ts";
import type { HookOutcome } from "#electron/hooks/contract.ts";
import type { CallInFlight, Gate, GateVerdict } from "./contract.ts";
import type { PipelineDeps } from "./deps.ts";
import { failed } from "./settle.ts";

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
      const shown = call.input === undefined ? call.raw : (call.tool?.observable(call.input, cx.place, call.facts) ?? call.input);
      const outcomes = await deps.hooks.run(
        "PreToolUse",
        call.tool?.name ?? call.name,
        { tool_name: call.tool?.name ?? call.name, tool_input: shown },
        cx.scope.signal,
      );
      let current = call;
      for (const outcome of outcomes) {
        if (outcome.kind === "block") {
          const message = `A hook blocked this call: ${outcome.reason}`;
          return { kind: "settle", outcome: failed(call, { kind: "hook_blocked", retryable: false, message }) };
        }
        current = await heed(deps, current, outcome, shown);
      }
      return next(current);
    },
  };
}

async function heed(deps: PipelineDeps, call: CallInFlight, outcome: HookOutcome, shown: unknown): Promise<CallInFlight> {
  switch (outcome.kind) {
    case "stop":
      deps.hookStop(outcome.reason);
      return call;
    case "permission":
      return { ...call, hookSays: stricter(call.hookSays, outcome.says) };
    case "context":
      return { ...call, notes: [...call.notes, outcome.text] };
    case "changed_input":
      return withInput(deps, call, outcome.input, shown);
    default:
      return call;
  }
}

// An echo of the normalised copy is no change (T1); a real change is noted without its values (T11).
async function withInput(deps: PipelineDeps, call: CallInFlight, input: unknown, shown: unknown): Promise<CallInFlight> {
  if (stableJson(input) === stableJson(shown) || stableJson(input) === stableJson(call.raw)) return call;
  const again = await deps.prepare({ id: call.id, name: call.name, input });
  return { ...again, hookSays: call.hookSays, notes: [...call.notes, "Note: a hook of the user changed the input of this call before it ran."] };
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
