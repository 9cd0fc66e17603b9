// What the window asks about points, through the handlers to a real session and a real store.
import { afterEach, describe, expect, it } from "vitest";
import { text } from "#shared/chat/blocks.ts";
import { CheckpointId, PlanId } from "#shared/lib/ids.ts";
import { err, ok } from "#shared/lib/result.ts";
import { openSettings } from "#electron/settings/store.ts";
import { createProjectTrust } from "#electron/hooks/project-trust.ts";
import { createSystemClock } from "#electron/lib/clock.ts";
import { openKeys } from "#electron/secrets/keys.ts";
import { noAttachments } from "#electron/testkit/no-attachments.ts";
import { noCopies } from "#electron/testkit/no-copies.ts";
import { noSpending } from "#electron/testkit/no-spending.ts";
import { noShells } from "#electron/testkit/no-shells.ts";
import { noRules } from "#electron/testkit/no-rules.ts";
import { openCheckpoints } from "#electron/testkit/open-checkpoints.ts";
import { MAKER, answering, sessionsFixture } from "#electron/testkit/sessions.ts";
import { createTempWorkspace } from "#electron/testkit/temp-workspace.ts";
import { checkpointHandlers } from "./checkpoint-handlers.ts";

const NEVER = new AbortController().signal;
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function setUp() {
  const ws = await createTempWorkspace({ "a.txt": "a\n", "b.txt": "b\n" });
  const cp = await openCheckpoints(ws);
  const at = await sessionsFixture(answering, async () => ok(cp.store));
  open.push(
    () => ws.dispose(),
    () => cp.close(),
    () => at.end(),
  );
  const actor = await at.sessions.create({ cwd: ws.root, mode: "default", maker: MAKER });
  await actor.prompt([text("go")]);
  await actor.idle();
  const [first] = actor.view.trail;
  if (first === undefined) throw new Error("no stone");
  const freed: string[] = [];
  const made = checkpointHandlers({
    facts: { platform: "linux", version: "1", electron: "25", systemLanguage: "en", keyStore: "memory_only", home: "/home/nobody", dataFolder: at.dataDir },
    searchSessions: async () => ({ ok: true, value: { more: false } }),
    redact: (text) => text,
    desktop: {
      pickFolder: async () => undefined,
      pickSave: async () => undefined,
      keepWindowData: () => {},
      followCommands: () => ({ [Symbol.dispose]() {} }),
      openExternal: async () => {},
      showFile: async () => {},
    },
    sessions: at.sessions,
    settings: await openSettings(`${at.dataDir}/settings.json`),
    keys: await openKeys({ file: `${at.dataDir}/keys.json`, vault: undefined, environment: {} }),
    checkpoints: { open: async () => ok(cp.store), close: async () => {} },
    hookTrust: createProjectTrust({ file: `${at.dataDir}/trusted-hooks.json`, clock: createSystemClock(), trustForThisRun: false }),
    storage: {
      list: async () => [{ folder: ws.root, bytes: 1, checkpoints: 1, pinned: 0, damaged: 0, damagedPaths: [], lostPoints: 0 }],
      freeUp: async (folder) => ok({ freedBytes: freed.push(folder), removed: 3 }),
    },
    rules: noRules,
    shells: noShells,
    spendingOf: async () => noSpending,
    copies: noCopies,
    ...noAttachments,
    uncommitted: async () => err({ kind: "no_repository", message: "none" }),
    problems: [],
    testConnection: async () => ok({ models: [] }),
    makeSample: async () => ws.root,
    defaultMaker: () => MAKER,
  });
  return { ws, cp, actor, made, session: actor.id, target: first.checkpoint.id, freed };
}

describe("the checkpoints domain", () => {
  it("plans and applies exactly what the window picked, and shows both sides of a conflict", async () => {
    const { ws, cp, made, session, target } = await setUp();
    await cp.agent(() => ws.plant({ "a.txt": "agent\n", "b.txt": "agent\n" }), { session, declared: ["a.txt", "b.txt"] });
    await cp.take();
    await ws.plant({ "a.txt": "person\n" });
    const seen = await made.plan({ session, target, scope: "files" }, NEVER);
    if (!seen.ok) throw new Error(seen.error.message);
    expect(seen.value.files.map(({ path, action }) => [path, action])).toEqual([
      ["a.txt", "conflict"],
      ["b.txt", "restore"],
    ]);
    expect(await made.threeWay({ session, plan: PlanId.parse(seen.value.plan), path: "a.txt" }, NEVER)).toMatchObject({
      ok: true,
      value: { now: "person\n", target: "a\n", binary: false },
    });
    const chosen = await made.plan({ session, target, scope: "files", files: ["a.txt"], overwrite: ["a.txt"] }, NEVER);
    if (!chosen.ok) throw new Error(chosen.error.message);
    expect(await made.apply({ session, plan: PlanId.parse(chosen.value.plan) }, () => undefined, NEVER)).toMatchObject({
      ok: true,
      value: { files: ["a.txt"] },
    });
    expect([await ws.read("a.txt"), await ws.read("b.txt")]).toEqual(["a\n", "agent\n"]);
  });

  it("marks a stone for the session and its store, and refuses one that is not there", async () => {
    const { cp, actor, made, session, target } = await setUp();
    expect(await made.mark({ session, checkpoint: target, name: "Start" }, NEVER)).toEqual({ ok: true, value: null });
    expect(actor.view.trail[0]).toMatchObject({ name: "Start", pinned: true });
    const stats = await cp.store.stats();
    expect(stats.ok && stats.value.pinned).toBe(1);
    const unknown = CheckpointId.parse("none");
    expect(await made.mark({ session, checkpoint: unknown, pinned: true }, NEVER)).toMatchObject({ ok: false, error: { kind: "unknown_checkpoint" } });
  });

  it("tells what folders need and frees the one that is asked for", async () => {
    const { ws, made, freed } = await setUp();
    expect(await made.storage({}, NEVER)).toEqual({
      ok: true,
      value: [{ folder: ws.root, bytes: 1, checkpoints: 1, pinned: 0, damaged: 0, damagedPaths: [], lostPoints: 0 }],
    });
    expect(await made.freeUp({ folder: ws.root }, NEVER)).toEqual({ ok: true, value: { freedBytes: 1, removed: 3 } });
    expect(freed).toEqual([ws.root]);
  });
});
