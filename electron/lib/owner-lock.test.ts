import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { takeOwnerLock } from "./owner-lock.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lock-"));
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true, force: true });
});

const lock = () => join(folder, "lock");
const HOUR_MS = 3_600_000;
const DEAD = { pid: 2 ** 22 - 1, start: "1" };
const held = async () => {
  const outcome = await takeOwnerLock(lock());
  if (outcome.kind !== "held") throw new Error(`held by ${outcome.pid}`);
  return outcome;
};

describe("the lock of a session's writer (E08)", () => {
  it("has one owner, who is named to others, and is free after its release; nothing is left beside it", async () => {
    const first = await held();
    expect(await takeOwnerLock(lock())).toEqual({ kind: "taken", pid: process.pid });
    await first.release();
    await (await held()).release();
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ["an hour back", -HOUR_MS],
    ["an hour ahead", HOUR_MS],
    ["a year back", -365 * 24 * HOUR_MS],
  ])("the clock set %s changes nothing: it goes by the living owner, not by age", async (_name, by) => {
    const now = Date.now();
    await held();
    vi.useFakeTimers({ toFake: ["Date"], now: now + by });
    expect(await takeOwnerLock(lock())).toMatchObject({ kind: "taken" });
    const at = new Date(now + by);
    await utimes(lock(), at, at);
    expect(await takeOwnerLock(lock())).toMatchObject({ kind: "taken" });
    await writeFile(lock(), JSON.stringify(DEAD));
    const ahead = new Date(now + 2 * Math.abs(by));
    await utimes(lock(), ahead, ahead); // a file of the future
    expect((await takeOwnerLock(lock())).kind).toBe("held");
  });

  it.each([
    ["a dead process", JSON.stringify(DEAD)],
    ["nobody that can be read", "{half"],
    ["an empty file", ""],
    ["a pid that is none", '{"pid":-1,"start":"1"}'],
    ...(process.platform === "linux" ? [["a pid that another program has now", JSON.stringify({ pid: process.pid, start: "1" })]] : []),
  ])("one that belongs to %s is replaced at once", async (_name, content) => {
    await writeFile(lock(), content);
    await held();
    expect(await readFile(lock(), "utf8")).toContain(`"pid":${process.pid},`);
  });

  it("who died while replacing a dead owner keeps nobody out", async () => {
    await writeFile(lock(), JSON.stringify(DEAD));
    const claim = `${lock()}.claim-${createHash("sha256").update(JSON.stringify(DEAD)).digest("hex").slice(0, 16)}`;
    await writeFile(claim, JSON.stringify(DEAD));
    await held();
    expect(await readdir(folder)).toEqual(["lock"]);
  });

  it("of many who find a dead owner at the same moment, one gets it", async () => {
    for (let round = 0; round < 60; round += 1) {
      await writeFile(lock(), JSON.stringify(DEAD));
      const outcomes = await Promise.all(Array.from({ length: 12 }, () => takeOwnerLock(lock())));
      expect(outcomes.filter((outcome) => outcome.kind === "held").length).toBe(1);
    }
    expect(await readdir(folder)).toEqual(["lock"]);
  });
});
