// Runs programs for the scripts of this folder. Every child has a time limit and is ended by its own pid (group), never by name.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export const ROOT = path.resolve(import.meta.dirname, "..");
const WINDOWS = process.platform === "win32";
const KILL_GRACE_MS = 3_000;

/** The node arguments that start an installed package's own command, on every platform and without a shell. */
export function nodeBin(packageName, command = packageName, root = ROOT) {
  const folder = path.join(root, "node_modules", packageName);
  const { bin } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const entry = typeof bin === "string" ? bin : bin[command];
  if (entry === undefined) throw new Error(`${packageName} has no command ${command}`);
  return path.join(folder, entry);
}

/** All processes below one, whatever group they put themselves in (Electron starts its own). Linux only; elsewhere empty. */
export function descendants(pid) {
  if (process.platform !== "linux") return [];
  const children = new Map();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const parent = parentOf(name);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found = [...(children.get(pid) ?? [])];
  for (const one of found) found.push(...(children.get(one) ?? []));
  return found;
}

function parentOf(pid) {
  try {
    // The name in brackets may hold anything; the parent is the second field after it.
    return Number(
      readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ")[1],
    );
  } catch {
    return 0;
  }
}

function signalOne(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone already.
  }
}

/**
 * Ends a child and everything below it by their pids. Answers what was below it, because after the child is gone nobody knows any more
 * who belonged to it: `endAll` of that list makes an end for sure.
 */
export function endTree(child, signal = "SIGTERM") {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return [];
  if (WINDOWS) {
    spawn("taskkill", ["/PID", String(child.pid), "/T", "/F"], { stdio: "ignore" });
    return [];
  }
  const below = descendants(child.pid);
  signalOne(-child.pid, signal);
  signalOne(child.pid, signal);
  for (const pid of below) signalOne(pid, signal);
  return below;
}

/** Kills what `endTree` had found and what is still there. */
export function endAll(pids) {
  for (const pid of pids) signalOne(pid, "SIGKILL");
}

/**
 * Runs a program to its end. Never throws for a failing program: look at `code`.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: Record<string, string | undefined>, timeoutMs?: number, show?: boolean | "stderr", onOutput?: (text: string) => void }} [options]
 *   `show`: pass the program's output on ("stderr": all of it to our stderr); `timeoutMs`: end it after so long (code is then 124)
 * @returns {Promise<{ code: number, stdout: string, stderr: string, timedOut: boolean, ms: number }>}
 */
export function run(command, args, options = {}) {
  const { cwd = ROOT, env = {}, timeoutMs, show = false, onOutput } = options;
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...colours(show), ...env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: !WINDOWS,
      windowsHide: true,
    });
    const text = { stdout: "", stderr: "" };
    let timedOut = false;
    const timers =
      timeoutMs === undefined ? [] : [setTimeout(() => expire("SIGTERM"), timeoutMs), setTimeout(() => expire("SIGKILL"), timeoutMs + KILL_GRACE_MS)];
    const expire = (signal) => {
      timedOut = true;
      below.push(...endTree(child, signal));
    };
    const below = [];
    const forget = forwardSignals(child, below);
    const finish = (code) => {
      forget();
      endAll(below);
      for (const timer of timers) clearTimeout(timer);
      resolve({ code: timedOut ? 124 : code, ...text, timedOut, ms: performance.now() - started });
    };
    for (const name of ["stdout", "stderr"]) {
      child[name].setEncoding("utf8");
      child[name].on("data", (chunk) => {
        text[name] += chunk;
        onOutput?.(chunk);
        if (show) (show === "stderr" ? process.stderr : process[name]).write(chunk);
      });
    }
    child.on("error", (error) => {
      text.stderr += error.message;
      finish(127);
    });
    child.on("close", (code, signal) => finish(code ?? (signal === "SIGINT" ? 130 : 1)));
  });
}

/** A program whose output we pass on cannot see whether there is a terminal at the end; what is kept for reading needs no colours. */
function colours(show) {
  const target = show === "stderr" ? process.stderr : process.stdout;
  return show && target.isTTY ? { FORCE_COLOR: "1" } : { NO_COLOR: "1", FORCE_COLOR: undefined };
}

/** Runs an installed package's command under this Node. */
export function runBin(packageName, args, options = {}) {
  return run(process.execPath, [nodeBin(packageName, options.command ?? packageName), ...args], options);
}

/**
 * A detached child does not hear Ctrl+C of the terminal: it is passed on. What was below it then is added to `below`.
 * Returns the way to stop listening.
 */
function forwardSignals(child, below) {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  const handler = (signal) => {
    below.push(...endTree(child, signal));
    setTimeout(() => below.push(...endTree(child, "SIGKILL")), KILL_GRACE_MS).unref();
    process.exitCode = 130;
  };
  for (const signal of signals) process.on(signal, handler);
  const atExit = () => endAll([...below, ...endTree(child, "SIGKILL")]);
  process.on("exit", atExit);
  return () => {
    process.off("exit", atExit);
    for (const signal of signals) process.off(signal, handler);
  };
}

/** Runs tasks with at most `limit` at a time; answers keep the order of the tasks. */
export async function pool(tasks, limit) {
  const answers = [];
  let next = 0;
  const worker = async () => {
    while (next < tasks.length) {
      const index = next++;
      answers[index] = await tasks[index]();
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, tasks.length) }, worker));
  return answers;
}

export const isInstalled = (root = ROOT) => existsSync(path.join(root, "node_modules/.package-lock.json"));

/** Ends a script with its reason on stderr in place of a stack. */
export async function main(work) {
  try {
    process.exitCode = (await work()) ?? process.exitCode ?? 0;
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}

/** Lines that Chromium prints on healthy machines without a message bus or a graphics card. */
const NOISE =
  /ERROR:(?:bus|object_proxy)\.cc|viz_main_impl\.cc|Exiting GPU process|gpu_process_host\.cc|GPU stall|command_buffer_proxy_impl|DevTools listening/;

/** Passes an Electron's stderr on without that noise. */
export function passOnQuietly(stream, target = process.stderr) {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk) => {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (!NOISE.test(line)) target.write(`${line}\n`);
  });
  stream.on("end", () => rest !== "" && target.write(rest));
}
