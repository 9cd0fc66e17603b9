import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gitlinksIn } from "./git-index.ts";
import { readSettings } from "./git-settings.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cairn-gitconfig-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Versions of git differ in what they make of tabs within a value. */
const spaced = (settings: readonly { readonly key: string; readonly value: string }[] | undefined) =>
  settings?.map(({ key, value }) => ({ key, value: value.replaceAll(/\s/g, " ") }));

/** What git itself reads; undefined: it refuses the file. */
function asGit(text: string): readonly { readonly key: string; readonly value: string }[] | undefined {
  const file = join(folder, "config");
  writeFileSync(file, text);
  const told = spawnSync("git", ["config", "-z", "--list", "--no-includes", "-f", file], { encoding: "utf8" });
  if (told.status !== 0) return undefined;
  return told.stdout
    .split("\0")
    .filter((one) => one !== "")
    .map((one) => {
      const at = one.indexOf("\n");
      return at < 0 ? { key: one.toLowerCase(), value: "true" } : { key: one.slice(0, at).toLowerCase(), value: one.slice(at + 1) };
    });
}

describe("settings as git reads them", () => {
  it.each([
    '[a]\n\tb = "x;y" # z\n[c "D e"] f = g\\\nh\n\ti\n',
    "[core]\n# x \\\nfsmonitor = ev.sh\n",
    "[user][core]fsmonitor = ev.sh\n",
    "[core]\rfsmonitor = ev.sh\n",
    "[core]\n\tfsmonitor = ev.sh #\u2028\n",
    "[core] a = 1 [core] b = 2\n",
    "\uFEFF[core]\na=b",
    '[a "x\\"y\\\\z"]\nb = "a  b"  c\n',
    "[a]\nb = x \\\n   y\n",
    "fsmonitor=\\",
    "[core]\nfsmonitor = ev.sh \\",
  ])("%j", (text) => {
    expect(spaced(readSettings(text))).toEqual(spaced(asGit(text)));
  });

  it("finds everything that git finds, whatever the text", () => {
    const part = fc.constantFrom(
      "[",
      "]",
      "core",
      "fsmonitor",
      "=",
      " ",
      "\t",
      "\n",
      "\r",
      "\r\n",
      '"',
      "\\",
      "#",
      ";",
      ".",
      "a",
      "x y",
      "\u2028",
      "[core]",
      '[a "b"]',
      "\nfsmonitor = evil\n",
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 14 }).map((parts) => parts.join("")),
        (text) => {
          const git = asGit(text);
          if (git === undefined) return; // what git refuses runs nothing
          expect(spaced(readSettings(text))).toEqual(spaced(git));
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe("repositories within a repository", () => {
  it.each(["2", "3", "4"])("are found in an index of version %s, among many files", (version) => {
    const top = mkdtempSync(join(folder, "top-"));
    const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: top, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    git("init", "-q");
    for (let n = 0; n < 40; n += 1) writeFileSync(join(top, `file-${"x".repeat(n * 3)}-${n}`), `${n}`);
    git("add", "-A");
    const hash = git("hash-object", "-t", "tree", "/dev/null").trim();
    for (const path of ["sub", "deep/er/one"]) git("update-index", "--add", "--cacheinfo", `160000,${hash},${path}`);
    if (version === "3") git("update-index", "--skip-worktree", "file--0");
    git("update-index", "--index-version", version);
    const index = execFileSync("cat", [join(top, ".git/index")]);
    expect([...gitlinksIn(index)].sort()).toEqual(["deep/er/one", "sub"]);
  });

  it("an index that is none or damaged is an error, never an empty answer", () => {
    expect(() => gitlinksIn(Buffer.from("nothing"))).toThrow();
    expect(() => gitlinksIn(Buffer.from("DIRC\0\0\0\x02\0\0\0\x05"))).toThrow();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          gitlinksIn(Buffer.concat([Buffer.from("DIRC\0\0\0\x02\0\0\0\x01", "latin1"), bytes]));
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
    );
  });
});
