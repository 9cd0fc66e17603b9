import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createSystemClock } from "#electron/lib/clock.ts";
import { createProcessTable } from "#electron/lib/process-tree.ts";
import { createPtyHost } from "./create-pty-host.ts";
import { createShellRunner } from "./create-runner.ts";
import { programOf } from "./shell-program.ts";

const Entry = z.object({ owner: z.object({ pid: z.number() }), mark: z.string(), leaders: z.array(z.unknown()) });

describe("the record of running processes", () => {
  it("has the mark on disk, whole, before a command can start (E14, G09)", async () => {
    const dir = await mkdtemp(path.join(tmpdir(), "cairn-record-"));
    const clock = createSystemClock();
    const host = createPtyHost(clock);
    const seen: string[] = [];
    const runner = createShellRunner({
      clock,
      shell: programOf("/bin/bash"),
      environment: () => ({ PATH: process.env["PATH"] ?? "/usr/bin:/bin" }),
      recordDir: dir,
      table: createProcessTable(),
      host: {
        async open(spec, onData) {
          const [file] = await readdir(dir);
          seen.push(file === undefined ? "none" : await readFile(path.join(dir, file), "utf8"));
          return host.open(spec, onData);
        },
      },
    });
    await runner.run({ command: "true", cwd: dir, timeoutMs: 5_000, spoolFile: path.join(dir, "out") }, new AbortController().signal, () => {});
    const entry = Entry.parse(JSON.parse(seen[0] ?? "{}"));
    expect([entry.owner.pid, entry.mark.length > 8, entry.leaders]).toEqual([process.pid, true, []]);
    await runner.close();
    await rm(dir, { recursive: true, force: true });
  });
});
