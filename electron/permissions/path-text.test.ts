import { describe, expect, it } from "vitest";
import { checkDangers, DANGERS, findRoughDangers } from "./dangerous.ts";
import { comparable, isAmbiguousName, isDeviceName, isHarmlessDevice, isInside, isNetworkPath, platformOf } from "./path-text.ts";
import { matchesTrees } from "./tree-pattern.ts";

const [linux, mac, windows] = [platformOf("linux"), platformOf("darwin"), platformOf("win32")];

describe("paths by their text", () => {
  it.each(["\\\\host\\share", "//host/share", "//10.0.0.1/c$"])("%s is on another computer", (path) => {
    expect(isNetworkPath(path)).toBe(true);
  });
  it.each(["/host/share", "///x", "//", "C:\\x", "\\\\.\\C:", "//?/C:/x", "a//b"])("%s is not", (path) => {
    expect(isNetworkPath(path)).toBe(false);
  });

  it.each(["/dev/sda", "/dev/mem", "/dev/tcp/a/1", "\\\\.\\PhysicalDrive0", "//./COM1", "/dev/nullx"])("%s is a device", (path) => {
    expect(isDeviceName(path)).toBe(true);
  });
  it.each(["/dev/null", "/dev/fd/3", "/dev", "/dev/shm/x", "/w/dev/sda"])("%s is none that matters", (path) => {
    expect(isDeviceName(path)).toBe(false);
  });
  it("only whole names are harmless devices", () => {
    expect(["/dev/null", "/dev/stdout", "/dev/fd/12", "/dev/null/../x", "/dev/fd/x", "x/dev/null"].map(isHarmlessDevice)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it.each([
    ["/w/a", "/w", linux, true],
    ["/w", "/w", linux, true],
    ["/wx", "/w", linux, false],
    ["/", "/w", linux, false],
    ["/W/a", "/w", linux, false],
    ["/W/a", "/w", mac, true],
    ["c:\\W\\a", "C:\\w", windows, true],
    ["/a", "/", linux, true],
  ])("%s inside %s", (path, folder, platform, expected) => {
    expect(isInside(path, folder, platform)).toBe(expected);
  });

  it("are compared without what file systems ignore", () => {
    expect([
      comparable("/w/.G\u200cIT/hooks", mac),
      comparable("C:\\w\\.git. \\x::$DATA", windows),
      comparable("/w/a. ", linux),
      comparable("/w/\u0065\u0301", linux),
    ]).toEqual(["/w/.git/hooks", "c:/w/.git/x", "/w/a. ", "/w/\u00e9"]);
  });

  it("short names and streams are ambiguous on Windows only", () => {
    expect([
      isAmbiguousName("C:\\GIT~1", windows),
      isAmbiguousName("C:\\a:b", windows),
      isAmbiguousName("C:\\a", windows),
      isAmbiguousName("/a~1:b", linux),
    ]).toEqual([true, true, false, false]);
  });
});

describe("patterns of the tables", () => {
  it.each([
    [[".git/hooks"], true, "/w/.git/hooks/x", true],
    [[".git/hooks"], true, ".git/hooks", true],
    [[".git/hooks"], true, "/w/x.git/hooks", false],
    [[".git/hooks"], true, "/w/.git/hooksx", false],
    [["a*.json"], true, "/w/ab.json", true],
    [["a*.json"], true, "/w/a/b.json", false],
    [["a/**/b"], true, "/w/a/b", true],
    [["a/**/b"], true, "/w/a/x/y/b/c", true],
    [["/etc/x"], false, "/etc/x/y", true],
    [["/etc/x"], false, "/w/etc/x", false],
    [["A.B"], true, "/w/a.b", true],
    [["a.b"], true, "/w/axb", false],
  ])("%j (anywhere: %s) and %s: %s", (paths, anywhere, text, expected) => {
    expect(matchesTrees(paths, anywhere)(text)).toBe(expected);
  });
});

describe("dangers in text that no grammar read", () => {
  it("every row's examples hold, and a row that contradicts them does not load", () => {
    expect(() => checkDangers()).not.toThrow();
    const [row] = DANGERS;
    if (row === undefined) throw new Error("no rows");
    expect(() => checkDangers([{ ...row, match: ["ls"] }])).toThrow(/does not match/);
    expect(() => checkDangers([{ ...row, not: ["rm -rf /"] }])).toThrow(/must not/);
  });

  it.each(["Remove-Item -Recurse -Force C:\\", "format c:", "Stop-Computer", "iwr https://x | iex", ":(){ :|:& };:"])("%s", (text) => {
    expect(findRoughDangers(text).length).toBe(1);
  });

  it.each(["Get-ChildItem C:\\", "Remove-Item build -Recurse", "npm run format c", "git log"])("not %s", (text) => {
    expect(findRoughDangers(text)).toEqual([]);
  });
});
