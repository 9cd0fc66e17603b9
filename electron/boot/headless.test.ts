// The whole engine without a window, against a local server that speaks the real protocols.
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { SessionSummary } from "#shared/session/summary.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type HeadlessFixture, headlessFixture } from "#electron/testkit/headless-run.ts";
import { startModelServer, type ModelServer } from "#electron/testkit/server/model-server.ts";
import { calls, says, type Script } from "#electron/testkit/server/script.ts";

const Listed = z.array(z.object({ id: z.string(), cause: z.object({ kind: z.string() }), files: z.array(z.string()) }));

let at: HeadlessFixture;
let server: ModelServer | undefined;
beforeEach(async () => {
  at = await headlessFixture();
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  await at.end();
});

type Protocol = readonly [provider: "anthropic" | "openai" | "openai-chat", path: string];
const ANTHROPIC: Protocol = ["anthropic", ""];
const PROTOCOLS: readonly Protocol[] = [ANTHROPIC, ["openai", "/v1"], ["openai-chat", "/v1"]];

async function serve([provider, path]: Protocol, script: Script): Promise<readonly string[]> {
  server = await startModelServer({ script });
  return ["--provider", provider, "--base-url", `${server.url}${path}`, "--model", "test-model"];
}
const shortWaits = async () => {
  const file = join(at.cwd, "..", "short.json");
  await writeFile(
    file,
    JSON.stringify({ timeouts: { backoffFirst: 5, backoffMax: 10, noBytes: 300, noContent: 600, noProgress: 900, watcher: 1200, headers: 400 } }),
  );
  return ["--settings", file];
};

describe.each(PROTOCOLS.map((protocol) => ({ name: protocol[0], protocol })))("a task over $name", ({ protocol }) => {
  it("reads, edits and answers; the checkpoint before it can be gone back to and that undone", async () => {
    await writeFile(join(at.cwd, "price.txt"), "price: 10\n");
    const model = await serve(protocol, [
      calls("read", { file_path: "price.txt" }),
      calls("edit", { file_path: "price.txt", old_string: "10", new_string: "12" }),
      says("The price is 12 now."),
    ]);
    const ran = await at.run(["-p", "raise the price", "--permission-mode", "acceptEdits", ...model]);
    expect([ran.code, ran.out]).toEqual([0, "The price is 12 now.\n"]);
    expect(await readFile(join(at.cwd, "price.txt"), "utf8")).toBe("price: 12\n");
    server?.assertClean();

    const list = Listed.parse(JSON.parse((await at.run(["checkpoints", "list", "--output-format", "json"])).out));
    expect(list.map((one) => one.cause.kind)).toEqual(["turn_start", "turn_end"]);
    expect(list[1]?.files).toEqual(["price.txt"]);
    await writeFile(join(at.cwd, "mine.txt"), "the person's\n");
    expect((await at.run(["checkpoints", "restore", list[0]?.id ?? ""])).code).toBe(0);
    expect(await readFile(join(at.cwd, "price.txt"), "utf8")).toBe("price: 10\n");
    expect(await readFile(join(at.cwd, "mine.txt"), "utf8")).toBe("the person's\n");
    expect((await at.run(["checkpoints", "undo"])).code).toBe(0);
    expect(await readFile(join(at.cwd, "price.txt"), "utf8")).toBe("price: 12\n");
  });

  it("goes on with its session in a second process", async () => {
    const model = await serve(protocol, [says("one"), says("two")]);
    await at.run(["-p", "first", ...model]);
    const second = await at.run(["-p", "second", "--continue", ...model]);
    expect(second.out).toBe("two\n");
    const [, after] = server?.requests.map((request) => JSON.stringify(request.body)) ?? [];
    expect([after?.includes("first"), after?.includes("one"), after?.includes("second")]).toEqual([true, true, true]);
    server?.assertClean();
  });

  it("a key that is refused ends at once with exit code 1 and the way out, and the next hello works", async () => {
    const model = await serve(protocol, (_request, n) => (n === 0 ? { fault: { kind: "status", status: 401, message: "invalid key" } } : says("hello")));
    const ran = await at.run(["-p", "x", ...model]);
    expect([ran.code, ran.out, server?.requests.length]).toEqual([1, "", 1]);
    expect(ran.err).toMatch(/key/i);
    expect((await at.run(["-p", "hello", "--continue", ...model])).out).toBe("hello\n");
    server?.assertClean();
  });

  it("an overloaded server is asked again and the wait is told", async () => {
    const model = await serve(protocol, (_request, n) => (n < 2 ? { fault: { kind: "status", status: 529, message: "overloaded" } } : says("done")));
    const ran = await at.run(["-p", "x", ...model, ...(await shortWaits())]);
    expect([ran.code, ran.out]).toEqual([0, "done\n"]);
    expect(ran.err).toContain("trying again");
  });

  it.each([
    ["an empty reply", { parts: [], stop: "end_turn" as const }, 6],
    ["a refusal", { parts: [{ type: "text" as const, text: "I will not." }], stop: "refusal" as const }, 5],
  ])("%s is never reported as done", async (_name, reply, code) => {
    const model = await serve(protocol, () => reply);
    const ran = await at.run(["-p", "x", ...model, ...(await shortWaits()), "--output-format", "json"]);
    expect([ran.code, ran.json()["is_error"]]).toEqual([code, true]);
    expect(ran.err.trim()).not.toBe("");
  });
});

