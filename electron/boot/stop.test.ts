// Stop through the whole engine (L17): how long until everything is calm, that what came is kept, and that nothing is left running.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { text } from "#shared/chat/blocks.ts";
import type { SessionNews } from "#electron/sessions/contract.ts";
import { openEngine } from "#electron/testkit/engine.ts";
import { startModelServer } from "#electron/testkit/server/model-server.ts";
import { callPart, calls, fails, says, type ScriptedReply } from "#electron/testkit/server/script.ts";
import { checkTrace, parseTrace, traceFiles } from "#electron/testkit/trace-check.ts";

/** What a person takes for at once is 100 ms; three times that much on a machine that does other things. */
const CALM_MS = 100;
const UNDER_LOAD = 3;
const ROUNDS = 5;

const hang = (parts: ScriptedReply["parts"]): ScriptedReply => ({ parts: parts ?? [], fault: { kind: "hang", when: "mid_stream" } });
const isLive = (type: string) => (news: SessionNews) => news.kind === "live" && news.event.type === type;
const isStored = (type: string) => (news: SessionNews) => news.kind === "stored" && news.stored.event.type === type;

type Row = {
  readonly name: string;
  readonly reply: ScriptedReply;
  /** the moment at which Stop is pressed */
  readonly at: (news: SessionNews) => boolean;
  /** ms after that moment */
  readonly after?: number;
  /** how many times the calm may be late on a machine that does other things; ending a command takes other processes to their turns, too */
  readonly underLoad?: number;
  readonly kept: RegExp;
};

const ROWS: readonly Row[] = [
  { name: "text streams", reply: hang([{ type: "text", text: "half of an answer that hangs", chunk: 4 }]), at: isLive("text_delta"), kept: /half/ },
  {
    name: "a call is written",
    reply: hang([
      { type: "text", text: "I write it." },
      { type: "tool", name: "write", raw: '{"file_path":"a.txt","content":"half', chunk: 4 },
    ]),
    at: isLive("tool_input_delta"),
    kept: /I write it\./,
  },
  {
    name: "the reply has come and its calls have not begun",
    reply: { parts: [{ type: "text", text: "Now I write." }, callPart("write", { file_path: "never.txt", content: "x" })] },
    at: isStored("reply_completed"),
    kept: /Now I write\./,
  },
  {
    name: "a command runs",
    reply: calls("bash", { command: "echo first words; sleep 60" }),
    at: isLive("call_progress"),
    underLoad: 10,
    kept: /first words/,
  },
  { name: "a retry is waited for", reply: fails(529), at: isLive("retrying"), kept: /.*/ },
  { name: "nothing has come yet", reply: { parts: [], fault: { kind: "hang", when: "before_headers" } }, at: isLive("step_started"), after: 50, kept: /.*/ },
];

describe("Stop", () => {
  it.each(ROWS)("while $name: calm at once, what came is kept, the next hello works", async ({ reply, at, after, underLoad, kept }) => {
    let stopping = true;
    const server = await startModelServer({ script: () => (stopping ? reply : says("hello again")) });
    await using engine = await openEngine(server.url);
    const { actor } = engine;
    const took: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const moment = new Promise<void>((resolve) => {
        const follow = actor.follow((news) => {
          if (!at(news)) return;
          follow[Symbol.dispose]();
          resolve();
        });
      });
      await actor.prompt([text("go")]);
      await moment;
      await sleep(after ?? 0);
      const ended = new Promise<number>((resolve) => {
        const follow = actor.follow((news) => {
          if (!isStored("turn_complete")(news)) return;
          follow[Symbol.dispose]();
          resolve(performance.now());
        });
      });
      const pressed = performance.now();
      void actor.stop();
      took.push((await ended) - pressed);
      await actor.idle();
      expect(actor.view.lastEnd).toMatchObject({ why: "aborted", abortedBy: "person" });
    }
    took.sort((a, b) => a - b);
    process.stdout.write(`stop: median ${(took[Math.floor(ROUNDS / 2)] ?? 0).toFixed(0)} ms, worst ${(took.at(-1) ?? 0).toFixed(0)} ms\n`);
    expect(took[Math.floor(ROUNDS / 2)]).toBeLessThan(CALM_MS * (underLoad ?? UNDER_LOAD));
    await expect(readFile(join(engine.cwd, "never.txt"))).rejects.toThrow();
    stopping = false;
    await actor.prompt([text("hello")]);
    expect(await actor.idle()).toMatchObject({ why: "answered" });
    expect(JSON.stringify(server.requests.at(-1)?.body)).toMatch(kept);
    server.assertClean();
    await engine.services.close();
    for (const [, content] of await traceFiles(engine.dataDir)) checkTrace(parseTrace(content), ROUNDS + 1);
    await server.close();
  });
});

/** Sockets, children, servers and timers that keep this process alive, by kind. */
function handles(): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo())
    if (/Socket|TCP|Process|Timeout|Watcher|FSEvent|Worker|Pipe/.test(kind)) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

const children = async () => (process.platform === "linux" ? (await readFile(`/proc/self/task/${process.pid}/children`, "utf8").catch(() => "")).trim() : "");

describe("after a run", () => {
  it("no child, no timer, no socket and no watcher is left, whatever was stopped in it (R2)", async () => {
    const before = handles();
    const server = await startModelServer({
      script: (_request, n) => ROWS[n % ROWS.length]?.reply ?? says("done"),
    });
    {
      await using engine = await openEngine(server.url, { hooks: { PreToolUse: [{ matcher: "", hooks: [{ command: "true", timeoutMs: 5_000 }] }] } });
      await writeFile(join(engine.cwd, "a.txt"), "a\n");
      for (let n = 0; n < ROWS.length; n += 1) {
        await engine.actor.prompt([text("go")]);
        await sleep(300);
        await engine.actor.stop();
      }
    }
    expect(server.openSockets()).toBe(0);
    await server.close();
    const left = async () => [
      ...(await children()).split(" "),
      ...Object.entries(handles()).flatMap(([kind, count]) => (count > (before[kind] ?? 0) ? [kind] : [])),
    ];
    for (let tries = 0; tries < 50 && (await left()).join() !== ""; tries += 1) await sleep(20);
    expect((await left()).join()).toBe("");
  });
});
