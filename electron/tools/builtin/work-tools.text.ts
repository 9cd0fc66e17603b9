// What the model is told about the tools over its own work: hypotheses and the person's goal. Every byte is sent with every request (T20).

export const HYPOTHESIS_TEXT = {
  summary: "Keeps hypotheses about a cause, each with what would prove it wrong.",
  guide:
    "When you look for a cause that is not plain: register a claim with its falsifier (an observation that would prove it wrong; fixed from then on) before you test it, then confirm or refute it with the evidence you saw. An open or refuted claim is not a conclusion.",
} as const;

export const GOAL_TEXT = {
  summary: "Shows the goal that the user set with /goal, or reports it met.",
  guide: 'Give state "met" with the evidence you saw (a test run, an output) only when the whole goal is reached; without state it only shows the goal.',
} as const;
