// The headless command (DESIGN 8) as a child process against a model server on the loopback, each measure beside what bare Node takes
// in the same run: start to first request, memory, the gap between a reply and the next request, calls at once, and a long reply.
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const name = "headless command";

const ROUNDS = 5;
const FILES = 20;
const SAMPLE_MS = 20;
const MB = 1024 * 1024;
const LONG = { deltas: 20_000, text: "x".repeat(105) };
const READER_SLEEPS_MS = 3_000;
const PIECE_MS = 1_000;

const sse = (type, data) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;

function block(index, content_block, deltas) {
  return [
    sse("content_block_start", { index, content_block }),
    ...deltas.map((delta) => sse("content_block_delta", { index, delta })),
    sse("content_block_stop", { index }),
  ].join("");
}

const say = (text, times = 1) =>
  block(
    0,
    { type: "text", text: "" },
    Array.from({ length: times }, () => ({ type: "text_delta", text })),
  );
const call = (tool, input, id, index = 0) =>
  block(index, { type: "tool_use", id, name: tool, input: {} }, [{ type: "input_json_delta", partial_json: JSON.stringify(input) }]);

function whole(n, content, stop_reason) {
  const message = {
    id: `msg_${n}`,
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 0, output_tokens: 1 },
  };
  const ending = sse("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } }) + sse("message_stop", {});
  return sse("message_start", { message }) + content + ending;
}

const done = (n) => whole(n, say("done"), "end_turn");
const readOf = (n, index = 0) => call("read", { file_path: `f${(n + index) % FILES}.txt` }, `call_${n}_${index}`, index);

/** Sends the pieces of a reply with a pause after each. */
async function sendSlowly(response, pieces) {
  for (const piece of pieces) {
    response.write(piece);
    await new Promise((resolve) => setTimeout(resolve, PIECE_MS));
  }
}

