// What a crash leaves of calls that ran (S2): read-only, by hash, unknown; and the person's word on the last.
import { createHash } from "node:crypto";
import { appendFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { contentText, text } from "#shared/chat/blocks.ts";
import { CallId, TurnId } from "#shared/lib/ids.ts";
import type { CallView } from "#shared/session/view.ts";
import type { FileIntent } from "#shared/tools/recovery.ts";
import { MAKER, type SessionsFixture, sessionsFixture } from "#electron/testkit/sessions.ts";
import type { SessionActor } from "./contract.ts";
import { judge } from "./interrupted.ts";

const sha256 = (words: string) => createHash("sha256").update(words).digest("hex");
const [A, B] = [sha256("a"), sha256("b")];

describe("judge", () => {
  const call = (begun: CallView["begun"]): CallView => ({
    id: CallId.parse("c"),
    turn: TurnId.parse("t"),
    tool: "x",
    input: {},
    state: "running",
    startedAt: 1,
    outcome: undefined,
    forModel: undefined,
    ...(begun === undefined ? {} : { begun }),
  });
  const swaps = (...files: readonly FileIntent[]) => call({ readOnly: false, idempotency: "compare_and_swap", schema: 1, files, lasting: [] });
  const file = (path: string, before: string | null, after: string): FileIntent => ({ path, before, after });
  it.each([
    ["never known", undefined, {}, "not_run"],
    ["never started", { ...call(undefined), startedAt: undefined }, {}, "not_run"],
    ["of an older log, which says nothing", call(undefined), {}, "unknown"],
    ["reads", call({ readOnly: true, idempotency: "none", schema: 1, files: [], lasting: [] }), {}, "repeatable"],
    ["runs a command", call({ readOnly: false, idempotency: "none", schema: 1, files: [], lasting: [] }), {}, "unknown"],
    ["had told nothing yet", swaps(), {}, "not_done"],
    ["stands as before", swaps(file("f", A, B)), { f: A }, "not_done"],
    ["stands as meant", swaps(file("f", A, B)), { f: B }, "done"],
    ["was changed by another since", swaps(file("f", A, B)), { f: sha256("c") }, "unknown"],
    ["was not made", swaps(file("f", null, B)), { f: null }, "not_done"],
    ["was made", swaps(file("f", null, B)), { f: B }, "done"],
    ["was removed", swaps(file("f", A, B)), { f: null }, "unknown"],
    ["cannot be read", swaps(file("f", A, B)), {}, "unknown"],
    ["cannot be read and was new", swaps(file("f", null, B)), {}, "unknown"],
    ["half of two files", swaps(file("f", A, B), file("g", A, B)), { f: B, g: A }, "unknown"],
    ["the same file twice, after the second", swaps(file("f", A, B), file("f", B, sha256("c"))), { f: sha256("c") }, "done"],
    ["the same file twice, before the first", swaps(file("f", A, B), file("f", B, sha256("c"))), { f: A }, "not_done"],
    ["the same file twice, in between", swaps(file("f", A, B), file("f", B, sha256("c"))), { f: B }, "unknown"],
  ] as const)("a call that %s", (_, known, hashes, verdict) => {
    expect(judge(known, new Map(Object.entries(hashes)))).toBe(verdict);
  });
});

describe("a session opened after a crash", () => {
  let at: SessionsFixture;
  beforeEach(async () => {
    at = await sessionsFixture();
  });
  afterEach(() => at.end());

  /** A log that ends while these calls run. */
  async function crashed(calls: readonly { readonly started: object; readonly files?: readonly FileIntent[] }[]): Promise<SessionActor> {
    const actor = await at.sessions.create({ cwd: at.cwd, mode: "default", maker: MAKER });
    await at.sessions.close();
    const turn = "t9";
    const blocks = calls.map((_, index) => ({ type: "tool_use", id: `c${index}`, name: "x", input: {} }));
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
    const events = [
      { v: 1, type: "prompt_submitted", entry: "e1", turn, blocks: [text("go")] },
      { v: 1, type: "reply_completed", entry: "e2", turn, step: 1, reply: "r", by: MAKER, blocks, stop: { kind: "tool_use" }, usage, partial: false },
      ...calls.flatMap(({ started, files }, index) => [
        { v: 1, type: "call_started", turn, call: `c${index}`, tool: "x", input: {}, effects: [], readOnly: false, ...started },
        ...(files === undefined ? [] : [{ v: 1, type: "call_intended", turn, call: `c${index}`, files }]),
      ]),
    ];
    const log = join(at.dataDir, "sessions", actor.id, "log.jsonl");
    await appendFile(log, events.map((event, index) => `${JSON.stringify({ seq: index + 2, at: 1, event })}\n`).join(""));
    const again = await at.open().open(actor.id);
    if (!again.ok) throw new Error(again.error.message);
    return again.value;
  }
  const swap = { idempotency: "compare_and_swap", schema: 1 };
  const outcomes = (actor: SessionActor) => Object.values(actor.view.calls).map((call) => [call.outcome?.status, call.outcome?.interrupted]);
  const told = (actor: SessionActor, call: string) => contentText(actor.view.calls[CallId.parse(call)]?.forModel ?? []);

  it("knows by the files what was done, and says so to model and window; nothing is written", async () => {
    const path = (name: string) => join(at.cwd, name);
    await Promise.all([writeFile(path("done"), "b"), writeFile(path("before"), "a"), writeFile(path("other"), "c"), mkdir(path("folder"))]);
    const actor = await crashed([
      { started: swap, files: [{ path: path("done"), before: A, after: B }] },
      { started: swap, files: [{ path: path("before"), before: A, after: B }] },
      { started: swap, files: [{ path: path("other"), before: A, after: B }] },
      { started: swap, files: [{ path: path("absent"), before: null, after: B }] },
      { started: swap, files: [{ path: path("folder"), before: null, after: B }] },
      { started: { readOnly: true } },
    ]);
    expect(outcomes(actor)).toEqual([
      ["ok", "done"],
      ["failed", "not_done"],
      ["failed", "unknown"],
      ["failed", "not_done"],
      ["failed", "unknown"],
      ["failed", "repeatable"],
    ]);
    expect([told(actor, "c0"), told(actor, "c1"), told(actor, "c2"), told(actor, "c5")]).toEqual([
      expect.stringMatching(/it was done.*Do not repeat it/),
      expect.stringMatching(/before it wrote anything.*again if it is still wanted/),
      expect.stringMatching(/outcome is unknown.*Check before you repeat it/),
      expect.stringMatching(/only reads.*again if you still need/),
    ]);
    expect(actor.view.lastEnd).toMatchObject({ why: "interrupted", notice: { key: "notices.interrupted_unknown", params: { count: 2 } } });
    await rm(path("absent"), { force: false }).then(
      () => expect.unreachable("a file was made"),
      () => undefined,
    );
  });

  it("without an unknown outcome nobody is asked", async () => {
    const actor = await crashed([{ started: { readOnly: true } }]);
    expect(actor.view.lastEnd?.notice).toEqual({ key: "notices.interrupted" });
    expect(await actor.tellOutcome(CallId.parse("c0"), true)).toBe(false);
  });

  it.each([
    [true, /says that it took effect, so do not repeat it/],
    [false, /says that it did not take effect\. Make it again/],
  ])("the person's word (%s) is kept, and asked once", async (happened, words) => {
    const actor = await crashed([{ started: {} }]);
    const call = CallId.parse("c0");
    expect(await actor.tellOutcome(CallId.parse("c9"), true)).toBe(false);
    expect(await actor.tellOutcome(call, happened)).toBe(true);
    expect(await actor.tellOutcome(call, !happened)).toBe(false);
    expect(told(actor, "c0")).toMatch(words);
    await actor.close();
    const again = await at.open().open(actor.id);
    expect(again.ok && told(again.value, "c0")).toMatch(words);
  });

  it("once the conversation has gone on, what the model read stays", async () => {
    const actor = await crashed([{ started: {} }]);
    await actor.prompt([text("go on")]);
    await actor.idle();
    expect(await actor.tellOutcome(CallId.parse("c0"), true)).toBe(false);
    expect(told(actor, "c0")).toMatch(/unknown/);
  });
});
