import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorCode, isInside, realPathOf } from "./real-path.ts";

let root = "";
const at = (...parts: string[]) => path.join(root, ...parts);
beforeAll(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), "real-path-")));
  await mkdir(at("ws/real"), { recursive: true });
  await mkdir(at("out"));
  await writeFile(at("out/secret.txt"), "");
  await symlink(at("out"), at("ws/outbox"));
  await symlink("real", at("ws/inlink"));
  await symlink("missing/later.txt", at("ws/dangling"));
  await symlink("ring", at("ws/ring"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe("realPathOf (B11)", () => {
  it.each([
    ["ws/real/a.txt", "ws/real/a.txt"],
    ["ws/outbox/new.txt", "out/new.txt"],
    ["ws/outbox/../out/secret.txt", "out/secret.txt"],
    ["ws/outbox/../nowhere/x", "nowhere/x"],
    ["ws/inlink/ok.txt", "ws/real/ok.txt"],
    ["ws/outbox/sub/deep/new.txt", "out/sub/deep/new.txt"],
    ["ws/outbox/sub/../new.txt", "out/new.txt"],
    ["ws/none/./x", "ws/none/x"],
    ["ws/none/x/", "ws/none/x"],
    ["ws/dangling", "ws/missing/later.txt"],
    ["ws/outbox/", "out"],
    ["out/secret.txt/below", "out/secret.txt/below"],
  ])("%s leads to %s", async (given, real) => {
    expect(await realPathOf(`${root}/${given}`)).toBe(at(real));
  });

  it("answers the root, and rejects rings and NULs", async () => {
    expect(await realPathOf("/")).toBe("/");
    expect(await realPathOf("/no-such-entry-here")).toBe("/no-such-entry-here");
    await expect(realPathOf(at("ws/ring"))).rejects.toMatchObject({ code: "ELOOP" });
    await expect(realPathOf(`${root}/a\0b`)).rejects.toThrow();
  });
});

describe("isInside", () => {
  it.each([
    ["/ws", "/ws", true],
    ["/ws/a/b", "/ws", true],
    ["/ws2/a", "/ws", false],
    ["/", "/ws", false],
    ["/ws/..x", "/ws", true],
    ["/a", "/", true],
  ])("%s in %s: %s", (inner, folder, expected) => {
    expect(isInside(inner, folder)).toBe(expected);
  });
});

it("reads codes only from system errors", () => {
  expect([errorCode(Object.assign(new Error("x"), { code: "EACCES" })), errorCode(new Error("x")), errorCode(null), errorCode({ code: 5 })]).toEqual([
    "EACCES",
    undefined,
    undefined,
    undefined,
  ]);
});
