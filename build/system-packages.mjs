// The system packages that a window needs on Debian and Ubuntu: installed when we are root, otherwise the exact command is said.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { run } from "./process.mjs";

const INSTALL_MS = 900_000;
const QUERY_MS = 20_000;

const WINDOW = ["libgtk-3-0", "libnss3", "libasound2", "libgbm1"];
const VIRTUAL_DISPLAY = ["xvfb", "xauth"];
/** Without these, pictures show boxes in place of emoji and Chinese. */
const FONTS = ["fonts-noto-color-emoji", "fonts-noto-cjk"];
const COMPILER = ["python3", "make", "g++"];
const COMMANDS = { python3: "python3", make: "make", "g++": "g++", git: "git", xvfb: "Xvfb", xauth: "xauth" };

/** Newer releases renamed some packages when time grew to 64 bits. */
const RENAMED = { "libgtk-3-0": "libgtk-3-0t64", libasound2: "libasound2t64" };

/**
 * What to do, from facts alone.
 * @param {{ wanted: string[], installed: ReadonlySet<string>, commands: ReadonlySet<string>, known: ReadonlySet<string>, isRoot: boolean, isDebian: boolean }} facts
 *   `installed`: dpkg's names; `commands`: programs on the path; `known`: names that apt offers (empty: not asked)
 * @returns {{ kind: "nothing" } | { kind: "say", missing: string[], command: string } | { kind: "install", missing: string[], commands: string[][] }}
 */
export function planPackages({ wanted, installed, commands, known, isRoot, isDebian }) {
  const there = (name) => installed.has(name) || installed.has(RENAMED[name]) || commands.has(COMMANDS[name]);
  const missing = wanted.filter((name) => !there(name)).map((name) => (RENAMED[name] && known.has(RENAMED[name]) && !known.has(name) ? RENAMED[name] : name));
  if (missing.length === 0) return { kind: "nothing" };
  if (!isDebian) return { kind: "say", missing, command: "" };
  const install = ["apt-get", "install", "-y", "--no-install-recommends", ...missing];
  if (isRoot) return { kind: "install", missing, commands: [["apt-get", "update"], install] };
  return { kind: "say", missing, command: `sudo apt-get update && sudo ${install.join(" ")}` };
}

export function wantedPackages({ virtualDisplay, compiler }) {
  return [...WINDOW, ...FONTS, ...(virtualDisplay ? VIRTUAL_DISPLAY : []), ...(compiler ? COMPILER : []), "git"];
}

async function installedPackages(names) {
  const all = [...names, ...names.flatMap((name) => RENAMED[name] ?? [])];
  const { stdout } = await run("dpkg-query", ["-W", "-f", "${Package} ${db:Status-Status}\n", ...all], { timeoutMs: QUERY_MS });
  return new Set(stdout.split("\n").flatMap((line) => (line.endsWith(" installed") ? [line.split(" ")[0]] : [])));
}

async function offeredPackages() {
  const renamed = Object.entries(RENAMED).flat();
  const { stdout } = await run("apt-cache", ["madison", ...renamed], { timeoutMs: QUERY_MS });
  return new Set(stdout.split("\n").map((line) => line.split("|")[0].trim()));
}

const onPath = (command) => (process.env.PATH ?? "").split(":").some((folder) => existsSync(`${folder}/${command}`));

async function facts(wanted) {
  const isDebian = existsSync("/usr/bin/apt-get") && existsSync("/usr/bin/dpkg-query");
  const commands = new Set(Object.values(COMMANDS).filter(onPath));
  return {
    wanted,
    commands,
    isDebian,
    isRoot: process.getuid?.() === 0,
    installed: isDebian ? await installedPackages(wanted) : new Set(),
    known: isDebian ? await offeredPackages() : new Set(),
  };
}

/** Other Linux systems: Electron itself says what is missing, so only a hint is given. */
const otherSystem = async (missing) => {
  const name = /PRETTY_NAME="?([^"\n]*)/.exec(await readFile("/etc/os-release", "utf8").catch(() => ""))?.[1] ?? "this system";
  return `On ${name} the packages are not installed for you. The window needs what Debian calls: ${missing.join(" ")}\n`;
};

/**
 * Makes sure of the packages on Linux; does nothing elsewhere. Failing to install is said and not an error: the window may open all the same.
 * @param {{ virtualDisplay?: boolean, compiler?: boolean }} needs `compiler`: node-pty has still to be built
 */
export async function ensureSystemPackages({ virtualDisplay = false, compiler = false }) {
  if (process.platform !== "linux") return;
  const plan = planPackages(await facts(wantedPackages({ virtualDisplay, compiler })));
  if (plan.kind === "nothing") return;
  if (plan.kind === "say") {
    const hint =
      plan.command === "" ? await otherSystem(plan.missing) : `System packages are missing: ${plan.missing.join(" ")}. Install them with\n  ${plan.command}\n`;
    process.stderr.write(hint);
    return;
  }
  process.stderr.write(`Installing system packages: ${plan.missing.join(" ")}\n`);
  for (const [command, ...args] of plan.commands) {
    const { code, stderr } = await run(command, args, { timeoutMs: INSTALL_MS, env: { DEBIAN_FRONTEND: "noninteractive" } });
    if (code !== 0) process.stderr.write(`${command} ${args.join(" ")} failed (${code}): ${stderr.trim().split("\n").at(-1)}\n`);
  }
}
