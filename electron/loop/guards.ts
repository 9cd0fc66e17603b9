// The narrow guards that are always on (L16 a, b, c). Judged by declared traits and by the shape of outputs, never by a command's name.
// Only (c) may end a turn: there nothing was done, so nothing is lost.
import { contentText } from "#shared/chat/blocks.ts";
import { headOf } from "#shared/lib/text.ts";
import type { Intervention, Round } from "./contract.ts";
import { hopelessCallText, sameReadText, sameScalarText } from "./guards.text.ts";
import { HOPELESS_ASK_TIMES, HOPELESS_TELL_TIMES, SAME_READ_TIMES, SAME_SCALAR_TIMES } from "./limits.ts";
import { notice } from "./notices.ts";
import { hasRealText } from "./real-text.ts";
import { scalarOf } from "./scalar.ts";
import { sameShapeGuard } from "./shape-guard.ts";
import { callKey, type TurnFacts } from "./turn-facts.ts";

type Done = Round["done"][number];
type Facts = Pick<TurnFacts, "changedFiles" | "metric">;

const ERROR_CHARS = 600;
const QUIET = { kind: "quiet" } as const;

/** `broad`: also the one that goes by the shape of calls, which takes much honest work for a loop and is therefore off by default. */
export function createGuards(facts: Facts, broad = false): readonly Intervention[] {
  return [sameReadGuard(facts), sameScalarGuard(facts), hopelessCallGuard(), ...(broad ? [sameShapeGuard(facts)] : [])];
}

const ran = ({ call }: Done) => call.traits.effects.some((effect) => effect.kind === "runs");
const wrote = ({ call, outcome }: Done) => outcome.status === "ok" && call.traits.mayWrite && !call.traits.readOnly;
const factsOf = (facts: Facts, key: string) => ({ files: facts.changedFiles(), metric: facts.metric(key) });

/** (a) A read-only call with the same output again and again. Reads in between change nothing; a write or a command that shows something new does. */
function sameReadGuard(facts: Facts): Intervention {
  let lastOutput = new Map<string, string>();
  let times = new Map<string, number>();
  /** How often this call has shown this output since something last changed; 0: not a read. */
  const take = (done: Done): number => {
    if (wrote(done)) {
      lastOutput = new Map();
      times = new Map();
      return 0;
    }
    if (!done.call.traits.readOnly) return 0;
    const key = callKey(done.call);
    const output = contentText(done.outcome.forModel);
    if (lastOutput.get(key) !== output && ran(done)) times = new Map();
    const again = lastOutput.get(key) === output ? (times.get(key) ?? 0) + 1 : 1;
    lastOutput.set(key, output);
    times.set(key, again);
    return again;
  };
  return {
    name: "same_read_same_output",
    reason: "loop_recovery",
    check(_state, round) {
      let hit: string | undefined;
      for (const done of round.done) {
        const key = callKey(done.call);
        if (take(done) !== SAME_READ_TIMES) continue;
        hit = sameReadText(done.call.name, SAME_READ_TIMES, factsOf(facts, key));
      }
      return hit === undefined ? QUIET : { kind: "note", text: hit };
    },
  };
}

/** (b) A command that prints one unchanged value, step after step, with nothing written and nothing said. */
function sameScalarGuard(facts: Facts): Intervention {
  let last: { readonly key: string; readonly value: string } | undefined;
  let times = 0;
  return {
    name: "identical_scalar",
    reason: "loop_recovery",
    check(_state, round) {
      const only = onlyScalar(round);
      const same = only !== undefined && only.key === last?.key && only.value === last.value;
      times = only === undefined ? 0 : same ? times + 1 : 1;
      last = only;
      if (only === undefined || times < SAME_SCALAR_TIMES) return QUIET;
      times = 0;
      last = undefined;
      return { kind: "note", text: sameScalarText(SAME_SCALAR_TIMES, factsOf(facts, only.key)) };
    },
  };
}

/** The one value of a step that did nothing but run one command; undefined when it said or wrote something as well. */
function onlyScalar({ reply, done }: Round): { readonly key: string; readonly value: string } | undefined {
  const [command, ...others] = done.filter(ran);
  if (command === undefined || others.length > 0 || hasRealText(reply)) return undefined;
  if (done.some((one) => one !== command && wrote(one)) || command.outcome.view?.kind === "file_change") return undefined;
  const value = scalarOf(outputOf(command));
  return value === undefined ? undefined : { key: callKey(command.call), value };
}

/** What the command printed: the model's part may carry a line about its exit as well. */
function outputOf({ outcome }: Done): string {
  return outcome.view?.kind === "shell" ? outcome.view.output : contentText(outcome.forModel);
}

/** (c) A call that cannot succeed: the same input, the same error each time, nothing done. Counted once a step: within one reply the model could not know. */
function hopelessCallGuard(): Intervention {
  const failures = new Map<string, number>();
  return {
    name: "cannot_succeed",
    reason: "loop_recovery",
    check(_state, round) {
      const hopeless = new Map(round.done.filter(cannotSucceed).map((done) => [`${callKey(done.call)} ${errorOf(done)}`, done]));
      for (const key of failures.keys()) if (!hopeless.has(key) && round.done.some(wrote)) failures.delete(key);
      for (const [key, done] of hopeless) {
        const times = (failures.get(key) ?? 0) + 1;
        failures.set(key, times);
        if (times === HOPELESS_TELL_TIMES) return { kind: "note", text: hopelessCallText(done.call.name, times, headOf(errorOf(done), ERROR_CHARS)) };
        if (times >= HOPELESS_ASK_TIMES) {
          failures.delete(key);
          return { kind: "ask", notice: notice("ask_hopeless_call", { tool: done.call.name, times }) };
        }
      }
      return QUIET;
    },
  };
}

/**
 * Unknown tool, invalid input, or a change of files that the tool could not make. A command or a page may answer otherwise next time,
 * and what only reads may be waiting for a file to come: those are left to guard (a).
 */
function cannotSucceed({ call, outcome }: Done): boolean {
  if (outcome.status !== "failed") return false;
  if (call.tool === undefined || outcome.failure.kind === "invalid_input") return true;
  const { mayWrite, effects } = call.traits;
  return outcome.failure.kind === "tool_error" && mayWrite && effects.every((effect) => effect.kind !== "runs" && effect.kind !== "network");
}

function errorOf({ outcome }: Done): string {
  return outcome.status === "failed" ? outcome.failure.message : "";
}
