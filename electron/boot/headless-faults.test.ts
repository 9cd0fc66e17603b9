// Every fault of a network, a server or a model, end to end through the command: its exit code, how many requests it cost, what was
// said, that nothing ran that must not, and that the next plain "hello" works with a history a provider accepts (L18 to L20, L25).
import { access, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type HeadlessFixture, headlessFixture } from "#electron/testkit/headless-run.ts";
import { type ModelServer, type ModelServerOptions, startModelServer } from "#electron/testkit/server/model-server.ts";
import { callPart, calls, type Fault, fails, says, type ScriptedPart, type ScriptedReply } from "#electron/testkit/server/script.ts";

type Provider = "anthropic" | "openai" | "openai-chat";
type Row = {
  readonly name: string;
  /** the reply to request `n`, from 0 */
  readonly model: (n: number) => ScriptedReply;
  readonly code: number;
  /** how many requests it may cost: exactly, or from and to */
  readonly requests: number | readonly [least: number, most: number];
  readonly err: RegExp;
  readonly out?: string;
  /** whether the call of the row ran; it writes `ran.txt` */
  readonly ran?: boolean;
  /** somebody is silent in it, so its time-outs are short */
  readonly silent?: boolean;
  /** what differs over Responses */
  readonly openai?: Partial<Row>;
};

/** Rows run side by side, so each has its own folder and server. */
type Stage = AsyncDisposable & { readonly at: HeadlessFixture; serve(options: ModelServerOptions): Promise<ModelServer> };
async function openStage(): Promise<Stage> {
  const at = await headlessFixture();
  await writeFile(join(at.cwd, "a.txt"), "alpha\n");
  const servers: ModelServer[] = [];
  return {
    at,
    async serve(options) {
      const server = await startModelServer(options);
      servers.push(server);
      return server;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server.close()));
      await at.end();
    },
  };
}

/** Short pauses; time-outs of their usual length, which a busy machine does not reach. */
const CALM = { timeouts: { backoffFirst: 2, backoffMax: 6 } };
/** Short time-outs, for rows in which somebody is silent; still so long that a busy machine answers in time. */
const SHORT = { noBytes: 1_400, noContent: 1_900, noProgress: 2_500, headers: 1_400, watcher: 4_000, attempt: 6_000, step: 7_000 };
const QUICK = { timeouts: { ...CALM.timeouts, ...SHORT } };
/** Several rows run at a time, and a machine has others to serve. */
const PATIENCE_MS = 60_000;

const HELLO = says("hello again");
const WRITE = { file_path: "ran.txt", content: "x" };
const WRITE_RAW = JSON.stringify(WRITE);
const fault = (one: Fault, parts: readonly ScriptedPart[] = []): ScriptedReply => ({ parts, fault: one });
const always = (reply: ScriptedReply) => () => reply;
const once = (reply: ScriptedReply) => (n: number) => (n === 0 ? reply : says("done"));
const rawWrite = (raw: string, more: Omit<ScriptedReply, "parts"> = {}): ScriptedReply => ({
  parts: [{ type: "tool", name: "write", raw }],
  ...more,
});
const half: ScriptedPart = { type: "text", text: "half of an answer that breaks off", chunk: 4 };
const cured = { code: 0, requests: 2, out: "done\n" } as const;
const RETRIED = /trying again/;
const SILENT = /^$/;
const TOO_LONG = fails(400, { message: "prompt is too long: 300000 tokens > 200000 maximum", code: "context_length_exceeded" });
const inAnHour = () => new Date(Date.now() + 3_600_000).toUTCString();

const STATUS: readonly Row[] = [
  { name: "400", model: always(fails(400, { message: "nope" })), code: 1, requests: 1, err: /did not accept the request[\s\S]*nope/ },
  { name: "401", model: always(fails(401)), code: 1, requests: 1, err: /did not accept the key/ },
  { name: "403", model: always(fails(403)), code: 1, requests: 1, err: /does not allow this with your key/ },
  { name: "404", model: always(fails(404)), code: 1, requests: 1, err: /does not know this (model|address)/ },
  { name: "413", model: always(fails(413)), code: 1, requests: [1, 2], err: /too large|no longer fits/ },
  { name: "408 once", model: once(fails(408)), ...cured, err: RETRIED },
  { name: "429 with retry-after 1 s", model: once(fails(429, { headers: { "retry-after": "1" } })), ...cured, err: /trying again in 1 s/ },
  {
    name: "429 until a date an hour away",
    model: (_n) => fails(429, { headers: { "retry-after": inAnHour() } }),
    code: 1,
    requests: 1,
    err: /wait (59|60|61) minutes/,
  },
  { name: "429 with an absurd wait", model: always(fails(429, { headers: { "retry-after": "999999" } })), code: 1, requests: 1, err: /wait 16667 minutes/ },
  { name: "500 once", model: once(fails(500)), ...cured, err: RETRIED },
  {
    name: "500 for ever after three good steps",
    model: (n) => (n < 3 ? calls("read", { file_path: "a.txt", offset: 1, limit: n + 1 }) : fails(500)),
    code: 1,
    requests: 16,
    err: /did not recover \(tries: 13\)/,
  },
  { name: "529 for ever", model: always(fails(529)), code: 1, requests: [3, 13], err: /overloaded and did not recover/ },
];

