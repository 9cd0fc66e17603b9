import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { folderPicture } from "./folder-picture.ts";

const PNG = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==", "base64");
let dir = "";
let folder = "";
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "cairn-picture-"));
  folder = join(dir, "work");
  await mkdir(join(folder, "out"), { recursive: true });
  await writeFile(join(folder, "out", "plot 1.png"), PNG);
  await writeFile(join(dir, "private.png"), PNG);
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describe("a picture that an answer names", () => {
  it("is given from the folder, by a relative or a whole path, also through a link inside", async () => {
    await symlink(join(folder, "out"), join(folder, "link"));
    for (const path of ["out/plot 1.png", "./out/../out/plot 1.png", join(folder, "out", "plot 1.png"), "link/plot 1.png"])
      expect(await folderPicture(folder, path)).toBe(PNG.toString("base64"));
  });

  it("is not given from elsewhere, nor anything that is no picture or too big (R1)", async () => {
    await symlink(join(dir, "private.png"), join(folder, "way-out.png"));
    await writeFile(join(folder, "secret.png"), "password=1");
    await writeFile(join(folder, "page.svg"), "<svg onload='x()'/>");
    await writeFile(join(folder, "huge.png"), PNG);
    await truncate(join(folder, "huge.png"), 13 * 1024 * 1024);
    const refused = [
      "../private.png",
      join(dir, "private.png"),
      "way-out.png",
      "secret.png",
      "page.svg",
      "huge.png",
      "out",
      "none.png",
      "//host/x.png",
      "\\\\host\\x.png",
      "a\0.png",
      "",
    ];
    for (const path of refused) expect([path, await folderPicture(folder, path)]).toEqual([path, undefined]);
  });
});
