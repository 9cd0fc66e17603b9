// Words of the loop for the model (C8). Each is said once where it is needed; none praises or blames.
import type { NoteDraft } from "#shared/chat/note.ts";

export const CONTINUE_TEXT: NoteDraft = {
  source: "output_limit",
  text: "Your reply was cut off by the output limit. Continue exactly where it stopped; do not repeat what you have written and do not apologise.",
};
export const ANSWER_SHORTER: NoteDraft = {
  source: "output_limit",
  text: "The output limit was used up before you answered. Answer now, and keep it short.",
};
export const SMALLER_CALLS: NoteDraft = {
  source: "output_limit",
  text: "Your reply was cut off by the output limit in the middle of a tool call; that call was not run. Do the work in smaller pieces: for example write a file in several parts.",
};
export const GO_ON_AFTER_PAUSE: NoteDraft = { source: "pause", text: "You paused. Go on with the task." };
export const NO_CALL_CAME: NoteDraft = {
  source: "missing_call",
  text: "Your reply announced a tool call but contained none. Call the tool, or answer the user if nothing is left to do.",
};
export const CALL_WAS_TEXT: NoteDraft = {
  source: "call_as_text",
  text: "Your reply looks like a tool call written as text. Nothing was run. Use the tool interface to call a tool, or answer the user in words.",
};
export const STEP_LIMIT_SUMMARY: NoteDraft = {
  source: "step_limit",
  text: "The step limit of this run is reached. Do not call tools. Write a short summary for the user: what is done, what is left, and what to do next.",
};
export const SPEND_LIMIT_SUMMARY: NoteDraft = {
  source: "spend_limit",
  text: "The spend limit of this run is reached. Do not call tools. Write a short summary for the user: what is done, what is left, and what to do next.",
};
export const PERSON_SAID_GO_ON: NoteDraft = {
  source: "go_on",
  text: "The user was asked and wants you to go on, but not with the same call again. Try another way.",
};

export function softReminder(steps: number): NoteDraft {
  return { source: "many_steps", text: `${steps} steps have been used for this request. If the work is done, finish; otherwise go on.` };
}

/** The calls of a dropped reply as text: none may stay a call without an answer (L5). */
export function emptyArguments(calls: readonly { readonly name: string; readonly degenerate: boolean }[]): NoteDraft {
  const lines = calls.map((call) => `- ${call.name}${call.degenerate ? " with empty arguments {}" : ""}`);
  return {
    source: "empty_arguments",
    text: `Your last reply called tools with empty arguments although they need some, so none of its calls was run:\n${lines.join("\n")}\nSend the calls again with all required arguments filled in.`,
  };
}
