// `--isolated`, `cairn sessions merge` and `cairn sessions fork`, as they are typed (K8).
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { type HeadlessFixture, headlessFixture } from "#electron/testkit/headless-run.ts";
import { type ModelServer, startModelServer } from "#electron/testkit/server/model-server.ts";
import { calls, says } from "#electron/testkit/server/script.ts";

const ANY_ID: unknown = expect.any(String);
let at: HeadlessFixture;
let server: ModelServer;
beforeEach(async () => {
  at = await headlessFixture();
  server = await startModelServer({
    script: [
      calls("read", { file_path: "a.txt" }),
      calls("edit", { file_path: "a.txt", old_string: "one", new_string: "ONE" }),
      calls("write", { file_path: "b.txt", content: "b\n" }),
      says("Done."),
    ],
  });
});
afterEach(async () => {
  await server.close();
  await at.end();
});
const own = (name: string) => readFile(join(at.cwd, name), "utf8").catch(() => "missing");
const model = () => ["--provider", "anthropic", "--base-url", server.url, "--model", "m"];

it("work in a copy leaves the folder alone until it is merged; a dry run shows, a conflict is named, undo takes it back", async () => {
  await writeFile(join(at.cwd, "a.txt"), "one\n");
  const run = await at.run(["-p", "go", ...model(), "--isolated", "--permission-mode", "acceptEdits", "--output-format", "json"]);
  expect([run.code, await own("a.txt"), await own("b.txt")]).toEqual([0, "one\n", "missing"]);
  const id = /cairn sessions merge (\S+)/.exec(run.err)?.[1] ?? "";
  const dry = await at.run(["sessions", "merge", id, "--dry-run"]);
  expect([dry.code, dry.out, await own("a.txt")]).toEqual([0, "restore  a.txt\nrecreate  b.txt\n", "one\n"]);
  await writeFile(join(at.cwd, "a.txt"), "mine\n");
  const merged = await at.run(["sessions", "merge", id, "--output-format", "json"]);
  expect([merged.code, JSON.parse(merged.out), await own("a.txt"), await own("b.txt")]).toEqual([
    0,
    { brought: ["b.txt"], left: [{ path: "a.txt", action: "conflict" }], before: ANY_ID },
    "mine\n",
    "b\n",
  ]);
  expect(merged.err).toContain("1 were changed in both places");
  expect((await at.run(["checkpoints", "undo", "--cwd", at.cwd])).code).toBe(0);
  expect([await own("a.txt"), await own("b.txt")]).toEqual(["mine\n", "missing"]);
});

it("a fork prints its id, can be resumed, and wrong words are refused", async () => {
  await writeFile(join(at.cwd, "a.txt"), "one\n");
  const run = await at.run(["-p", "go", ...model(), "--permission-mode", "acceptEdits", "--output-format", "json"]);
  const { session_id: id } = z.looseObject({ session_id: z.string() }).parse(JSON.parse(run.out));
  const forked = await at.run(["sessions", "fork", id]);
  expect(forked.code).toBe(0);
  const list = z
    .array(z.looseObject({ id: z.string(), title: z.string() }))
    .parse(JSON.parse((await at.run(["sessions", "list", "--output-format", "json"])).out));
  expect(new Map(list.map((card) => [card.title, card.id]))).toEqual(
    new Map([
      ["go", id],
      ["go 2", forked.out.trim()],
    ]),
  );
  const wrong = await Promise.all([
    at.run(["sessions", "fork", id, "--at", "nothing"]),
    at.run(["sessions", "fork", "nobody"]),
    at.run(["sessions", "merge", id]),
    at.run(["sessions", "merge", id, "--at", "x"]),
    at.run(["-p", "x", "--isolated", "--continue"]),
  ]);
  expect(wrong.map((one) => one.code)).toEqual([2, 2, 2, 2, 2]);
  expect((await readdir(join(at.cwd, ".."))).some((name) => name.endsWith("-copies"))).toBe(false);
});
