import { afterEach, describe, expect, it } from "vitest";
import type { CheckpointId } from "#shared/lib/ids.ts";
import { emptyView } from "#shared/session/empty-view.ts";
import type { SessionView } from "#shared/session/view.ts";
import { Settings } from "#shared/settings/settings.ts";
import { createSystemClock } from "#electron/lib/clock.ts";
import { type CheckpointHarness, openCheckpoints, SESSION_A } from "#electron/testkit/open-checkpoints.ts";
import { createTempWorkspace } from "#electron/testkit/temp-workspace.ts";
import { type Bounds, boundedStore, boundsOf, createCheckpointStorage } from "./checkpoint-bounds.ts";

const NEVER = new AbortController().signal;
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function setUp(bounds: Bounds) {
  const ws = await createTempWorkspace({ "a.txt": "0\n" });
  const cp: CheckpointHarness = await openCheckpoints(ws);
  open.push(
    () => ws.dispose(),
    () => cp.close(),
  );
  const views: SessionView[] = [];
  const deps = { clock: createSystemClock(), bounds: () => bounds, views: async () => views };
  const points: CheckpointId[] = [];
  for (const n of [1, 2, 3, 4]) {
    await ws.plant({ "a.txt": `${n}\n` });
    points.push(await cp.take());
  }
  const left = async () => (await cp.store.list()).map((each) => points.indexOf(each.id));
  const standsOn = (at: number) => views.push({ ...emptyView(SESSION_A), current: points[at] });
  return { ws, cp, deps, left, standsOn };
}
const TIGHT: Bounds = { maxBytes: 0, maxAgeMs: Number.MAX_SAFE_INTEGER };
const WIDE: Bounds = { maxBytes: Number.MAX_SAFE_INTEGER, maxAgeMs: Number.MAX_SAFE_INTEGER };

describe("the bounds of checkpoints", () => {
  it("come from the settings", () => {
    expect(boundsOf(Settings.parse({ checkpoints: { maxBytes: 100 * 1024 * 1024, maxAgeDays: 2 } }))).toEqual({
      maxBytes: 104_857_600,
      maxAgeMs: 172_800_000,
    });
  });

  it.each([
    { when: "over the bound, at the end of a turn", bounds: TIGHT, kind: "turn_end" as const, left: [1, 3] },
    { when: "over the bound, in the middle of a turn", bounds: TIGHT, kind: "before_call" as const, left: [0, 1, 2, 3] },
    { when: "within the bound", bounds: WIDE, kind: "turn_end" as const, left: [0, 1, 2, 3] },
  ])("$when: forgets only then, never what a session stands on", async ({ bounds, kind, left: expected }) => {
    const { cp, deps, left, standsOn } = await setUp(bounds);
    standsOn(1);
    await boundedStore(cp.store, deps).take({ kind, label: "" }, SESSION_A, NEVER);
    await expect.poll(left).toEqual(expected);
  });
});

describe("the storage of checkpoints", () => {
  it("says for each folder once what its points need, and why it cannot", async () => {
    const { ws, cp, deps } = await setUp(WIDE);
    const storage = createCheckpointStorage({ ...deps, stores: cp.stores, folders: async () => [ws.root, ws.root, "/nowhere/at/all"] });
    const [one, gone, ...more] = await storage.list();
    expect([one?.folder, one?.checkpoints, one?.pinned, (one?.bytes ?? 0) > 0, more]).toEqual([ws.root, 4, 0, true, []]);
    expect([gone?.folder, gone?.checkpoints, gone?.problem?.includes("/nowhere/at/all")]).toEqual(["/nowhere/at/all", 0, true]);
  });

  it("frees space by forgetting the oldest, and leaves the store open for who works there", async () => {
    const { ws, cp, deps, left, standsOn } = await setUp(WIDE);
    standsOn(2);
    const freed = await createCheckpointStorage({ ...deps, stores: cp.stores, folders: async () => [] }).freeUp(ws.root);
    expect(freed).toMatchObject({ ok: true, value: { removed: 2 } });
    expect(await left()).toEqual([2, 3]);
    await ws.plant({ "a.txt": "5\n" });
    expect((await cp.store.take({ kind: "person", label: "" }, SESSION_A, NEVER)).kind).toBe("taken");
  });
});
