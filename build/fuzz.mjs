// npm run fuzz: the tests that make up their own input, with many times the runs of `npm test`. `-- 200` says how many times (else 50);
// further words choose files, as for vitest.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { main, ROOT, runBin } from "./process.mjs";

const FOLDERS = ["electron", "shared"];
const TIMES = 50;
const LIMIT_MS = 3_600_000;
/** Slow with reason here: one test alone may run for minutes. */
const TEST_MS = 1_800_000;

/** Test files that look at CAIRN_FUZZ. */
export function fuzzFiles(root = ROOT) {
  return FOLDERS.flatMap((folder) => readdirSync(path.join(root, folder), { recursive: true }).map((name) => path.join(folder, name)))
    .filter((name) => name.endsWith(".test.ts") && /\bCAIRN_FUZZ\b/.test(readFileSync(path.join(root, name), "utf8")))
    .toSorted();
}

async function fuzz(words) {
  const times = /^\d+$/.test(words[0] ?? "") ? Number(words[0]) : TIMES;
  const chosen = words.filter((word) => !/^\d+$/.test(word));
  const files = fuzzFiles().filter((file) => chosen.length === 0 || chosen.some((word) => file.includes(word)));
  if (files.length === 0) throw new Error(`No such test: ${chosen.join(", ")}. There are:\n${fuzzFiles().join("\n")}`);
  const args = ["run", "--config", "build/vitest.config.mjs", `--testTimeout=${TEST_MS}`, ...files];
  const { code } = await runBin("vitest", args, { env: { CAIRN_FUZZ: String(times) }, timeoutMs: LIMIT_MS, show: true });
  return code;
}

if (process.argv[1] === import.meta.filename) await main(() => fuzz(process.argv.slice(2)));
