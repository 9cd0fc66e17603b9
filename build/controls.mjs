// Positive controls: plants a violation of every guard in a scratch project that uses the real configuration, and says which
// guards stayed silent. Two popular tools were seen to report success while they looked at nothing; these controls notice that.
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { ALLOWED, FORBIDDEN, LINT_PLANTS, TYPE_PLANTS } from "./plants.mjs";
import { ROOT, runBin } from "./process.mjs";

const TOOL_MS = 60_000;

async function plant(root, files) {
  for (const [file, text] of Object.entries(files)) {
    const target = path.join(root, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, text);
  }
}

/** A scratch project outside the repository (so that ignore files do not hide it) with our own configuration and packages. */
async function withScratch(files, use) {
  const root = await mkdtemp(path.join(os.tmpdir(), "cairn-guards-"));
  try {
    const copies = ["package.json", "tsconfig.json", ".biome.json", "build/knip.json", "shared/globals.d.ts"];
    const programs = ["shared", "electron", "renderer", "e2e"].map((folder) => `${folder}/tsconfig.json`);
    for (const file of [...copies, ...programs, "electron/tsconfig.e25.json"]) await cp(path.join(ROOT, file), path.join(root, file));
    await symlink(path.join(ROOT, "node_modules"), path.join(root, "node_modules"), "dir");
    const lint = JSON.stringify(path.join(ROOT, "build/lint.mjs"));
    await writeFile(
      path.join(root, ".oxlint.config.mjs"),
      `import { oxlintConfig } from ${lint};\nexport default oxlintConfig({ features: ["alpha", "beta"], exceptions: [] });\n`,
    );
    await plant(root, files);
    return await use(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

const importFile = (index, folder, ending) => path.posix.join(folder, `planted-${index}${ending}`);

/** One small file per border: `forbidden` must be reported, `allowed` must not. */
function borderPlants() {
  const rows = [...FORBIDDEN.map((row) => ({ row, bad: true })), ...ALLOWED.map((row) => ({ row, bad: false }))];
  return rows.map(({ row: [place, specifier], bad }, index) => {
    const file = /\.[cm]?tsx?$/.test(place) ? place : importFile(index, place, ".ts");
    return { file, specifier, bad };
  });
}

async function lintControls() {
  const files = { "shared/lib/kept.ts": "export const kept = 1;\n" };
  const borders = borderPlants().map((border) => {
    const before = files[border.file] ?? "";
    files[border.file] = `${before}import ${JSON.stringify(border.specifier)};\n`;
    return { ...border, line: before.split("\n").length };
  });
  const planted = LINT_PLANTS.map((one, index) => ({ ...one, file: one.file ?? `electron/loop/rule-${index}.ts` }));
  for (const { file, code, beside } of planted) Object.assign(files, { [file]: code }, beside);
  return withScratch(files, async (root) => {
    const { stdout } = await runBin("oxlint", ["-c", ".oxlint.config.mjs", "--type-aware", "-f", "json", "."], { cwd: root, timeoutMs: TOOL_MS });
    const { diagnostics } = JSON.parse(stdout);
    const hits = (file, code, line) =>
      diagnostics.filter((one) => one.filename === file && one.code === code && (line === undefined || one.labels[0].span.line === line));
    const rules = planted.map(({ file, rule }) => ({ name: `${rule} reports ${file}`, ok: hits(file, rule).length > 0 }));
    const edges = borders.map(({ file, specifier, bad, line }) => {
      const reported = hits(file, "eslint(no-restricted-imports)", line).length > 0;
      return { name: `${file} ${bad ? "may not" : "may"} import ${specifier}`, ok: reported === bad };
    });
    return [...rules, ...edges];
  });
}

async function typeControls() {
  const files = { "e2e/fine.ts": "export const fine = 1;\n", "renderer/fine.ts": "export const fine = 1;\n" };
  for (const { file, code } of TYPE_PLANTS) files[file] = code;
  return withScratch(files, async (root) => {
    const programs = [...new Set(TYPE_PLANTS.map(({ program }) => program))];
    const outputs = new Map();
    for (const program of programs)
      outputs.set(program, (await runBin("typescript", ["--noEmit", "-p", program], { command: "tsc", cwd: root, timeoutMs: TOOL_MS })).stdout);
    return TYPE_PLANTS.map(({ program, file, expect }) => ({
      name: `tsc -p ${program} reports ${expect} in ${file}`,
      ok: outputs.get(program).includes(file) && outputs.get(program).includes(expect),
    }));
  });
}

async function formatControl() {
  return withScratch({ "shared/lib/crooked.ts": "export   const a=1\n" }, async (root) => {
    const { code, stdout, stderr } = await runBin("@biomejs/biome", ["format", "--vcs-enabled=false", "."], {
      command: "biome",
      cwd: root,
      timeoutMs: TOOL_MS,
    });
    return [{ name: "biome reports a crooked file", ok: code !== 0 && `${stdout}${stderr}`.includes("crooked.ts") }];
  });
}

async function knipControls() {
  const files = {
    "electron/main.ts": 'import { used } from "#shared/lib/used.ts";\nvoid used;\n',
    "shared/lib/used.ts": "export const used = 1;\nexport const neverUsed = 2;\n",
    "shared/lib/lonely.ts": "export const lonely = 1;\n",
  };
  return withScratch(files, async (root) => {
    const { stdout } = await runBin("knip", ["-c", "build/knip.json", "--production", "--no-gitignore"], { cwd: root, timeoutMs: TOOL_MS });
    return [
      { name: "knip reports an export that nothing uses", ok: stdout.includes("neverUsed") },
      { name: "knip reports a file that nothing imports", ok: stdout.includes("lonely.ts") },
    ];
  });
}

/** Runs all controls; `ok: false` means that a guard is blind (or a border blocks what it should allow). */
export async function runControls() {
  const parts = [];
  for (const control of [lintControls, typeControls, formatControl, knipControls]) parts.push(...(await control()));
  return parts;
}

if (process.argv[1] === import.meta.filename) {
  const answers = await runControls();
  for (const { name, ok } of answers) if (!ok) console.log(`silent: ${name}`);
  console.log(`${answers.filter(({ ok }) => ok).length} of ${answers.length} controls fire`);
  process.exitCode = answers.every(({ ok }) => ok) ? 0 : 1;
}
