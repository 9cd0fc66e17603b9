// What the corpus lets through is run for real: no canary may appear, and what passes as a read must change nothing.
import { spawn } from "node:child_process";
import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { makeScratchFolder, type ScratchFolder } from "#electron/testkit/permission-bench.ts";
import { type CorpusGroup, loadCorpus } from "#electron/testkit/permission-corpus.ts";

/** Programs that rules of the corpus allow, replaced so that nothing is fetched or built. */
const REPLACED = ["npm", "make", "tsc", "go", "docker", "curl", "python3"];
const LIMIT_MS = 5_000;
const CANARY = "PWNED";

const folders: ScratchFolder[] = [];
afterAll(async () => {
  await Promise.all(folders.map((folder) => folder.remove()));
});

async function scratch(): Promise<ScratchFolder> {
  const folder = await makeScratchFolder();
  folders.push(folder);
  const bin = join(folder.root, "bin");
  await mkdir(bin);
  for (const name of REPLACED) {
    await writeFile(join(bin, name), "#!/bin/sh\nexit 0\n");
    await chmod(join(bin, name), 0o755);
  }
  return folder;
}

function runBash(command: string, folder: ScratchFolder, replaced: boolean): Promise<void> {
  const path = [...(replaced ? [join(folder.root, "bin")] : []), dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":");
  return new Promise((resolve, reject) => {
    const child = spawn("/bin/bash", ["-c", command], {
      cwd: folder.workspace,
      env: { PATH: path, HOME: folder.home, GIT_PAGER: "cat" },
      stdio: "ignore",
      timeout: LIMIT_MS,
      killSignal: "SIGKILL",
    });
    child.on("error", reject);
    child.on("close", () => resolve());
  });
}

/** Every file below with its mode and text. git refreshes its index when it reads, npm keeps a log of its own. */
async function contents(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.name === ".git" || entry.name === ".npm") continue;
    if (entry.isDirectory()) found.push(`${path}/`, ...(await contents(path)));
    else found.push(entry.isFile() ? `${path} ${(await stat(path)).mode} ${await readFile(path, "utf8")}` : path);
  }
  return found.sort();
}

async function picture(folder: ScratchFolder): Promise<string> {
  return [...(await contents(folder.workspace)), ...(await contents(folder.home)), ...(await contents(folder.outside))].join("\n");
}

async function canaries(folder: ScratchFolder): Promise<readonly string[]> {
  const everywhere = [...(await contents(folder.workspace)), ...(await contents(folder.home)), ...(await contents(folder.outside))];
  return everywhere.filter((line) => line.split(" ")[0]?.includes(CANARY) === true);
}

const isUnasked = (group: CorpusGroup) => group.mode === "default" && group.rules.allow.length === 0;
const allowed = (group: CorpusGroup) => group.rows.filter(([, verdict]) => verdict === "allow").map(([command]) => command);

describe("what the corpus allows, run for real", () => {
  it("changes nothing when it passed as a read", async () => {
    const folder = await scratch();
    const before = await picture(folder);
    const commands = (await loadCorpus())
      .flatMap(({ groups }) => groups)
      .filter(isUnasked)
      .flatMap(allowed);
    const guilty: string[] = [];
    let known = before;
    for (const command of commands) {
      await runBash(command, folder, false);
      const now = await picture(folder);
      if (now !== known) guilty.push(command);
      known = now;
    }
    expect({ guilty, canaries: await canaries(folder), many: commands.length > 300 }).toEqual({ guilty: [], canaries: [], many: true });
  }, 60_000);

  it("leaves no canary when a rule or a mode allowed it", async () => {
    const groups = (await loadCorpus()).flatMap(({ groups: all }) => all).filter((group) => !isUnasked(group) && group.repo === "plain");
    const guilty: string[] = [];
    for (const group of groups) {
      const commands = allowed(group);
      if (commands.length === 0) continue;
      const folder = await scratch();
      for (const command of commands) await runBash(command, folder, true);
      if ((await canaries(folder)).length > 0) guilty.push(group.name);
    }
    expect(guilty).toEqual([]);
  }, 60_000);

  it("would see a canary", async () => {
    const folder = await scratch();
    await runBash("touch src/PWNED", folder, true);
    expect((await canaries(folder)).length).toBe(1);
  });
});
