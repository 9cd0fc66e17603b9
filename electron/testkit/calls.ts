// Calls, tools and contexts for tests of scheduler and pipeline.
import { z } from "zod";
import { CallId, SessionId, TurnId } from "#shared/lib/ids.ts";
import type { ToolOutcome } from "#shared/tools/outcome.ts";
import type { Clock } from "#electron/lib/clock.ts";
import type { Scope } from "#electron/lib/scope.ts";
import type { CallInFlight } from "#electron/pipeline/contract.ts";
import type { Tool, ToolContext } from "#electron/tools/contract.ts";
import { SAFE_SIDE } from "#electron/tools/define.ts";

export function fakeTool(change: Partial<Tool> = {}): Tool {
  return {
    ...SAFE_SIDE,
    name: "probe",
    schemaVersion: 1,
    input: z.strictObject({ text: z.string() }),
    text: { summary: "A tool for tests." },
    source: () => undefined,
    isDestructive: () => false,
    effects: () => [],
    conflictKeys: () => [],
    call: async () => ({ ok: true, forModel: [{ type: "text", text: "done" }] }),
    ...change,
  };
}

export function fakeCall(id: string, change: Partial<CallInFlight> = {}): CallInFlight {
  return {
    id: CallId.parse(id),
    name: "probe",
    raw: { text: id },
    invalid: undefined,
    tool: fakeTool(),
    input: { text: id },
    parseError: undefined,
    facts: undefined,
    traits: { readOnly: false, concurrencySafe: false, destructive: false, mayWrite: false, reproducible: false, effects: [], conflictKeys: [] },
    hookSays: undefined,
    waited: false,
    notes: [],
    ...change,
  };
}

export function safeCall(id: string): CallInFlight {
  return fakeCall(id, {
    traits: { readOnly: true, concurrencySafe: true, destructive: false, mayWrite: false, reproducible: true, effects: [], conflictKeys: [] },
  });
}

export function contextFor(call: CallInFlight, scope: Scope, clock: Clock): ToolContext {
  return { session: SessionId.parse("s1"), turn: TurnId.parse("t1"), call: call.id, place: { cwd: "/work-folder", home: "/home/person" }, scope, clock };
}

export function okOutcome(call: CallInFlight, text = "done"): ToolOutcome {
  return { status: "ok", callId: call.id, metrics: { ms: 0, bytes: 0 }, forModel: [{ type: "text", text }], display: "full" };
}