describe("the headless command", () => {
  it("without a model says the way out and is never a silent demo", async () => {
    const ran = await at.run(["-p", "x"]);
    expect([ran.code, ran.out]).toEqual([2, ""]);
    expect(ran.err).toContain("ANTHROPIC_API_KEY");
  });

  it.each([
    ["a folder that is not there", ["-p", "x", "--provider", "demo", "--cwd", "nowhere"]],
    ["a file for a folder", ["-p", "x", "--provider", "demo", "--cwd", "file.txt"]],
    ["no prompt", ["-p", "--provider", "demo"]],
    ["a session that is not there", ["-p", "x", "--provider", "demo", "--resume", "nope"]],
    ["nothing to continue", ["-p", "x", "--provider", "demo", "--continue"]],
    ["a settings file that is none", ["-p", "x", "--provider", "demo", "--settings", "file.txt"]],
    ["a data folder that is a file", ["-p", "x", "--provider", "demo", "--data-dir", "file.txt"]],
    ["a data folder inside a file", ["-p", "x", "--provider", "demo", "--data-dir", "file.txt/data"]],
    ...(process.platform === "linux" ? [["a data folder nobody can make", ["-p", "x", "--provider", "demo", "--data-dir", "/proc/nope/data"]] as const] : []),
  ] as const)("refuses %s", async (_name, argv) => {
    await writeFile(join(at.cwd, "file.txt"), "x");
    const ran = await at.run(argv);
    expect(ran.code).toBe(2);
    expect(ran.err).toMatch(/^cairn: /);
  });

  it("takes the prompt from standard input", async () => {
    const model = await serve(ANTHROPIC, [says("heard")]);
    expect((await at.run(["-p", ...model], { input: "what I piped" })).out).toBe("heard\n");
    expect(JSON.stringify(server?.requests[0]?.body)).toContain("what I piped");
  });

  it("a write that nobody can allow is refused, told to the model, and without an answer ends with 3", async () => {
    const script: Script = (_request, n) => (n % 2 === 0 ? calls("write", { file_path: "new.txt", content: "x" }) : { parts: [], stop: "end_turn" });
    const model = await serve(ANTHROPIC, script);
    const ran = await at.run(["-p", "x", ...model, "--output-format", "json", "--max-turns", "4"]);
    expect(z.array(z.object({ tool_name: z.string() })).parse(ran.json()["permission_denials"])[0]?.tool_name).toBe("write");
    expect([3, 4]).toContain(ran.code);
    await expect(readFile(join(at.cwd, "new.txt"))).rejects.toThrow();
  });

  it("prints every durable event as a line, and the live ones when asked", async () => {
    const model = await serve(ANTHROPIC, [says("hello there")]);
    const ran = await at.run(["-p", "x", ...model, "--output-format", "stream-json", "--include-partial-messages"]);
    const types = ran.lines().map((line) => line["type"]);
    expect(types).toEqual(expect.arrayContaining(["prompt_submitted", "text_delta", "reply_completed", "turn_complete", "result"]));
    const seqs = ran.lines().flatMap((line) => (typeof line["seq"] === "number" ? [line["seq"]] : []));
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
  });

  it("an interrupt ends with 130, keeps what came, and the next message works", async () => {
    const model = await serve(ANTHROPIC, (_request, n) =>
      n === 0 ? { parts: [{ type: "text", text: "partly here" }], fault: { kind: "hang", when: "mid_stream" } } : says("again"),
    );
    const ran = await at.run(["-p", "x", ...model], { stop: (interrupt) => setTimeout(interrupt, 400) });
    expect([ran.code, server?.openSockets()]).toEqual([130, 0]);
    expect((await at.run(["-p", "go on", "--continue", ...model])).out).toBe("again\n");
    server?.assertClean();
  });

  it("stops at its step limit with a summary and exit code 4", async () => {
    await mkdir(join(at.cwd, "d"));
    const model = await serve(ANTHROPIC, (_request, n) => (n < 3 ? calls("ls", { path: n % 2 === 0 ? "." : "d" }) : says("summary")));
    const ran = await at.run(["-p", "x", ...model, "--max-turns", "3", "--output-format", "json"]);
    expect([ran.code, ran.json()["result"]]).toEqual([4, "summary"]);
  });

  it("keys of the environment reach the provider and nothing else", async () => {
    const model = await serve(ANTHROPIC, [says("ok")]);
    await at.run(["-p", "x", ...model], { env: { ANTHROPIC_API_KEY: "sk-ant-test-0123456789" } });
    expect(server?.requests[0]?.headers.authorization).toBe("Bearer sk-ant-test-0123456789");
    expect(JSON.stringify(server?.requests[0]?.body)).not.toContain("sk-ant-test");
  });

  it("a repository that brings programs in its settings has none of them run", async () => {
    const git = (...args: readonly string[]) => promisify(execFile)("git", args, { cwd: at.cwd });
    const program = (name: string) => `touch ${join(at.cwd, name)}; cat`;
    await git("init", "-q");
    await writeFile(join(at.cwd, "a.txt"), "a\n");
    await git("add", "a.txt");
    await writeFile(join(at.cwd, ".gitattributes"), "*.txt filter=x diff=x\n");
    await git("config", "filter.x.clean", program("RAN-filter"));
    await git("config", "core.fsmonitor", program("RAN-monitor"));
    await git("config", "diff.external", program("RAN-diff"));
    await writeFile(join(at.cwd, "a.txt"), "b\n");
    const model = await serve(ANTHROPIC, [says("seen")]);
    expect((await at.run(["-p", "x", ...model])).out).toBe("seen\n");
    expect((await readdir(at.cwd)).filter((file) => file.startsWith("RAN"))).toEqual([]);
    expect(JSON.stringify(server?.requests[0]?.body)).toContain("git branch");
  });

  it("keeps how the repository was when the session began, and tells the model whose work is whose (P12)", async () => {
    const git = (...args: readonly string[]) =>
      promisify(execFile)("git", ["-c", "user.name=x", "-c", "user.email=x@example.invalid", ...args], { cwd: at.cwd });
    await git("init", "-q", "-b", "main");
    await writeFile(join(at.cwd, "a.txt"), "a\n");
    await git("add", "a.txt");
    await git("commit", "-q", "-m", "first");
    await writeFile(join(at.cwd, "a.txt"), "the person's\n");
    const model = await serve(ANTHROPIC, [calls("write", { file_path: "b.txt", content: "b" }), says("one"), says("two")]);
    await at.run(["-p", "x", "--permission-mode", "acceptEdits", ...model]);
    await at.run(["-p", "y", "--continue", ...model]);
    const told = (n: number) => JSON.stringify(server?.requests[n]?.body);
    expect(told(0)).toMatch(/git branch main, HEAD [0-9a-f]{10}/);
    expect(told(0)).toContain("uncommitted when this session began, so the user's own work; never discard or commit it unasked: .M a.txt");
    expect(told(2)).toContain("uncommitted since then: ?? b.txt");
    const { stdout } = await git("rev-parse", "HEAD");
    const seen = (await at.run(["-p", "z", "--continue", "--output-format", "stream-json", ...model])).lines();
    expect(seen.filter((line) => line["type"] === "repository_seen")).toEqual([]);
    const [log] = (await readdir(join(at.dataDir, "sessions"), { recursive: true })).filter((name) => name.endsWith(".jsonl"));
    const lines = (await readFile(join(at.dataDir, "sessions", log ?? ""), "utf8")).split("\n").filter((line) => line.includes("repository_seen"));
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
      { event: { repository: { state: "repository", head: stdout.trim(), branch: "main", dirty: [{ status: ".M", path: "a.txt" }], more: 0 } } },
    ]);
  });

  it("says on standard error what is damaged or has no effect, keeps it, and goes on (R4)", async () => {
    await mkdir(at.dataDir, { recursive: true });
    await writeFile(join(at.dataDir, "approvals.json"), "{ torn");
    await writeFile(join(at.dataDir, "settings.json"), JSON.stringify({ rules: { deny: ["bash(", "bash(rm *)", 7] } }));
    await mkdir(join(at.cwd, ".cairn"));
    await writeFile(join(at.cwd, ".cairn/settings.json"), "not json");
    const model = await serve(ANTHROPIC, [says("done")]);
    const ran = await at.run(["-p", "x", "--allowedTools", "mcp__*", ...model]);
    expect([ran.code, ran.out]).toEqual([0, "done\n"]);
    for (const words of [
      "A value of the settings was ignored",
      "“bash(” in",
      "“mcp__*” in the command line has no effect, because it would allow tools that nobody has seen yet",
      "The file with what you allowed for good could not be read. It is kept as",
      "The settings this folder brings along",
    ])
      expect(ran.err).toContain(words);
    expect((await readdir(at.dataDir)).filter((name) => name.startsWith("approvals.json.broken-")).length).toBe(1);
  });

  it("lists and exports sessions", async () => {
    const model = await serve(ANTHROPIC, [says("**bold** answer")]);
    await at.run(["-p", "hello", ...model]);
    const [card] = z.array(SessionSummary).parse(JSON.parse((await at.run(["sessions", "list", "--output-format", "json"])).out));
    expect(card).toMatchObject({ title: "hello", cwd: at.cwd });
    expect((await at.run(["sessions", "export", card?.id ?? ""])).out).toContain("**bold** answer");
    const page = (await at.run(["sessions", "export", card?.id ?? "", "--format", "html"])).out;
    expect([page.startsWith("<!doctype html>"), page.includes("<strong>bold</strong> answer")]).toEqual([true, true]);
    expect(JSON.parse((await at.run(["sessions", "export", card?.id ?? "", "--format", "json"])).out)).toMatchObject({ session: card?.id });
    expect((await at.run(["sessions", "export", "nope"])).code).toBe(2);
    const found = z
      .array(z.object({ session: z.string(), hits: z.array(z.unknown()) }))
      .parse(JSON.parse((await at.run(["sessions", "search", "bold answer", "--output-format", "json"])).out));
    expect(found.map(({ session, hits }) => [session, hits.length])).toEqual([[card?.id, 1]]);
    expect((await at.run(["sessions", "search", "bold"])).out).toContain("reply: ");
    expect((await at.run(["sessions", "search"])).code).toBe(2);
  });
});

