// "Fix the failing test": look around, run the tests, read, edit, run them again, say what was done.
import { FIX } from "./fix.text.ts";
import { type DemoCall, type DemoStep, type Scene, countOf, lastCall, say } from "./scene.ts";

const SOURCE = "src/price.js";
const TEST = "test/price.test.js";
const RUN = "npm test";
const WRONG_LINE = "  return cents - percent;";
const RIGHT_LINE = "  return Math.round(cents * (1 - percent / 100));";
const EDIT: DemoCall = { name: "edit", input: { file_path: SOURCE, old_string: WRONG_LINE, new_string: RIGHT_LINE } };

export function fixStep(scene: Scene): DemoStep {
  const texts = FIX[scene.language];
  const listed = lastCall(scene, "ls");
  if (listed === undefined)
    return {
      say: texts.lookAround,
      calls: [
        { name: "ls", input: { path: "." } },
        { name: "read", input: { file_path: "package.json" } },
      ],
    };
  if (!isSample(scene)) return say(texts.otherFolder);
  if (lastCall(scene, "read", SOURCE) === undefined) return beforeReading(scene);
  return afterReading(scene);
}

function isSample(scene: Scene): boolean {
  const manifest = lastCall(scene, "read", "package.json");
  return manifest?.ok === true && manifest.text.includes("little-shop");
}

function beforeReading(scene: Scene): DemoStep {
  const texts = FIX[scene.language];
  const run = lastCall(scene, "bash");
  if (run === undefined) return { say: texts.runTests, calls: [bash(texts.runReason)] };
  const tests = testResult(run.text);
  if (tests?.failed === 0) return say(texts.allPass(tests.passed));
  const words = run.denied ? texts.runDenied : tests === undefined ? texts.cannotRun : texts.oneFails(tests.failing ?? TEST);
  const search: readonly DemoCall[] = scene.tools.has("grep") ? [{ name: "grep", input: { pattern: "discounted\\(", path: "." } }] : [];
  return { say: words, calls: [{ name: "read", input: { file_path: TEST } }, { name: "read", input: { file_path: SOURCE } }, ...search] };
}

function afterReading(scene: Scene): DemoStep {
  const texts = FIX[scene.language];
  const source = lastCall(scene, "read", SOURCE);
  if (source?.ok !== true) return say(texts.cannotRead(SOURCE));
  const edit = lastCall(scene, "edit");
  if (edit === undefined) return source.text.includes(WRONG_LINE.trim()) ? { say: texts.found, calls: [EDIT] } : say(texts.alreadyFixed(SOURCE));
  if (edit.denied) return say(texts.editDenied(SOURCE, WRONG_LINE, RIGHT_LINE));
  if (!edit.ok) return say(texts.editFailed(SOURCE, WRONG_LINE, RIGHT_LINE));
  return checkFix(scene);
}

function checkFix(scene: Scene): DemoStep {
  const texts = FIX[scene.language];
  const runs = scene.done.filter((call) => call.name === "bash");
  const editAt = scene.done.findIndex((call) => call.name === "edit");
  const after = scene.done.slice(editAt).findLast((call) => call.name === "bash");
  const before = runs[0];
  // Who said no to running the tests once is not asked again.
  if (after === undefined && before?.denied === true) return say(texts.doneUnchecked(SOURCE));
  if (after === undefined && countOf(scene, "bash") < 2 && before !== undefined && testResult(before.text) === undefined)
    return say(texts.doneUnchecked(SOURCE));
  if (after === undefined) return { say: texts.checkAgain, calls: [bash(texts.checkReason)] };
  const tests = testResult(after.text);
  if (tests === undefined) return say(texts.doneUnchecked(SOURCE));
  return say(tests.failed === 0 ? texts.done(SOURCE, tests.passed) : texts.stillFails(tests.failed));
}

function bash(reason: string): DemoCall {
  return { name: "bash", input: { command: RUN, description: reason } };
}

export type TestResult = { readonly passed: number; readonly failed: number; readonly failing: string | undefined };

/** Reads the end of `node --test`, in either of its two forms; undefined when no tests ran. */
export function testResult(output: string): TestResult | undefined {
  const failed = /(?:#|ℹ)\s*fail\s+(\d+)/.exec(output)?.[1];
  const passed = /(?:#|ℹ)\s*pass\s+(\d+)/.exec(output)?.[1];
  if (failed === undefined || passed === undefined) return undefined;
  const failing = /not ok \d+ - ([^\n]+)/.exec(output)?.[1] ?? /✖ ([^\n(]+?)(?: \(|\n|$)/.exec(output)?.[1];
  return { passed: Number(passed), failed: Number(failed), failing: failing?.trim() };
}
