// The demo's whole mind: from what it sees to what it does next. Pure.
import { assertNever } from "#shared/lib/assert-never.ts";
import { OTHER } from "./demo.text.ts";
import { explainStep } from "./explain.ts";
import { fixStep } from "./fix.ts";
import { notesStep } from "./notes.ts";
import { pageStep } from "./page.ts";
import { type DemoStep, type Scene, say } from "./scene.ts";
import { taskOf } from "./tasks.ts";

/** More steps than any task has; a task that would go on for ever ends here with words. */
const MAX_CALLS = 16;

export function nextStep(scene: Scene): DemoStep {
  // A request without tools wants words only: a summary after a limit, or of what is to be shortened.
  if (scene.tools.size === 0) return say(OTHER[scene.language].summary(scene.earlier.concat(scene.prompt)));
  if (scene.done.length >= MAX_CALLS) return say(OTHER[scene.language].enough);
  const step = taskStep(scene);
  const missing = step.calls.find((call) => !scene.tools.has(call.name));
  return missing === undefined ? step : say(OTHER[scene.language].withoutTool(missing.name));
}

function taskStep(scene: Scene): DemoStep {
  const task = taskOf(scene);
  switch (task) {
    case "fix":
      return fixStep(scene);
    case "explain":
      return explainStep(scene);
    case "notes":
      return notesStep(scene);
    case "page":
      return pageStep(scene);
    case "other":
      return say(OTHER[scene.language].onlyDemo);
    default:
      return assertNever(task);
  }
}
