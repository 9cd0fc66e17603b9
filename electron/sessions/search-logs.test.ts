import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRipgrep, ripgrepPath } from "#electron/lib/ripgrep.ts";
import { type SearchGroup, searchWords } from "#shared/session/search.ts";
import { searchLogs } from "./search-logs.ts";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "cairn-search-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const MAKER = { provider: "demo", model: "demo" };
const USAGE = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
type Draft = Readonly<Record<string, unknown>>;
const prompt = (text: string): Draft => ({ type: "prompt_submitted", entry: "e", turn: "t", blocks: [{ type: "text", text }] });
const reply = (text: string, id = "r"): Draft => ({
  type: "reply_completed",
  entry: "e",
  turn: "t",
  step: 1,
  reply: id,
  by: MAKER,
  blocks: [{ type: "text", text }],
  stop: { kind: "end_turn" },
  usage: USAGE,
  partial: false,
});
const result = (text: string): Draft => ({
  type: "call_settled",
  turn: "t",
  call: "c1",
  tool: "bash",
  outcome: { status: "ok", callId: "c1", metrics: { ms: 1, bytes: 1 }, forModel: [{ type: "text", text }], display: "full" },
});

async function session(id: string, events: readonly Draft[], age = 0): Promise<void> {
  await mkdir(join(root, id), { recursive: true });
  const lines = events.map((event, index) => JSON.stringify({ seq: index + 1, at: 1_000 + index, event: { v: 1, ...event } }));
  const file = join(root, id, "log.jsonl");
  await writeFile(file, `${lines.join("\n")}\n`);
  const at = 1_700_000_000 - age;
  await utimes(file, at, at);
}

async function find(query: string) {
  const groups: SearchGroup[] = [];
  const words = searchWords(query);
  const end = await searchLogs(createRipgrep(ripgrepPath()), { root, words, signal: new AbortController().signal }, (group) => groups.push(group));
  return { groups, ...end };
}
const marked = ({ snippet, from, to }: SearchGroup["hits"][number]) => snippet.slice(from, to);

describe("search over all sessions (S3)", () => {
  it("finds what people wrote, what was answered and what tools said, newest session first", async () => {
    await session("old", [prompt("please mend the Parser"), reply("The parser is mended.")], 100);
    await session("new", [prompt("hello"), result("ok: parser.ts 3 tests")]);
    const { groups } = await find("PARSER");
    expect(groups.map(({ session: id, hits }) => [id, ...hits.map((hit) => `${hit.where} ${hit.seq} ${marked(hit)}`)])).toEqual([
      ["new", "result 2 parser"],
      ["old", "prompt 1 Parser", "reply 2 parser"],
    ]);
    expect(groups[0]?.hits[0]?.call).toBe("c1");
  });

  it("finds Chinese, even one character, and words with quotes, backslashes and signs of patterns", async () => {
    await session("zh", [prompt("请修复日期解析器"), reply('path "C:\\work\\a.ts" costs $5 (maybe) a.*b')]);
    const queries = ["日期", "修", '"C:\\work', "$5", "(maybe)", "a.*b"];
    expect((await Promise.all(queries.map(find))).map(({ groups }) => groups.length)).toEqual(queries.map(() => 1));
    expect((await find("a.b")).groups).toEqual([]);
  });

  it("wants all words, in any order, or one phrase in quotation marks", async () => {
    await session("a", [prompt("red apples and green pears")]);
    expect((await find("pears red")).groups.length).toBe(1);
    expect((await find("pears plums")).groups).toEqual([]);
    expect((await find('"green pears"')).groups.length).toBe(1);
    expect((await find('"pears green"')).groups).toEqual([]);
  });

  it("does not find the names of fields, words that were taken back, or damaged lines", async () => {
    await session("a", [prompt("hello"), reply("a half answer", "r1"), { type: "reply_withdrawn", turn: "t", reply: "r1", why: "retry" }]);
    await mkdir(join(root, "broken"));
    await writeFile(join(root, "broken", "log.jsonl"), `${"\0".repeat(400)}\n{"seq":1,"half answer`);
    expect((await find("blocks")).groups).toEqual([]);
    expect((await find("half")).groups).toEqual([]);
    expect((await find("hello")).groups.length).toBe(1);
  });

  it("lists a few places a session and counts the rest; a snippet is short however long the line", async () => {
    await session(
      "a",
      Array.from({ length: 9 }, (_, at) => prompt(`${"x ".repeat(5_000)}needle\n${at} ${"y ".repeat(5_000)}`)),
    );
    const [group] = (await find("needle")).groups;
    expect([group?.hits.length, group?.more]).toEqual([5, 4]);
    expect(group?.hits.every((hit) => hit.snippet.length < 200 && marked(hit) === "needle" && !hit.snippet.includes("\n"))).toBe(true);
  });

  it("stops at the newest hundred sessions and says that there are more", async () => {
    for (let at = 0; at < 103; at += 1) await session(`s${at}`, [prompt("needle")], at);
    const { groups, more } = await find("needle");
    expect([groups.length, more, groups[0]?.session]).toEqual([100, true, "s0"]);
  });
});
