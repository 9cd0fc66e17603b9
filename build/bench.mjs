// npm run bench: measures against a reference in the same run, never a bare time. Each build/bench/*.bench.mjs exports `name` and
// `run(tools)`; `npm run bench -- window` runs those whose file name holds the word.
import { readdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { appEnv, prepare, ready } from "./app.mjs";
import { OUT } from "./build.mjs";
import { withDisplay } from "./display.mjs";
import { sandboxArgs } from "./electron-path.mjs";
import { main, endTree, ROOT, run } from "./process.mjs";

const FOLDER = path.join(ROOT, "build/bench");
const onLinux = process.platform === "linux";

/** The value below which the given share of the sorted values lies. */
export function quantile(values, share) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** One line: what, the measured value, its reference and their ratio with its limit. */
export function verdict({ what, unit, value, reference, limit }) {
  const ratio = value / reference.value;
  const round = (number) => (number >= 100 ? number.toFixed(0) : number.toFixed(2));
  const kept = limit === undefined ? "" : `, limit ${limit}: ${ratio <= limit ? "kept" : "BROKEN"}`;
  return {
    ok: limit === undefined || ratio <= limit,
    line: `${what}: ${round(value)} ${unit}, ${reference.what} ${round(reference.value)} ${unit}, ratio ${ratio.toFixed(2)}${kept}`,
  };
}

async function runBenches(words) {
  await prepare({ virtualDisplay: onLinux });
  const electron = await ready();
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(".bench.mjs") && (words.length === 0 || words.some((word) => file.includes(word))));
  const tools = { electron, env: appEnv(electron), sandboxArgs: sandboxArgs(), root: ROOT, out: OUT, run, endTree, quantile, withDisplay, onLinux };
  let ok = true;
  for (const file of files.toSorted()) {
    const bench = await import(pathToFileURL(path.join(FOLDER, file)).href);
    console.log(`\n== ${bench.name}`);
    for (const row of await bench.run(tools)) {
      const { line, ok: kept } = verdict(row);
      console.log(line);
      ok &&= kept;
    }
  }
  return ok ? 0 : 1;
}

if (process.argv[1] === import.meta.filename) await main(() => runBenches(process.argv.slice(2)));
