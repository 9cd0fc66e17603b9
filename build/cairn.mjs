// npm run cairn: the headless command from the sources. Runs in this very process, so that arguments, streams, signals and the exit
// code are the command's own; builds first when the sources have changed (said on stderr).
import { runMain } from "node:module";
import path from "node:path";
import { isBuilt, OUT } from "./build.mjs";

async function makeReady() {
  const { prepareHeadless } = await import("./app.mjs");
  try {
    await prepareHeadless();
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}

if (!isBuilt()) await makeReady();
// npm runs scripts at the root of the project; the command belongs where the person stands.
if (process.env.npm_lifecycle_event === "cairn" && process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
process.argv[1] = path.join(OUT, "headless/index.cjs");
runMain();