/** Answers with `reply(n)`, n from 0: all at once, or in pieces if it is a list; notes when requests came and when replies had left. */
async function serve(reply) {
  /** @type {{ arrived: number[], left: number[], bytes: number[] }} */
  const seen = { arrived: [], left: [], bytes: [] };
  const server = http.createServer((request, response) => {
    const n = seen.arrived.push(performance.now()) - 1;
    let bytes = 0;
    request.on("data", (chunk) => (bytes += chunk.length));
    request.on("end", async () => {
      seen.bytes.push(bytes);
      response.writeHead(200, { "content-type": "text/event-stream" });
      const sent = reply(n);
      if (Array.isArray(sent)) await sendSlowly(response, sent.slice(0, -1));
      response.end(Array.isArray(sent) ? sent.at(-1) : sent, () => {
        seen.left[n] = performance.now();
      });
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const end = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { seen, url: `http://127.0.0.1:${port}`, end };
}

async function peakOf(pid) {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

/** Runs the child to its end; the reader of its output may begin late. */
async function watch(args, { env = process.env, readerSleepsMs = 0 } = {}) {
  const begun = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  let [bytes, peak] = [0, 0];
  const sampler = setInterval(async () => (peak = Math.max(peak, await peakOf(child.pid))), SAMPLE_MS);
  setTimeout(() => child.stdout.on("data", (chunk) => (bytes += chunk.length)), readerSleepsMs);
  const code = await new Promise((resolve) => child.once("close", resolve));
  clearInterval(sampler);
  return { begun, ended: performance.now(), wall: performance.now() - begun, code, bytes, peak };
}

const PROBE = fileURLToPath(new URL("loop-delay.cjs", import.meta.url));

async function prompt({ out }, reply, options = {}) {
  const base = await mkdtemp(path.join(os.tmpdir(), "cairn-bench-"));
  for (let n = 0; n < FILES; n++) await writeFile(path.join(base, `f${n}.txt`), `line ${n}\n`.repeat(20));
  const data = await mkdtemp(path.join(os.tmpdir(), "cairn-bench-data-"));
  const server = await serve(reply);
  const args = ["-p", "go", "--provider", "anthropic", "--base-url", server.url, "--model", "m", "--cwd", base, "--data-dir", data];
  try {
    const delayFile = path.join(data, "loop-delay.json");
    const env = { ...process.env, ANTHROPIC_API_KEY: "sk-ant-bench", LOOP_DELAY_FILE: delayFile };
    const probe = options.delay ? ["--require", PROBE] : [];
    const ran = await watch([...probe, path.join(out, "headless/index.cjs"), ...args, "--permission-mode", "bypass"], { ...options, env });
    if (ran.code !== 0) throw new Error(`the command ended with ${ran.code}`);
    const { arrived, left, bytes } = server.seen;
    return {
      ...ran,
      delay: options.delay ? JSON.parse(await readFile(delayFile, "utf8")) : undefined,
      first: arrived[0] - ran.begun,
      gaps: arrived.slice(1).map((at, n) => at - left[n]),
      requestBytes: bytes[0],
      tail: ran.ended - (left.at(-1) ?? ran.ended),
    };
  } finally {
    await server.end();
    await Promise.all([base, data].map((folder) => rm(folder, { recursive: true, force: true })));
  }
}

async function startRows(tools) {
  /** @type {Awaited<ReturnType<typeof watch>>[]} */
  const bare = [];
  /** @type {Awaited<ReturnType<typeof prompt>>[]} */
  const ours = [];
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await watch(["-e", "0"]));
    ours.push(await prompt(tools, done));
  }
  const median = (list, of) => tools.quantile(list.map(of), 0.5);
  const node = { what: "node -e 0", value: median(bare, (one) => one.wall) };
  const row = (what, of, limit) => ({ what, unit: "ms", value: median(ours, of), reference: node, limit });
  return [
    row("start to first model request", (one) => one.first, 5),
    row("wall of a one-turn prompt", (one) => one.wall, 8),
    { what: "peak memory of a one-turn prompt", unit: "MB", value: median(ours, (one) => one.peak), reference: { what: "best rival", value: 189 }, limit: 1 },
    { what: "first request", unit: "KB", value: ours[0].requestBytes / 1024, reference: { what: "limit of", value: 24 }, limit: 1 },
  ];
}

async function stepRows(tools, steps, allowed) {
  const ran = await prompt(tools, (n) => (n < steps ? whole(n, readOf(n), "tool_use") : done(n)));
  const reference = { what: "allowed", value: allowed };
  const early = tools.quantile(ran.gaps.slice(10, 60), 0.5);
  return [
    { what: `gap per step of ${steps}, p50`, unit: "ms", value: tools.quantile(ran.gaps, 0.5), reference, limit: 1 },
    { what: `gap per step of ${steps}, p95`, unit: "ms", value: tools.quantile(ran.gaps, 0.95), reference: { what: "allowed", value: 15 }, limit: 1 },
    {
      what: `gap of the last 50 of ${steps}`,
      unit: "ms",
      value: tools.quantile(ran.gaps.slice(-50), 0.5),
      reference: { what: "steps 10 to 60", value: early },
    },
    { what: `peak memory of ${steps} steps`, unit: "MB", value: ran.peak, reference: { what: "best rival", value: 203 }, limit: 1.1 },
  ];
}

async function atOnceRows(tools) {
  const many = (count, make) => whole(0, Array.from({ length: count }, (_, index) => make(index)).join(""), "tool_use");
  const reads = await prompt(tools, (n) => (n === 0 ? many(10, (index) => readOf(0, index)) : done(n)));
  const sleeps = await prompt(tools, (n) => (n === 0 ? many(5, (index) => call("bash", { command: "sleep 1" }, `call_${index}`, index)) : done(n)));
  return [
    { what: "ten reads in one reply", unit: "ms", value: reads.gaps[0], reference: { what: "allowed", value: 40 }, limit: 1 },
    { what: "five times sleep 1 in one reply", unit: "s", value: sleeps.gaps[0] / 1_000, reference: { what: "one after another", value: 5 } },
  ];
}

/** A reply of 4 s with three calls of 1 s: they run while it still comes (T7). */
async function earlyStartRows(tools) {
  const sleep = (index) => call("bash", { command: "sleep 1" }, `call_${index}`, index);
  const three = whole(0, [0, 1, 2].map(sleep).join(""), "tool_use");
  const cuts = [0, 1, 2].map((index) => three.indexOf(sleep(index)) + sleep(index).length);
  const pieces = [three.slice(0, cuts[0]), three.slice(cuts[0], cuts[1]), three.slice(cuts[1], cuts[2]), "", three.slice(cuts[2])];
  const streamed = await prompt(tools, (n) => (n === 0 ? pieces : done(n)));
  const atOnce = await prompt(tools, (n) => (n === 0 ? three : done(n)));
  const replySeconds = ((pieces.length - 1) * PIECE_MS) / 1_000;
  const reference = { what: "reply first, then its calls", value: replySeconds + atOnce.gaps[0] / 1_000 };
  return [{ what: "reply of 4 s with three commands of 1 s", unit: "s", value: replySeconds + streamed.gaps[0] / 1_000, reference, limit: 0.9 }];
}

async function longRows(tools) {
  const long = () => whole(0, say(LONG.text, LONG.deltas), "end_turn");
  const size = LONG.deltas * LONG.text.length + 1;
  const fast = await prompt(tools, long);
  const slow = await prompt(tools, long, { readerSleepsMs: READER_SLEEPS_MS });
  return [
    { what: "2 MB reply, all handed over to the exit", unit: "s", value: fast.tail / 1_000, reference: { what: "best rival", value: 0.34 }, limit: 1 },
    { what: "2 MB reply, peak memory", unit: "MB", value: fast.peak, reference: { what: "best rival", value: 238 }, limit: 1 },
    { what: "2 MB reply, read late: missing", unit: "MB", value: (size - slow.bytes) / MB, reference: { what: "all", value: size / MB }, limit: 0 },
  ];
}

/** How late the event loop comes to its turns under load (R2): many steps, a long reply, a lot of shell output. */
async function delayRows(tools) {
  const loads = {
    "600 steps": (n) => (n < 600 ? whole(n, readOf(n), "tool_use") : done(n)),
    "a 2 MB reply": () => whole(0, say(LONG.text, LONG.deltas), "end_turn"),
    "50 MB of shell output": (n) => (n === 0 ? whole(0, call("bash", { command: "yes 0123456789 | head -c 50000000" }, "call_0"), "tool_use") : done(n)),
  };
  const rows = [];
  for (const [what, reply] of Object.entries(loads)) {
    const { delay } = await prompt(tools, reply, { delay: true });
    rows.push({ what: `event loop late, p99, ${what}`, unit: "ms", value: delay.p99, reference: { what: "allowed", value: 50 }, limit: 1 });
    rows.push({ what: `event loop late, worst, ${what}`, unit: "ms", value: delay.max, reference: { what: "allowed p99", value: 50 } });
  }
  return rows;
}

export async function run(tools) {
  return [
    ...(await startRows(tools)),
    ...(await stepRows(tools, 200, 5)),
    ...(await stepRows(tools, 600, 6)),
    ...(await atOnceRows(tools)),
    ...(await earlyStartRows(tools)),
    ...(await longRows(tools)),
    ...(await delayRows(tools)),
  ];
}
