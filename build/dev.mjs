// npm run dev: the app with hot reload. The page comes from vite's server; main, preload and workers are rebuilt as they change
// and the app starts anew. Everything goes to out/dev, so that a dev leftover never reaches a test.
import { spawn } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { prepare } from "./app.mjs";
import { copyFiles, OUT } from "./build.mjs";
import { hasDisplay } from "./display.mjs";
import { resolveElectron, sandboxArgs } from "./electron-path.mjs";
import { endTree, main, passOnQuietly } from "./process.mjs";

const DEV_OUT = path.join(OUT, "dev");
/** Several files saved at once, or several programs rebuilt by one change, are one restart. */
const SETTLE_MS = 150;
const LAST_RESORT_MS = 3_000;

async function servePage(vite) {
  const { pageConfig } = await import("./targets.mjs");
  const server = await vite.createServer({ ...(await pageConfig(DEV_OUT)), logLevel: "info", server: { host: "127.0.0.1", port: 0, strictPort: false } });
  await server.listen();
  const { port } = server.httpServer.address();
  return { server, url: `http://127.0.0.1:${port}/` };
}

/** Watches one node program; `changed` is called after every good build, the first one included. */
async function watchProgram(vite, program, changed) {
  const { nodeConfig } = await import("./targets.mjs");
  const config = nodeConfig(program, DEV_OUT);
  const watcher = await vite.build({ ...config, mode: "development", build: { ...config.build, watch: {} } });
  const first = deferred();
  watcher.on("event", (event) => {
    if (event.code === "ERROR") console.error(`${program.name}: ${event.error.message}`);
    if (event.code !== "END") return;
    first.resolve();
    changed();
  });
  await first.promise;
  return watcher;
}

function deferred() {
  let resolve;
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Makes the folder an app of its own, with its own name. */
async function describeApp() {
  const pkg = { name: "cairn-dev", productName: "Cairn Dev", version: "0.0.0", main: "main/index.cjs" };
  await writeFile(path.join(DEV_OUT, "package.json"), JSON.stringify(pkg));
}

/** The running app: `restart` replaces it, `stop` ends it. `ended` is called when the person closes it. */
function createRunner(electron, url, ended) {
  let child;
  let restarting = false;
  let timer;
  const start = () => {
    restarting = false;
    child = spawn(electron.executable, [...sandboxArgs(), DEV_OUT, ...process.argv.slice(2)], {
      stdio: ["inherit", "inherit", "pipe"],
      env: { ...process.env, CAIRN_DEV_URL: url },
    });
    passOnQuietly(child.stderr);
    child.once("exit", () => (restarting ? start() : ended()));
  };
  const replace = () => {
    if (child === undefined) return start();
    restarting = true;
    const old = child;
    endTree(old);
    setTimeout(() => endTree(old, "SIGKILL"), LAST_RESORT_MS).unref();
  };
  return {
    restart: () => {
      clearTimeout(timer);
      timer = setTimeout(replace, SETTLE_MS);
    },
    stop: () => {
      clearTimeout(timer);
      restarting = false;
      if (child !== undefined) endTree(child);
    },
  };
}

await main(async () => {
  if (!hasDisplay()) throw new Error("npm run dev needs a display (DISPLAY or WAYLAND_DISPLAY). Without one: npm run demo.");
  await prepare();
  const electron = await resolveElectron();
  const vite = await import("vite");
  const { nodePrograms } = await import("./targets.mjs");
  await rm(DEV_OUT, { recursive: true, force: true });
  await mkdir(DEV_OUT, { recursive: true });
  await copyFiles(DEV_OUT);
  await describeApp();
  const { server, url } = await servePage(vite);
  const closed = deferred();
  const runner = createRunner(electron, url, closed.resolve);
  const programs = nodePrograms().filter(({ name }) => name !== "headless");
  const watchers = [];
  for (const program of programs) watchers.push(await watchProgram(vite, program, runner.restart));
  process.once("SIGINT", closed.resolve);
  process.once("SIGTERM", closed.resolve);
  await closed.promise;
  runner.stop();
  await Promise.all([...watchers.map((watcher) => watcher.close()), server.close()]);
  return 0;
});
