// What the model is told about sub-agents, and how their reports are worded (L23).
import type { SubagentReport } from "#electron/subagents/contract.ts";

export const TASK_TEXT = {
  summary: "Gives a self-contained task to a sub-agent with the same tools and returns its report.",
  guide:
    "For work with much to read and little to tell, such as finding where something is done; several calls in one reply run at the same time. It sees nothing of this conversation: put all that it needs into prompt, and say what the report must hold. Do small things yourself, and do not give two of them the same files to change.",
} as const;

export function reportText({ end, text, calls, usage }: SubagentReport): string {
  const size = `${end.steps} steps, ${calls} calls, ${usage.input + usage.cacheRead + usage.cacheWrite} tokens in, ${usage.output} out`;
  const doubt = end.why === "let_go" ? "; it ended with something still open" : "";
  return `[Report of a sub-agent: ${size}${doubt}]\n${text}`;
}

export function unfinishedText({ end }: SubagentReport): string {
  const detail = end.detail === undefined ? "" : `: ${end.detail}`;
  return `The sub-agent did not finish (${REASONS[end.why]}${detail}). What it changed so far stands. Give a smaller task, or do it yourself.`;
}

export const ABORTED_TEXT = "The sub-agent was stopped before it finished. What it changed so far stands.";

const REASONS: Readonly<Record<SubagentReport["end"]["why"], string>> = {
  answered: "it gave no words",
  let_go: "it gave no words",
  aborted: "stopped",
  failed: "a request or a part of the harness failed",
  refused: "its model refused",
  empty: "its model gave no answer",
  cut: "its answer was cut off",
  denied: "it lacked a permission",
  brake: "it repeated what cannot succeed",
  step_limit: "its limit of steps was reached",
  spend_limit: "the limit of spending was reached",
  interrupted: "interrupted",
};
