import { isAbsolute } from "node:path";
import { describe, expect, it } from "vitest";
import { homeFolder } from "./home-folder.ts";

describe("the home folder", () => {
  it("is what the environment says, if that is a place at all", () => {
    expect(homeFolder("/home/me")).toBe("/home/me");
    for (const said of ["", ".", "relative/home"]) expect(isAbsolute(homeFolder(said))).toBe(true);
  });
});
