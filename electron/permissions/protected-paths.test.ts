import { describe, expect, it } from "vitest";
import { loadProtectedPaths, PROTECTED_PATHS } from "./protected-paths.ts";
import { loadSecretPaths, SECRET_PATHS } from "./secret-paths.ts";

describe("protected paths", () => {
  it("each row answers for its own examples, so specific rows stand before general ones", () => {
    const match = loadProtectedPaths();
    for (const row of PROTECTED_PATHS)
      for (const example of row.match) expect({ example, by: match(example.toLowerCase())?.reason }).toEqual({ example, by: row.reason });
  });

  it("refuses to load when a general row hides a specific one", () => {
    expect(() => loadProtectedPaths([...PROTECTED_PATHS].reverse())).toThrow(/does not answer for its example/);
  });

  it("refuses to load when a row matches what it must not", () => {
    const row = { paths: ["src"], reason: "planted", why: "own_settings" as const, approver: "person" as const, match: ["/w/src/a.ts"], not: ["/w/src/b.ts"] };
    expect(() => loadProtectedPaths([row])).toThrow(/must not/);
  });

  it.each(["/w/.GIT/hooks/pre-commit".toLowerCase(), "c:/w/.git/hooks/x", "/w/.git/hooks"])("knows %s in any spelling", (path) => {
    expect(loadProtectedPaths()(path)?.approver).toBe("person");
  });

  it.each(["/w/src/app.ts", "/w/README.md", "/w/.env", "/w/.gitignore", "/w/git/hooks/a", "/w/tests/package.test.ts"])("leaves %s alone", (path) => {
    expect(loadProtectedPaths()(path)).toBeUndefined();
  });

  it("every row says who may approve and why", () => {
    expect(PROTECTED_PATHS.filter((row) => row.reason.length < 20 || row.match.length === 0 || row.not.length === 0)).toEqual([]);
  });
});

describe("secret paths", () => {
  it("each row matches its examples below any home", () => {
    expect(loadSecretPaths("/home/ann (work)")("/home/ann (work)/.ssh/id_rsa")).toBe("SSH keys");
  });

  it("refuses to load a row that contradicts its examples", () => {
    expect(() => loadSecretPaths("/home/u", [{ paths: ["~/x"], what: "planted", match: ["~/y"], not: [] }])).toThrow(/do not match/);
    expect(() => loadSecretPaths("/home/u", [{ paths: ["~/x"], what: "planted", match: [], not: ["~/x/a"] }])).toThrow(/match the example/);
  });

  it("does not take project files for secrets", () => {
    const match = loadSecretPaths("/home/u");
    expect(["/w/.env", "/w/src/ssh.ts", "/home/u/work/.npmrc", "/w/id_rsa.pub"].filter((path) => match(path) !== undefined)).toEqual([]);
    expect(SECRET_PATHS.length).toBeGreaterThan(10);
  });
});
