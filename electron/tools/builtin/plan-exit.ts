// The plan_exit tool (P2 step 8): the way out of plan mode. The person decides about the plan, and with it about the mode.
import { z } from "zod";
import type { CallId } from "#shared/lib/ids.ts";
import type { PermissionMode } from "#shared/permissions/mode.ts";
import type { PersonAnswer } from "#shared/questions/question.ts";
import type { CardView } from "#shared/tools/card.ts";
import type { Tool, ToolContext, ToolReturn } from "#electron/tools/contract.ts";
import { defineTool } from "#electron/tools/define.ts";
import { toolError } from "./answers.ts";
import { ASKS_PERSON } from "./declared.ts";
import {
  approvedText,
  longPlanText,
  noPlanModeText,
  noPlanText,
  PLAN_EXIT_TEXT,
  PLAN_STOPPED_TEXT,
  rejectedText,
  UNASKED_PLAN_TEXT,
} from "./person-tools.text.ts";

const MAX_PLAN_CHARS = 60_000;
const Input = z.strictObject({ plan: z.string().trim().min(1).max(MAX_PLAN_CHARS).optional() });

export type PlanDeps = {
  mode(): PermissionMode;
  /** absolute path of the plan file, the one file that plan mode lets be written */
  file(): string;
  /** undefined: there is none */
  read(): Promise<string | undefined>;
  save(plan: string): Promise<void>;
  /** absent: nobody is there, so the plan is the answer */
  readonly person?: {
    /** undefined: the signal aborted first */
    ask(plan: string, call: CallId, signal: AbortSignal): Promise<PersonAnswer | undefined>;
    setMode(mode: PermissionMode): Promise<void>;
  };
};

export function createPlanExitTool(deps: PlanDeps): Tool {
  return defineTool({
    name: "plan_exit",
    aliases: ["exitplanmode", "exit_plan_mode"],
    schemaVersion: 1,
    input: Input,
    text: PLAN_EXIT_TEXT,
    ...ASKS_PERSON,
    // It may change the mode, and the calls after it are judged by that.
    isConcurrencySafe: () => false,
    async call(input, cx): Promise<ToolReturn> {
      if (deps.mode() !== "plan") return toolError(noPlanModeText());
      const plan = input.plan ?? (await deps.read())?.trim() ?? "";
      if (plan === "") return toolError(noPlanText(deps.file()));
      if (plan.length > MAX_PLAN_CHARS) return toolError(longPlanText(plan.length, MAX_PLAN_CHARS));
      if (input.plan !== undefined) await deps.save(`${plan}\n`);
      return await presented(deps, plan, cx);
    },
  });
}

async function presented(deps: PlanDeps, plan: string, cx: ToolContext): Promise<ToolReturn> {
  if (deps.person === undefined) return decided(UNASKED_PLAN_TEXT, { kind: "plan", plan, decision: "unasked" });
  const answer = await deps.person.ask(plan, cx.call, cx.scope.signal);
  if (answer === undefined) return { ok: false, failure: { kind: "aborted", retryable: true, message: PLAN_STOPPED_TEXT } };
  const words = "words" in answer ? (answer.words ?? "").trim() : "";
  const card = { kind: "plan" as const, plan, ...(words === "" ? {} : { words }) };
  if (answer.kind !== "approved") return decided(rejectedText(words, deps.mode() === "plan"), { ...card, decision: "rejected" });
  await deps.person.setMode(answer.mode);
  return decided(approvedText(deps.file(), words), { ...card, decision: "approved" });
}

function decided(text: string, view: CardView): ToolReturn {
  return { ok: true, forModel: [{ type: "text", text }], view };
}
