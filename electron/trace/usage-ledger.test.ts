import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NO_USAGE } from "#shared/chat/usage.ts";
import { SessionId } from "#shared/lib/ids.ts";
import { createManualClock } from "#electron/testkit/manual-clock.ts";
import { createUsageLedger } from "./usage-ledger.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ledger-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const entry = (tokens: number, usd?: number) => ({
  session: SessionId.parse("s"),
  by: { provider: "p", model: "m" },
  usage: { ...NO_USAGE, output: tokens, cacheRead: 9_000 },
  ...(usd === undefined ? {} : { usd }),
});
const noon = new Date(2026, 2, 1, 12).getTime();
const problems: string[] = [];
const open = (clock = createManualClock(noon), at = folder) => createUsageLedger(at, clock, (message) => problems.push(message));

describe("the ledger of what was spent (L11)", () => {
  it("counts at once, without what the cache gave, and a later start finds it again", async () => {
    const ledger = open();
    ledger.add(entry(100, 0.5));
    ledger.add(entry(20));
    expect(ledger.today()).toEqual({ usd: 0.5, tokens: 120 });
    await ledger.flush();
    expect(ledger.today()).toEqual({ usd: 0.5, tokens: 120 });
    const later = open();
    expect(later.today()).toEqual({ usd: 0, tokens: 0 });
    await later.refresh();
    expect(later.today()).toEqual({ usd: 0.5, tokens: 120 });
  });

  it("counts what another process adds, in any order, nothing twice", async () => {
    const [a, b] = [open(), open()];
    for (let n = 0; n < 20; n += 1) (n % 2 === 0 ? a : b).add(entry(1, 1));
    await Promise.all([a.flush(), b.flush()]);
    await Promise.all([a.refresh(), b.refresh()]);
    expect([a.today(), b.today()]).toEqual([
      { usd: 20, tokens: 20 },
      { usd: 20, tokens: 20 },
    ]);
  });

  it("begins anew at midnight, where the person is", async () => {
    const clock = createManualClock(new Date(2026, 2, 1, 23, 59).getTime());
    const ledger = open(clock);
    ledger.add(entry(5, 1));
    await ledger.flush();
    await clock.advance(120_000);
    expect(ledger.today()).toEqual({ usd: 0, tokens: 0 });
    ledger.add(entry(7, 2));
    await ledger.flush();
    expect(ledger.today()).toEqual({ usd: 2, tokens: 7 });
    expect((await readdir(folder)).sort()).toEqual(["2026-03-01.jsonl", "2026-03-02.jsonl"]);
  });

  it("reads past torn and foreign lines", async () => {
    const file = join(folder, "2026-03-01.jsonl");
    await writeFile(file, `{"at":1,"usd":-4}\nnull\n\u0000\n{"at":1,"sess`);
    const ledger = open();
    ledger.add(entry(3, 1));
    await ledger.flush();
    const again = open();
    await again.refresh();
    expect(again.today()).toEqual({ usd: 1, tokens: 3 });
  });

  it("goes on counting when it cannot write, and says so once", async () => {
    await mkdir(join(folder, "x"));
    await writeFile(join(folder, "x", "usage"), "a file where a folder must be");
    problems.length = 0;
    const ledger = open(createManualClock(noon), join(folder, "x", "usage"));
    ledger.add(entry(3, 1));
    ledger.add(entry(3, 1));
    await ledger.flush();
    expect([ledger.today(), problems.length]).toEqual([{ usd: 2, tokens: 6 }, 1]);
  });
});
