// npm run check: types, format, lint, dead code and the proof that these guards are awake.
import { existsSync } from "node:fs";
import path from "node:path";
import { ensureInstalled } from "./install.mjs";
import { pool, ROOT, runBin } from "./process.mjs";
import { CODE_FOLDERS, codeFiles } from "./sources.mjs";

const TOOL_MS = 180_000;
const AT_ONCE = 2;
const NO_INPUTS = "TS18003";

const tool = (name, args, options = {}) => runBin(name, args, { timeoutMs: TOOL_MS, ...options });
const answer = (ok, text) => ({ ok, text: text.trim() });

/** One type program. A folder without sources is said to be empty; a program that finds no files in a full folder is broken. */
async function types(project) {
  const folder = project.split("/")[0];
  const { code, stdout, stderr } = await tool("typescript", ["--noEmit", "-p", project, "--pretty", "false"], { command: "tsc" });
  const empty = stdout.includes(NO_INPUTS) && codeFiles(ROOT, [folder]).length === 0;
  return answer(code === 0 || empty, empty ? "nothing to check yet" : `${stdout}${stderr}`);
}

async function format() {
  const { code, stdout, stderr } = await tool("@biomejs/biome", ["format", "--reporter=concise", "--max-diagnostics=60", "."], { command: "biome" });
  return answer(code === 0, `${stdout}${stderr}\n(npm run format puts it right)`);
}

const lintLine = ({ filename, labels, code, message, help }) => `${filename}:${labels[0]?.span.line ?? 1} ${code} ${message}${help ? ` ${help}` : ""}`;

async function lint(args = CODE_FOLDERS, env = {}) {
  const folders = args.filter((place) => existsSync(path.join(ROOT, place)));
  const { stdout, stderr } = await tool("oxlint", ["-c", ".oxlint.config.mjs", "--type-aware", "-f", "json", ...folders], { env });
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`oxlint broke: ${stdout}${stderr}`);
  }
}

async function lintAll() {
  const { diagnostics, number_of_files: seen } = await lint();
  const expected = codeFiles(ROOT).length;
  const lines = diagnostics.map(lintLine);
  if (seen < expected) lines.push(`oxlint looked at ${seen} of ${expected} files`);
  return answer(lines.length === 0, lines.join("\n"));
}

/** Each exception must still be needed, have a reason, and the list must not grow. */
async function exceptions() {
  const { EXCEPTIONS, EXCEPTION_CEILING } = await import("./exceptions.mjs");
  const problems = EXCEPTIONS.filter(({ why }) => why.length < 20).map(({ file }) => `${file}: the reason is missing`);
  if (EXCEPTIONS.length > EXCEPTION_CEILING) problems.push(`${EXCEPTIONS.length} exceptions, at most ${EXCEPTION_CEILING} are allowed`);
  const files = EXCEPTIONS.map(({ file }) => file);
  const { diagnostics } = files.length === 0 ? { diagnostics: [] } : await lint(files, { CAIRN_LINT_WITHOUT_EXCEPTIONS: "1" });
  for (const { file, rules } of EXCEPTIONS)
    for (const rule of rules) {
      const code = `${rule.includes("/") ? rule.replace("/", "(") : `eslint(${rule}`})`;
      if (!diagnostics.some((one) => one.filename === file && one.code === code))
        problems.push(`${file}: ${rule} is no longer broken there, remove the exception`);
    }
  return answer(problems.length === 0, problems.join("\n"));
}

async function deadCode() {
  const { code, stdout, stderr } = await tool("knip", ["-c", "build/knip.json", "--production", "--no-config-hints"]);
  return answer(code === 0, `${stdout}${stderr}`);
}

async function packages() {
  const { code, stdout, stderr } = await tool("knip", ["-c", "build/knip.json", "--include", "dependencies,unlisted,unresolved,binaries", "--no-config-hints"]);
  return answer(code === 0, `${stdout}${stderr}`);
}

async function controls() {
  const { runControls } = await import("./controls.mjs");
  const silent = (await runControls()).filter(({ ok }) => !ok);
  return answer(silent.length === 0, silent.map(({ name }) => `silent: ${name}`).join("\n"));
}

async function ratchets() {
  const { code, stdout, stderr } = await tool(
    "vitest",
    ["run", "--config", "build/vitest.config.mjs", "--project", "node", "--reporter", "dot", "build/ratchets"],
    { env: { NO_COLOR: "1" } },
  );
  return answer(code === 0, `${stdout}${stderr}`);
}

const programs = ["shared", "electron", "renderer", "e2e", "electron/tsconfig.e25.json", "build"];

/** Slow ones first, so that two cores end together. */
const CHECKS = [
  { name: "positive controls", run: controls },
  { name: "lint", run: lintAll },
  ...programs.map((project) => ({ name: `types ${project}`, run: () => types(project) })),
  { name: "format", run: format },
  { name: "dead code", run: deadCode },
  { name: "packages", run: packages },
  { name: "lint exceptions", run: exceptions },
];

async function runOne({ name, run }) {
  const started = performance.now();
  const { ok, text } = await run().catch((error) => answer(false, String(error.stack ?? error)));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${ok ? "ok  " : "FAIL"} ${name} (${seconds} s)${ok ? "" : `\n${text}`}`);
  return ok;
}

/** Runs the guards and prints one line each. `withRatchets` is off where the whole unit suite runs anyway. */
export async function runChecks({ withRatchets }) {
  const all = withRatchets ? [{ name: "ratchets", run: ratchets }, ...CHECKS] : CHECKS;
  const passed = (
    await pool(
      all.map((check) => () => runOne(check)),
      AT_ONCE,
    )
  ).filter(Boolean).length;
  return { passed, failed: all.length - passed };
}

if (process.argv[1] === import.meta.filename) {
  await ensureInstalled();
  const { passed, failed } = await runChecks({ withRatchets: true });
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
