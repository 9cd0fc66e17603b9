import { describe, expect, it } from "vitest";
import { type PlatformFacts, refuseFolder } from "./refuse.ts";

const linux: PlatformFacts = { platform: "linux", home: "/home/ann", personal: ["/home/ann/Schreibtisch"] };
const mac: PlatformFacts = { platform: "darwin", home: "/Users/ann", personal: [] };
const windows: PlatformFacts = { platform: "win32", home: "C:\\Users\\ann", personal: ["C:\\Users\\ann\\OneDrive\\Bureau"] };

const refused = (facts: PlatformFacts, folder: string, real = folder) => refuseFolder(folder, real, facts) !== undefined;

describe("folders that are refused (D08)", () => {
  for (const folder of [
    "/home/ann",
    "/home/ann/",
    "/home/ann/.",
    "/home/ann/x/..",
    "/",
    "//",
    "/home",
    "/home/ann/Desktop",
    "/home/ann/Schreibtisch",
    "/etc",
    "/usr/lib/node",
    "/tmp",
    "/media/ann/USB",
    "/mnt/disk",
    "\\\\server\\share",
  ]) {
    it(`linux ${folder}`, () => expect(refused(linux, folder)).toBe(true));
  }
  for (const folder of ["/Users/ann", "/users/ANN", "/Users", "/Volumes/USB", "/Users/ann/Desktop", "/Users/ann/Library", "/System/Library", "/private/tmp"]) {
    it(`mac ${folder}`, () => expect(refused(mac, folder)).toBe(true));
  }
  for (const folder of [
    "C:\\",
    "c:/",
    "C:",
    "C:\\Users\\ann",
    "c:\\users\\ANN\\",
    "%USERPROFILE%",
    "C:\\Users",
    "C:\\Users\\ann\\Desktop",
    "C:\\Users\\ann\\OneDrive\\Bureau",
    "\\\\server\\share",
    "\\\\server\\share\\",
    "\\\\?\\C:\\",
    "C:\\Windows\\System32",
    "D:\\Program Files\\x",
  ]) {
    it(`windows ${folder}`, () => expect(refused(windows, folder)).toBe(true));
  }
  it("a link that leads home", () => expect(refused(linux, "/home/ann/link", "/home/ann")).toBe(true));
  it("says what it is and what to do", () => {
    expect(refuseFolder("/home/ann", "/home/ann", linux)).toEqual({
      kind: "io",
      paths: ["/home/ann"],
      message: "Checkpoints are off for /home/ann: it is your home folder. Choose, or make, a folder for the project in it.",
    });
  });
});

describe("folders that are protected", () => {
  for (const folder of [
    "/home/ann/project",
    "/home/ann/Desktop/project",
    "/home/anna",
    "/tmp/x",
    "/usr/local/src/x",
    "/media/ann/USB/project",
    "/var/www/site",
    "/dev/shm/x",
    "/srv/x",
  ]) {
    it(`linux ${folder}`, () => expect(refused(linux, folder)).toBe(false));
  }
  for (const folder of ["/Users/ann/project", "/Volumes/USB/project", "/private/tmp/x", "/private/var/folders/x/T/y"]) {
    it(`mac ${folder}`, () => expect(refused(mac, folder)).toBe(false));
  }
  for (const folder of ["C:\\Users\\ann\\project", "D:\\work", "\\\\server\\share\\project", "\\\\?\\C:\\work", "C:\\Users\\anna"]) {
    it(`windows ${folder}`, () => expect(refused(windows, folder)).toBe(false));
  }
});
