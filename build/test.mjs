// npm test: guards, types, unit, integration and user stories on a real window. Ends with the line `N passed, N failed`.
// `npm test -- check unit e2e` runs only the named parts.
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { appEnv, prepare, ready, runStories } from "./app.mjs";
import { hasDisplay, withDisplay } from "./display.mjs";
import { runBin } from "./process.mjs";

const UNIT_MS = 480_000;
const STORIES_MS = 600_000;
const PARTS = ["check", "unit", "e2e"];

const onLinux = process.platform === "linux";
const xvfbIsThere = () => ["/usr/bin", "/usr/local/bin", "/bin"].some((folder) => existsSync(`${folder}/Xvfb`));

const headline = (text) => console.log(`\n== ${text}`);

/** A part that ended badly without naming a failed test still failed. */
export function count({ passed, failed, code }) {
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed };
}

async function json(file) {
  return existsSync(file) ? JSON.parse(await readFile(file, "utf8")) : undefined;
}

/** What is bundled and what the notices say must be the same; only a finished build knows. */
async function notices() {
  const { noticesProblem } = await import("./licences.mjs");
  const problem = await noticesProblem();
  if (problem !== undefined) throw new Error(problem);
  return { passed: 1, failed: 0 };
}

async function check() {
  const { runChecks } = await import("./check.mjs");
  return runChecks({ withRatchets: false });
}

async function unit({ scratch, electron }) {
  const file = path.join(scratch, "unit.json");
  const args = ["run", "--config", "build/vitest.config.mjs", "--reporter=dot", "--reporter=json", `--outputFile.json=${file}`];
  const { code } = await runBin("vitest", args, { env: electron ? appEnv(electron) : {}, timeoutMs: UNIT_MS, show: true });
  const report = await json(file);
  return count({ passed: report?.numPassedTests ?? 0, failed: report?.numFailedTests ?? 0, code });
}

async function e2e({ scratch, electron }) {
  if (electron === undefined) return { passed: 0, failed: 1 };
  const file = path.join(scratch, "stories.json");
  const virtual = onLinux && (xvfbIsThere() || !hasDisplay());
  const { code } = await withDisplay(
    (env) => runStories([], { electron, env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: file }, timeoutMs: STORIES_MS, reporter: "list,json" }),
    { virtual },
  );
  const stats = (await json(file))?.stats;
  return count({ passed: stats?.expected ?? 0, failed: (stats?.unexpected ?? 0) + (stats?.flaky ?? 0), code });
}

/** Runs a part; one that cannot even start is one failure, and the others still run. */
async function attempt(name, work) {
  headline(name);
  const started = performance.now();
  try {
    const result = await work();
    console.log(`${name}: ${result.passed} passed, ${result.failed} failed (${((performance.now() - started) / 1000).toFixed(0)} s)`);
    return result;
  } catch (error) {
    console.error(`${name}: ${error.message}`);
    return { passed: 0, failed: 1 };
  }
}

async function runParts(parts, scratch) {
  let electron;
  const results = [];
  results.push(
    await attempt("build", async () => {
      await prepare({ virtualDisplay: onLinux });
      electron = await ready();
      return { passed: 1, failed: 0 };
    }),
  );
  if (electron !== undefined && parts.includes("check")) results.push(await attempt("notices", notices));
  const run = { check, unit, e2e };
  for (const part of parts) results.push(await attempt(part, () => run[part]({ scratch, electron })));
  return results;
}

async function runTests(wanted) {
  const unknown = wanted.filter((part) => !PARTS.includes(part));
  if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(", ")}; choose from ${PARTS.join(", ")}.`);
  const scratch = await mkdtemp(path.join(os.tmpdir(), "cairn-test-"));
  try {
    return await runParts(
      PARTS.filter((part) => wanted.length === 0 || wanted.includes(part)),
      scratch,
    );
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) {
  const results = await runTests(process.argv.slice(2)).catch((error) => {
    console.error(error.message);
    return [{ passed: 0, failed: 1 }];
  });
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  console.log(`\n${sum("passed")} passed, ${sum("failed")} failed`);
  process.exit(sum("failed") === 0 && sum("passed") > 0 ? 0 : 1);
}