const STREAMS: readonly Row[] = [
  { name: "an error event inside a 200", model: once(fault({ kind: "error_event", when: "mid_stream" }, [half])), ...cured, err: RETRIED },
  { name: "a reset before the headers", model: once(fault({ kind: "reset", when: "before_headers" })), ...cured, err: RETRIED },
  { name: "a reset in mid-stream", model: once(fault({ kind: "reset", when: "mid_stream" }, [half])), ...cured, err: RETRIED },
  { name: "a clean end before the end marker", model: once(fault({ kind: "eof", when: "before_end" }, [half])), ...cured, err: RETRIED },
  { name: "a hang before the headers", model: once(fault({ kind: "hang", when: "before_headers" })), ...cured, err: RETRIED, silent: true },
  { name: "a hang after the headers", model: once(fault({ kind: "hang", when: "after_headers" })), ...cured, err: RETRIED, silent: true },
  { name: "a hang in mid-stream", model: once(fault({ kind: "hang", when: "mid_stream" }, [half])), ...cured, err: RETRIED, silent: true },
  {
    name: "a hang with keep-alive bytes",
    model: once(fault({ kind: "hang", when: "mid_stream", keepAliveMs: 40 }, [half])),
    ...cured,
    err: RETRIED,
    silent: true,
  },
  {
    name: "a hang for ever",
    model: always(fault({ kind: "hang", when: "before_headers" })),
    code: 1,
    requests: [2, 13],
    err: /did not answer in time|no time left/,
    silent: true,
  },
  {
    name: "a slow drip",
    model: always(says("slowly but surely", { pace: { everyMs: 300 } })),
    code: 0,
    requests: 1,
    out: "slowly but surely\n",
    err: SILENT,
    silent: true,
  },
  { name: "a 200 without a body", model: once(fault({ kind: "empty_body" })), ...cured, err: RETRIED },
  { name: "a 200 with a web page", model: always(fault({ kind: "html" })), code: 1, requests: 1, err: /does not speak the expected protocol/ },
  {
    name: "a write in a reset stream",
    model: once(fault({ kind: "reset", when: "before_end" }, [callPart("write", WRITE)])),
    ...cured,
    err: RETRIED,
    ran: false,
  },
];

const ENDS: readonly Row[] = [
  {
    name: "a call announced that never comes",
    model: always(says("I will look.", { stop: "tool_use" })),
    code: 7,
    requests: [2, 4],
    err: /said it would use a tool/,
    // Responses has no sign for it: a reply without a call in it is simply complete, and words are an answer (L14).
    openai: { code: 0, requests: 1, out: "I will look.\n", err: SILENT },
  },
  {
    name: "only thinking, then the end",
    model: always({ parts: [{ type: "thinking", text: "hm", signature: "s1" }] }),
    code: 6,
    requests: [1, 4],
    err: /without saying anything/,
  },
  { name: "no stop reason, with content", model: always(says("words", { stop: null })), code: 7, requests: [2, 4], err: /broke off|cut/ },
  { name: "no stop reason, nothing said", model: always({ parts: [], stop: null }), code: 6, requests: [2, 13], err: /without saying anything/ },
  {
    name: "the end with a pending call",
    model: (n) => (n === 0 ? { ...calls("write", WRITE), stop: "end_turn" } : says("done")),
    ...cured,
    err: /.*/,
    ran: true,
  },
  { name: "a refusal", model: always(says("I will not.", { stop: "refusal" })), code: 5, requests: 1, err: /declined to answer/ },
  { name: "the output limit in half a call", model: once(rawWrite(WRITE_RAW.slice(0, 30), { stop: "max_tokens" })), ...cured, err: /.*/, ran: false },
  {
    name: "the output limit in every call",
    model: always(rawWrite(WRITE_RAW.slice(0, 30), { stop: "max_tokens" })),
    code: 7,
    requests: [2, 8],
    err: /output limit/,
    ran: false,
  },
  { name: "a prompt that is too long for ever", model: always(TOO_LONG), code: 1, requests: [1, 4], err: /no longer fits/ },
];

