import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openReadState } from "./read-state-file.ts";

let dir = "";
beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), "read-state-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describe("a stored read state", () => {
  it("is there again after a restart, with every change that was flushed", async () => {
    const file = path.join(dir, "deep", "seen.json");
    const first = await openReadState(file);
    for (let index = 0; index < 20; index++) first.state.wrote(`/ws/${index}`, { hash: `h${index}`, text: "", complete: true });
    await first.flush();
    const second = await openReadState(file);
    expect(second.state.snapshot()).toEqual(first.state.snapshot());
    expect(second.state.snapshot()).toHaveLength(20);
  });

  it.each(["", "{", '{"version":9}', '{"version":1,"files":[{"path":3}]}'])("begins anew with a broken file: %j", async (text) => {
    await writeFile(path.join(dir, "seen.json"), text);
    const opened = await openReadState(path.join(dir, "seen.json"));
    expect(opened.state.snapshot()).toEqual([]);
    opened.state.wrote("/ws/a", { hash: "h", text: "", complete: true });
    await opened.flush();
    expect(JSON.parse(await readFile(path.join(dir, "seen.json"), "utf8"))).toEqual({
      version: 1,
      files: [{ path: "/ws/a", hash: "h", complete: true, ranges: [] }],
    });
  });

  it("works on without a place to write", async () => {
    await writeFile(path.join(dir, "file"), "");
    const opened = await openReadState(path.join(dir, "file", "below", "seen.json"));
    opened.state.wrote("/ws/a", { hash: "h", text: "", complete: true });
    await opened.flush();
    expect(opened.state.seen("/ws/a")?.hash).toBe("h");
  });
});
