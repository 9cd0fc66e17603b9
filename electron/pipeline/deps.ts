// The powers of the pipeline. Each is a narrow function, so that a gate can be tested with a one-line fake.
import type { ModelContent } from "#shared/chat/blocks.ts";
import type { StepName } from "#shared/permissions/question.ts";
import type { ToolOutcome, ToolProgress } from "#shared/tools/outcome.ts";
import type { Trace } from "#electron/trace/contract.ts";
import type { HookRunner } from "#electron/hooks/contract.ts";
import type { Clock } from "#electron/lib/clock.ts";
import type { PermissionQuery } from "#electron/permissions/contract.ts";
import type { Admission } from "#electron/scheduler/contract.ts";
import type { Tool, ToolContext, ToolRegistry } from "#electron/tools/contract.ts";
import type { CallInFlight, Prepare } from "./contract.ts";

export type Authorisation =
  | { readonly behavior: "allow"; readonly waited: boolean }
  | { readonly behavior: "deny"; readonly by: StepName; readonly because: string; readonly byPerson: boolean; readonly why: string | undefined }
  | { readonly behavior: "aborted" };

export type PipelineDeps = {
  readonly registry: ToolRegistry;
  readonly prepare: Prepare;
  readonly clock: Clock;
  readonly trace: Trace;
  readonly hooks: HookRunner;
  readonly admission: Admission;
  /** ms a tool gets to return after its signal aborted, before the call is settled without it */
  readonly abortGraceMs: number;
  mode(): PermissionQuery["mode"];
  /** chain, refusal count and person together */
  authorise(query: PermissionQuery, signal: AbortSignal): Promise<Authorisation>;
  /** a checkpoint before the first possible write (K2); never rejects */
  protect(call: CallInFlight, cx: ToolContext): Promise<void>;
  /** brackets the run of a call that may write, so that its changes are known as its own (K5) */
  watchWrites(call: CallInFlight, cx: ToolContext): Promise<() => Promise<void>>;
  /** intent before the side effect, result after it (S1) */
  readonly journal: {
    state(call: CallInFlight, state: "queued" | "checking" | "waiting_for_person" | "running"): void;
    started(call: CallInFlight, cx: ToolContext): Promise<void>;
    refused(call: CallInFlight, by: StepName, because: string, cx: ToolContext): Promise<void>;
    settled(call: CallInFlight, outcome: ToolOutcome, cx: ToolContext): Promise<void>;
    progress(call: CallInFlight, progress: ToolProgress): void;
  };
  /** cuts text to the tool's limit and keeps the whole on disk (T9) */
  limit(content: ModelContent, tool: Tool, cx: ToolContext): Promise<{ readonly content: ModelContent; readonly cut: boolean }>;
  redact(text: string): string;
  /** a hook said that the turn should end */
  hookStop(reason: string): void;
  /** texts for the model */
  readonly tell: {
    unknownTool(name: string, near: readonly string[]): string;
    denied(tool: Tool, denial: Extract<Authorisation, { behavior: "deny" }>): string;
  };
};