describe("what nobody has to be asked for (P2)", () => {
  const harmless: readonly [name: string, input: Readonly<Record<string, unknown>>][] = [
    ["read", { file_path: "a.txt" }],
    ["ls", {}],
    ["glob", { pattern: "*.txt" }],
    ["grep", { pattern: "hello" }],
    ["bash", { command: "ls" }],
    ["bash_output", { id: "none" }],
    ["todo_write", { todos: [{ content: "look", status: "completed" }] }],
    ["hypothesis", { action: "list" }],
    ["goal", { action: "show" }],
  ];
  it.each(harmless)("%s runs headless without a question", async (name, input) => {
    await writeFile(join(at.cwd, "a.txt"), "hello\n");
    const model = await serve(ANTHROPIC, [calls(name, input), says("seen")]);
    const ran = await at.run(["-p", "x", ...model, "--output-format", "json"]);
    expect(ran.json()).toMatchObject({ exit_code: 0, permission_denials: [] });
    server?.assertClean();
  });

  it.each([
    ["write", { file_path: "n.txt", content: "x" }],
    ["bash", { command: "touch n.txt" }],
    ["web_fetch", { url: "http://127.0.0.1:9/" }],
    ["bash", { command: "git push" }],
    ["read", { file_path: "/etc/shadow" }],
  ])("%s that reaches further is refused when nobody is there", async (name, input) => {
    const model = await serve(ANTHROPIC, [calls(name, input), says("ok")]);
    const ran = await at.run(["-p", "x", ...model, "--output-format", "json"]);
    expect(z.array(z.unknown()).parse(ran.json()["permission_denials"]).length).toBe(1);
    await expect(readFile(join(at.cwd, "n.txt"))).rejects.toThrow();
  });
});

