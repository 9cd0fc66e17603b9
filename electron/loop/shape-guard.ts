// Broad detection (L16), off by default: many calls of one shape in a short stretch that changed nothing. The shape is the tool, the names of
// its arguments, and what it is aimed at: without the last, every shell command would have the same one.
import type { Intervention, Round } from "./contract.ts";
import { sameShapeText } from "./guards.text.ts";
import { SAME_SHAPE_TIMES, SAME_SHAPE_WINDOW } from "./limits.ts";
import type { TurnFacts } from "./turn-facts.ts";

type Done = Round["done"][number];

/** Arguments that say what a call is aimed at; of a command the program and its verb. */
const AIMS: readonly string[] = ["file_path", "path", "cwd", "url"];

export function sameShapeGuard(facts: Pick<TurnFacts, "changedFiles">): Intervention {
  let recent: readonly string[] = [];
  return {
    name: "same_shape",
    reason: "loop_recovery",
    check(_state, { done }) {
      if (done.some(changedSomething)) {
        recent = [];
        return { kind: "quiet" };
      }
      recent = [...recent, ...done.map(shapeOf)].slice(-SAME_SHAPE_WINDOW);
      const newest = done.at(-1);
      if (newest === undefined) return { kind: "quiet" };
      const times = recent.filter((shape) => shape === shapeOf(newest)).length;
      if (times < SAME_SHAPE_TIMES) return { kind: "quiet" };
      recent = [];
      return { kind: "note", text: sameShapeText(newest.call.name, times, facts.changedFiles()) };
    },
  };
}

function changedSomething({ call, outcome }: Done): boolean {
  return outcome.status === "ok" && call.traits.mayWrite && call.traits.effects.some((effect) => effect.kind === "writes" || effect.kind === "deletes");
}

function shapeOf({ call }: Done): string {
  const { raw } = call;
  if (typeof raw !== "object" || raw === null) return call.name;
  const aims = Object.entries(raw).flatMap(([name, value]) => {
    if (typeof value !== "string") return [];
    if (AIMS.includes(name)) return [value];
    return name === "command" ? [value.trim().split(/\s+/, 2).join(" ")] : [];
  });
  return [call.name, ...Object.keys(raw).sort(), ...aims].join("\0");
}
