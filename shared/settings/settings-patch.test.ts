import { describe, expect, it } from "vitest";
import { SettingsPatch } from "./settings.ts";

describe("SettingsPatch", () => {
  it("keeps exactly what was given and fills in no default", () => {
    expect(SettingsPatch.parse({ theme: "dark" })).toEqual({ theme: "dark" });
    expect(SettingsPatch.parse({})).toEqual({});
  });

  it.each([[{ theme: "pink" }], [{ unknown: 1 }], [{ rules: { allow: [""] } }], [null], ["theme"]])("refuses %j", (patch) => {
    expect(SettingsPatch.safeParse(patch).success).toBe(false);
  });
});