describe("hooks of the person (H1)", () => {
  const hooksFile = async (hooks: object) => {
    const file = join(at.cwd, "..", "hooks.json");
    await writeFile(file, JSON.stringify({ hooks }));
    return ["--settings", file];
  };
  it("add words to a prompt, which stay in the conversation", async () => {
    const model = await serve(ANTHROPIC, [says("one"), says("two")]);
    const hooks = await hooksFile({ UserPromptSubmit: [{ hooks: [{ command: "echo branch is main" }] }] });
    await at.run(["-p", "first", ...model, ...hooks]);
    await at.run(["-p", "second", "--continue", ...model]);
    const bodies = server?.requests.map((request) => JSON.stringify(request.body)) ?? [];
    expect([bodies[0]?.includes("branch is main"), bodies[1]?.includes("branch is main")]).toEqual([true, true]);
    server?.assertClean();
  });
  it("stop a prompt before anything is sent, with their reason", async () => {
    const model = await serve(ANTHROPIC, [says("never")]);
    const ran = await at.run(["-p", "x", ...model, ...(await hooksFile({ UserPromptSubmit: [{ hooks: [{ command: "echo not today >&2; exit 2" }] }] }))]);
    expect([ran.code, server?.requests.length, ran.err.includes("not today")]).toEqual([1, 0, true]);
  });
  it("block a tool call, and the model is told", async () => {
    const model = await serve(ANTHROPIC, [calls("ls", {}), says("ok")]);
    await at.run(["-p", "x", ...model, ...(await hooksFile({ PreToolUse: [{ matcher: "LS", hooks: [{ command: "echo no listing >&2; exit 2" }] }] }))]);
    expect(JSON.stringify(server?.requests[1]?.body)).toContain("no listing");
    server?.assertClean();
  });
});