const CALLS: readonly Row[] = [
  { name: "no arguments where some are required", model: once(calls("write", {})), ...cured, err: /.*/, ran: false },
  { name: "no arguments where none are required", model: once(calls("ls", {})), ...cured, err: SILENT },
  { name: "malformed arguments", model: once(rawWrite(`${WRITE_RAW.slice(0, -1)},,`)), ...cured, err: /.*/, ran: false },
  { name: "arguments that are a list", model: once(rawWrite(`[${WRITE_RAW}]`)), ...cured, err: /.*/, ran: false },
  { name: "arguments of the wrong type", model: once(calls("write", { file_path: 7, content: ["x"] })), ...cured, err: /.*/, ran: false },
  { name: "an unknown tool", model: once(calls("teleport", { to: "mars" })), ...cured, err: SILENT },
  {
    name: "two calls under one id",
    model: once({ parts: [callPart("read", { file_path: "a.txt" }, "same"), callPart("ls", {}, "same")] }),
    ...cured,
    err: SILENT,
  },
  { name: "calls without an id", model: once({ parts: [callPart("read", { file_path: "a.txt" }, ""), callPart("ls", {}, "")] }), ...cured, err: SILENT },
  {
    name: "a tool that is not there for ever",
    model: always(calls("teleport", { to: "mars" })),
    code: 8,
    requests: [2, 6],
    err: /repeated a call that cannot succeed/,
  },
  {
    name: "the same failing call for ever",
    model: always(calls("read", { file_path: 7 })),
    code: 8,
    requests: [2, 6],
    err: /repeated a call that cannot succeed/,
  },
  {
    name: "fifty reads at once",
    // The server says honestly that it read all of the second, longer request.
    model: (n) =>
      n > 0
        ? says("done", { usage: { input: 6_000 } })
        : { parts: Array.from({ length: 50 }, (_, k) => callPart("read", { file_path: "a.txt", offset: 1, limit: k + 1 })) },
    ...cured,
    err: SILENT,
  },
  {
    name: "characters split across packets",
    model: always(says("é漢🙂 ünï", { pace: { splitBytes: 1 } })),
    code: 0,
    requests: 1,
    out: "é漢🙂 ünï\n",
    err: SILENT,
  },
  {
    name: "one character a delta",
    model: always({ parts: [{ type: "text", text: "x🙂".repeat(200), chunk: 1 }] }),
    code: 0,
    requests: 1,
    out: `${"x🙂".repeat(200)}\n`,
    err: SILENT,
  },
];

const ALL = [...STATUS, ...STREAMS, ...ENDS, ...CALLS];
const TABLE = (["anthropic", "openai", "openai-chat"] as const).flatMap((provider) =>
  ALL.map((row) => ({ provider, name: row.name, row: { ...row, ...(provider === "openai" ? row.openai : {}) } })),
);

async function argsFor(at: HeadlessFixture, provider: Provider, url: string, settings: object): Promise<readonly string[]> {
  const file = join(at.cwd, "..", "settings.json");
  await writeFile(file, JSON.stringify(settings));
  const base = provider === "anthropic" ? url : `${url}/v1`;
  return ["--provider", provider, "--base-url", base, "--model", "test-model", "--settings", file, "--permission-mode", "bypass"];
}

const ranIn = (at: HeadlessFixture) =>
  access(join(at.cwd, "ran.txt")).then(
    () => true,
    () => false,
  );

const within = (count: number, allowed: Row["requests"]) => (typeof allowed === "number" ? count === allowed : count >= allowed[0] && count <= allowed[1]);

describe("a fault, told and survived", () => {
  it.concurrent.each(TABLE)(
    "$provider: $name",
    async ({ provider, row }) => {
      await using stage = await openStage();
      const { at } = stage;
      let healed = false;
      const server = await stage.serve({ script: (_request, n) => (healed ? HELLO : row.model(n)) });
      const args = await argsFor(at, provider, server.url, row.silent === true ? QUICK : CALM);
      const ran = await at.run(["-p", "do it", ...args]);
      const count = server.requests.length;
      expect({
        code: ran.code,
        fits: within(count, row.requests) ? "fits" : count,
        err: row.err.test(ran.err) ? "said" : ran.err,
        ran: await ranIn(at),
      }).toEqual({
        code: row.code,
        fits: "fits",
        err: "said",
        ran: row.ran ?? false,
      });
      if (row.out !== undefined) expect(ran.out).toBe(row.out);
      expect(ran.err).not.toMatch(/\[object|\bat .*\.ts:\d|undefined/);
      // O2: every request that was served is one that was measured; that calls and turns add up is checked with every run.
      expect(ran.trace.filter((event) => event.name === "request_done").length).toBe(count);
      healed = true;
      const next = await at.run(["-p", "hello", "--continue", ...args]);
      expect([next.code, next.out]).toEqual([0, "hello again\n"]);
      server.assertClean();
    },
    PATIENCE_MS,
  );

  it("a service that is not there is told with what to check, and the prompt is kept", async () => {
    await using stage = await openStage();
    const { at } = stage;
    const port = await freePort();
    const args = await argsFor(at, "anthropic", `http://127.0.0.1:${port}`, CALM);
    const ran = await at.run(["-p", "remember me", ...args]);
    expect([ran.code, ran.out]).toEqual([1, ""]);
    expect(ran.err).toMatch(/could not be reached|no time left/);
    const server = await stage.serve({ script: always(HELLO), port });
    expect((await at.run(["-p", "hello", "--continue", ...args])).out).toBe("hello again\n");
    expect(JSON.stringify(server.requests[0]?.body)).toContain("remember me");
    server.assertClean();
  });
});

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return typeof address === "object" && address !== null ? address.port : 0;
}
