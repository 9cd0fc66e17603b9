import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRecordReader, createRipgrep, ripgrepPath } from "./ripgrep.ts";

let dir = "";
beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), "ripgrep-"));
  for (let index = 0; index < 50; index++) await writeFile(path.join(dir, `f${index}.txt`), "needle\n");
});
afterAll(() => rm(dir, { recursive: true, force: true }));

function search(
  args: readonly string[],
  parts: { readonly onRecord?: (record: string) => boolean; readonly signal?: AbortSignal; readonly cwd?: string; readonly binary?: string } = {},
) {
  const records: string[] = [];
  const onRecord = parts.onRecord ?? ((record: string) => (records.push(record), true));
  const request = { args, cwd: parts.cwd ?? dir, separator: 0, signal: parts.signal ?? new AbortController().signal, onRecord } as const;
  return createRipgrep(parts.binary ?? ripgrepPath())
    .run(request)
    .then((end) => ({ end, records }));
}

describe("ripgrep", () => {
  it("tells found, nothing and wrong apart", async () => {
    const found = await search(["-l", "-0", "needle"]);
    expect([found.end, found.records.length]).toEqual([{ kind: "done", code: 0, stderr: "", dropped: 0 }, 50]);
    expect((await search(["-l", "-0", "nothing-like-it"])).end).toMatchObject({ kind: "done", code: 1 });
    const { end } = await search(["-l", "-0", "("]);
    expect([end.kind, end.kind === "done" && end.code, end.kind === "done" && end.stderr]).toEqual(["done", 2, expect.stringContaining("regex parse error")]);
  });

  it("stops when the caller has enough", async () => {
    let seen = 0;
    expect((await search(["-l", "-0", "needle"], { onRecord: () => ++seen < 3 })).end).toMatchObject({ kind: "enough" });
    expect(seen).toBe(3);
  });

  it("is aborted before and during the search", async () => {
    const before = new AbortController();
    before.abort();
    expect((await search(["needle"], { signal: before.signal })).end).toEqual({ kind: "aborted" });
    const during = new AbortController();
    const waiting = search(["--files", "-0", "/proc", "/usr", "/sys"], { signal: during.signal, onRecord: () => (during.abort(), true) });
    expect((await waiting).end).toEqual({ kind: "aborted" });
  });

  it("answers a failure instead of throwing: no program, no folder, impossible arguments", async () => {
    for (const [args, parts] of [
      [["x"], { binary: path.join(dir, "no-rg") }],
      [["x"], { cwd: path.join(dir, "gone") }],
      [["a\0b"], {}],
      [["x".repeat(5_000_000)], {}],
    ] as const) {
      expect((await search(args, parts)).end.kind).toBe("failed");
    }
  });

  it("finds the binary, unpacked when the app is packed", () => {
    expect(ripgrepPath((id) => `/opt/app/resources/app.asar/node_modules/${id}`)).toMatch(/app\.asar\.unpacked\/node_modules\/@vscode\/ripgrep-[^/]+\/bin\/rg/);
  });
});

describe("record reader", () => {
  it.each([
    [["a", "b\nc\nd\n"], 1, ["ab"]],
    [["a\nb\nc\nd\n"], 2, ["a", "b"]],
    [["a\nb\nc"], 3, ["a", "b", "c"]],
  ])("hands over no more once the receiver has enough: %j, %i", (pieces, enough, expected) => {
    const records: string[] = [];
    const reader = createRecordReader(10, (record) => records.push(record) < enough);
    const more = pieces.every((piece) => reader.push(Buffer.from(piece))) && reader.end();
    expect([more, records]).toEqual([false, expected]);
  });

  it("puts records together across chunks and drops what is too long", () => {
    const records: string[] = [];
    const reader = createRecordReader(10, (record) => (records.push(record), true));
    for (const piece of ["ab", "c\nd", "\n\n", "x".repeat(600_000), "x".repeat(600_000), "\nlast"]) reader.push(Buffer.from(piece));
    reader.end();
    expect([records, reader.dropped()]).toEqual([["abc", "d", "last"], 1]);
  });

  it("keeps characters whole that arrive in pieces", () => {
    const records: string[] = [];
    const reader = createRecordReader(10, (record) => (records.push(record), true));
    for (const byte of Buffer.from("中😀\n")) reader.push(Buffer.from([byte]));
    expect(records).toEqual(["中😀"]);
  });
});
