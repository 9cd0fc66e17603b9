// What a change tells the log before its first byte (T13, S2).
import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFileTools } from "#electron/tools/file-tools.ts";
import { openToolbox, type Toolbox } from "#electron/tools/testkit/toolbox.ts";

let box: Toolbox;
beforeEach(async () => {
  box = await openToolbox();
});
afterEach(() => box.close());

const edit = (file: string, old_string: string, new_string: string) => box.run("edit", { file_path: file, old_string, new_string });
/** Puts a file and reads it, as the model has to. */
const known = async (file: string, content: string) => {
  await box.put(file, content);
  await box.run("read", { file_path: file });
};
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const exists = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  );

describe("one intent for every form of change (T13, S2)", () => {
  it.each([
    ["edit", { old_string: "one", new_string: "ONE" }, "one\ntwo\n", "ONE\ntwo\n"],
    ["write", { content: "new\n" }, "one\ntwo\n", "new\n"],
    [
      "edit",
      {
        edits: [
          { old_string: "one", new_string: "1" },
          { old_string: "two", new_string: "2" },
        ],
      },
      "one\ntwo\n",
      "1\n2\n",
    ],
    ["write", { content: "new\n" }, undefined, "new\n"],
    ["edit", { old_string: "", new_string: "x" }, undefined, "x"],
  ])("%s %j tells the hashes before the first byte", async (tool, input, before, after) => {
    if (before !== undefined) await known("d/a.txt", before);
    const seen: unknown[] = [];
    const watched = createFileTools({
      ...box.deps,
      intend: async (call, files) => void seen.push(call, files, await box.text("d/a.txt").catch(() => undefined), await exists(path.join(box.dir, "d"))),
    }).find((one) => one.name === tool);
    const parsed = { file_path: "d/a.txt", ...input };
    const facts = await watched?.analyse?.(parsed, box.place);
    expect((await watched?.call(parsed, box.context(facts), () => undefined))?.ok).toBe(true);
    const file = { path: path.join(box.dir, "d/a.txt"), before: before === undefined ? null : sha256(before), after: sha256(after) };
    expect(seen).toEqual(["c", [file], before, before !== undefined]);
    expect(await box.text("d/a.txt")).toBe(after);
  });

  it("a merged change tells what stands on the disk, not what the model read", async () => {
    await known("a.txt", "one\n\n\n\ntwo\n");
    await box.put("a.txt", "one\n\n\n\nTWO\n");
    await edit("a.txt", "one", "1");
    expect(box.intended).toEqual([{ path: path.join(box.dir, "a.txt"), before: sha256("one\n\n\n\nTWO\n"), after: sha256("1\n\n\n\nTWO\n") }]);
  });

  it("nothing is told of what is refused, and nothing is written that could not be told", async () => {
    await known("a.txt", "one\n");
    await edit("a.txt", "absent", "x");
    expect(box.intended).toEqual([]);
    const mute = createFileTools({ ...box.deps, intend: async () => Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" })) });
    const input = { file_path: "new/n.txt", content: "x" };
    const returned = await mute.find((one) => one.name === "write")?.call(input, box.context(), () => undefined);
    expect(returned?.ok === false && [returned.failure.kind, returned.failure.message]).toEqual(["tool_error", expect.stringMatching(/disk is full/)]);
    expect(await exists(path.join(box.dir, "new"))).toBe(false);
  });
});
