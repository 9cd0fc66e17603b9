// From the start of the process to a usable window (a control that can be used is on the page), against an Electron window with
// nothing but a button in it, in turns. Watched through the debugging port, so that nothing waits for a test driver.
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { WebSocket } from "undici";

export const name = "start to usable window";

const ROUNDS = 7;
const LIMIT = 1.5;
const POLL_MS = 10;
const GIVE_UP_MS = 30_000;
const USABLE = 'document.querySelector("button:not([disabled]), textarea:not([disabled])") !== null';

const EMPTY_APP = `
const { app, BrowserWindow } = require("electron");
app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 1280, height: 800, show: false, webPreferences: { sandbox: true } });
  window.once("ready-to-show", () => window.show());
  window.loadURL("data:text/html,<button>empty</button>");
});
`;

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The port that Chromium says it listens on. */
function debuggingPort(child) {
  return new Promise((resolve, reject) => {
    let said = "";
    child.stderr.on("data", (chunk) => {
      said += chunk;
      const port = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1];
      if (port) resolve(port);
    });
    child.once("exit", () => reject(new Error(`the app ended before a window came up. ${said}`)));
    setTimeout(() => reject(new Error(`no debugging port. ${said}`)), GIVE_UP_MS).unref();
  });
}

async function pageSocket(port, deadline) {
  while (performance.now() < deadline) {
    const targets = await fetch(`http://127.0.0.1:${port}/json/list`).then((answer) => answer.json());
    const page = targets.find(({ type }) => type === "page");
    if (page) return page.webSocketDebuggerUrl;
    await wait(POLL_MS);
  }
  throw new Error("no page came up");
}

/** Resolves when the expression is true in the page. */
async function untilTrue(url, expression, deadline) {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", () => reject(new Error("the debugging port hung up")));
  });
  const ask = (id) =>
    new Promise((resolve) => {
      const hear = ({ data }) => {
        const answer = JSON.parse(data);
        if (answer.id !== id) return;
        socket.removeEventListener("message", hear);
        resolve(answer.result?.result?.value === true);
      };
      socket.addEventListener("message", hear);
      socket.send(JSON.stringify({ id, method: "Runtime.evaluate", params: { expression, returnByValue: true } }));
    });
  for (let id = 1; performance.now() < deadline; id++) {
    if (await ask(id)) return socket.close();
    await wait(POLL_MS);
  }
  throw new Error("the page did not become usable");
}

async function measure(tools, env, args) {
  const started = performance.now();
  const deadline = started + GIVE_UP_MS;
  const child = spawn(tools.electron.executable, [...tools.sandboxArgs, "--remote-debugging-port=0", ...args], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, ...env },
    detached: true,
  });
  try {
    const url = await pageSocket(await debuggingPort(child), deadline);
    await untilTrue(url, USABLE, deadline);
    return performance.now() - started;
  } finally {
    const gone = new Promise((resolve) => child.once("exit", resolve));
    tools.endTree(child, "SIGKILL");
    await gone;
  }
}

export async function run(tools) {
  const scratch = await mkdtemp(path.join(os.tmpdir(), "cairn-bench-"));
  const empty = path.join(scratch, "empty.cjs");
  await writeFile(empty, EMPTY_APP);
  const programs = { empty: [empty, `--user-data-dir=${path.join(scratch, "empty")}`], cairn: [tools.root, `--data-dir=${path.join(scratch, "cairn")}`] };
  const times = { empty: [], cairn: [] };
  try {
    await tools.withDisplay(
      async (env) => {
        // The first round warms the disk and makes the profiles.
        for (let round = 0; round <= ROUNDS; round++)
          for (const [which, args] of Object.entries(programs)) {
            const ms = await measure(tools, env, args);
            if (round > 0) times[which].push(ms);
          }
      },
      tools.onLinux ? { virtual: true } : {},
    );
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
  return [
    {
      what: "start to usable, p50",
      unit: "ms",
      value: tools.quantile(times.cairn, 0.5),
      reference: { what: "empty window", value: tools.quantile(times.empty, 0.5) },
      limit: LIMIT,
    },
    {
      what: "start to usable, p90",
      unit: "ms",
      value: tools.quantile(times.cairn, 0.9),
      reference: { what: "empty window", value: tools.quantile(times.empty, 0.9) },
    },
  ];
}
