// npm run demo: the app doing its main job on a sample project with the built-in demo model, told as it happens.
import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { prepare, ready, runStories } from "./app.mjs";
import { hasDisplay, withDisplay } from "./display.mjs";
import { main, ROOT } from "./process.mjs";

const DEMO_MS = 300_000;
const PICTURES = path.join(ROOT, "pictures");

/** Pictures younger than `since`, oldest first. */
export function picturesSince(since, folder = PICTURES) {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".png"))
    .map((file) => path.join(folder, file));
  const aged = files.map((file) => ({ file, at: statSync(file).mtimeMs })).filter(({ at }) => at >= since);
  return aged.sort((one, other) => one.at - other.at).map(({ file }) => file);
}

/** Runs the stories with the tag and prints the pictures they took. Returns the exit code. */
export async function tell(tag, { virtual, timeoutMs = DEMO_MS }) {
  const since = Date.now();
  const electron = await ready();
  const reporter = path.join(ROOT, "build/story-reporter.mjs");
  const { code } = await withDisplay(
    (env) => runStories(["--grep", tag, "--workers=1"], { electron, env: { ...env, CAIRN_PICTURES: PICTURES }, timeoutMs, reporter }),
    { virtual },
  );
  const pictures = picturesSince(since);
  if (pictures.length > 0) console.log(`\nPictures:\n${pictures.map((file) => `  ${file}`).join("\n")}`);
  return code;
}

/** The demo on the person's own display, or on a virtual one where there is none. */
export async function runDemo() {
  await prepare();
  return tell("@demo", { virtual: !hasDisplay() });
}

if (process.argv[1] === import.meta.filename) await main(runDemo);
