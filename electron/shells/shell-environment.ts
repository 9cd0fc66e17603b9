// What commands get in their environment so that nothing pages, prompts or opens an editor (F04). Pure. What a command sets for
// itself wins, as always in a shell.
import type { Environment } from "#electron/lib/child-environment.ts";

/** Programs page when they print to a terminal; nobody is there to turn the page. */
const NO_PAGERS: Environment = {
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  SYSTEMD_PAGER: "cat",
  GH_PAGER: "cat",
  AWS_PAGER: "",
  BAT_PAGER: "cat",
  DELTA_PAGER: "cat",
  PSQL_PAGER: "cat",
  LESS: "-FRX",
};
/** The no-op editor keeps proposed messages and plans as they are; git says so when there is none. */
const NO_EDITORS: Environment = { EDITOR: "true", VISUAL: "true", GIT_EDITOR: "true", GIT_SEQUENCE_EDITOR: "true" };
const NO_QUESTIONS: Environment = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "",
  SSH_ASKPASS_REQUIRE: "never",
  GCM_INTERACTIVE: "never",
  GH_PROMPT_DISABLED: "1",
  DEBIAN_FRONTEND: "noninteractive",
  PIP_NO_INPUT: "1",
};
/** Sizes and multiplexers of a terminal that is not this one. */
const OF_ANOTHER_TERMINAL = ["COLUMNS", "LINES", "TERMCAP", "TMUX", "TMUX_PANE", "STY", "WINDOW", "SSH_ASKPASS"];
const TERM = "xterm-256color";

/** `base` has been through `childEnvironment` already. `input`: whether somebody can answer. */
export function shellEnvironment(base: Environment, cwd: string, input: "none" | "terminal"): Environment {
  const kept = Object.fromEntries(Object.entries(base).filter(([name]) => !OF_ANOTHER_TERMINAL.includes(name)));
  return { ...kept, ...NO_PAGERS, ...NO_EDITORS, ...(input === "none" ? NO_QUESTIONS : {}), TERM, PWD: cwd };
}
