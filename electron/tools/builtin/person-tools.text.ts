// What the model is told about the two tools that need the person, and how their answers are worded (T16, P2).
// Every byte of the descriptions is sent with every request (T20).
import type { AskedItem, ItemAnswer } from "#shared/questions/question.ts";

export const ASK_USER_TEXT = {
  summary: "Asks the user 1 to 4 questions with choices and waits for the answers.",
  guide:
    'For decisions that change what you do and that you cannot find out yourself; never for permission, nor whether to go on. The choices exclude each other unless multiSelect is true; put the one you would take first. The user can always answer in their own words, so offer no "other". In plan mode, clear up what is open with it before plan_exit.',
} as const;

export const PLAN_EXIT_TEXT = {
  summary: "In plan mode, presents the finished plan to the user, who approves it, with changes or without, or rejects it.",
  guide: "Only when something is to be carried out, not for answers to questions. Give the whole plan as Markdown, or leave it out to present the plan file.",
} as const;

/** Nobody can be asked: what to do instead. */
export const NOBODY_TEXT = {
  headless:
    "Nobody is there to be asked in this run. Take the most likely choice yourself and say which one you took; if that would be a mere guess, leave it and state the open question in your answer.",
  subagent:
    "A sub-agent cannot ask the user. Take the most likely choice yourself and say so, or state the open question in your report: the agent that gave you the task can ask it.",
} as const;

export const DECLINED_TEXT =
  "The user did not choose and leaves it to you. Take the most likely choice, say which one you took, and do not ask the same again.";
export const ASK_STOPPED_TEXT = "Stopped while the user was being asked: there is no answer.";

export function answersText(items: readonly AskedItem[], answers: readonly ItemAnswer[]): string {
  const lines = items.map((item, k) => {
    const { picked = [], words = "" } = answers[k] ?? {};
    const chose = picked.length > 0 ? `They chose: ${picked.join("; ")}.` : "They chose none of the offered.";
    return [`${item.header}: ${item.question}`, chose, ...(words === "" ? [] : [`In their own words: ${words}`])].join("\n");
  });
  return `The user answered.\n\n${lines.join("\n\n")}`;
}

export const PLAN_STOPPED_TEXT = "Stopped while the user looked at the plan: it is neither approved nor rejected.";

export function noPlanModeText(): string {
  return "Plan mode is off, so there is nothing to approve here. Carry out what the user asked for; if they want a plan first, write it as your answer and end.";
}

export function noPlanText(file: string): string {
  return `There is no plan to present. Give it in plan, or write it to ${file} first.`;
}

export function longPlanText(characters: number, most: number): string {
  return `The plan has ${characters} characters; at most ${most} can be presented. Keep what the user must decide on, and leave out the rest.`;
}

export function approvedText(file: string, words: string): string {
  const verdict = words === "" ? "The user approved the plan." : `The user approved the plan with these changes, which count more than the plan:\n${words}\n`;
  return `${verdict}\nCarry it out now. It is kept in ${file}.`;
}

export function rejectedText(words: string, planning: boolean): string {
  const why = words === "" ? "They gave no reason; if it is not plain what is wrong, ask." : `They say:\n${words}\n`;
  const next = planning ? "Plan mode stays on: work on another plan and present that; do not present the same one again." : "Do not carry it out.";
  return `The user rejected this plan. ${why}\n${next}`;
}

export const UNASKED_PLAN_TEXT =
  "Nobody is there to approve the plan in this run, and nothing may be changed: the plan itself is the answer and will be shown whole. End now with one sentence, without repeating it.";
