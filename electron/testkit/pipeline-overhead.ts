// What the pipeline itself costs a call: everything around the run of a real tool, with the real parse, chain, limit and redaction and
// a real log on disk, without hooks. Checkpoints have a benchmark of their own.
import { join } from "node:path";
import { CallId, SessionId, TurnId } from "#shared/lib/ids.ts";
import { createSystemClock } from "#electron/lib/clock.ts";
import { createRedactor } from "#electron/lib/redaction.ts";
import { createPermissionEngine } from "#electron/permissions/chain.ts";
import { openSessionLog } from "#electron/sessions/log-file.ts";
import { createArtefactStore } from "#electron/tools/artefacts.ts";
import { limitResult } from "#electron/tools/result-limit.ts";
import { emptyView } from "#shared/session/empty-view.ts";
import { createCore } from "#electron/sessions/session-core.ts";
import { openAllTools } from "./all-tools.ts";

/** ms beside the tool's own time, one number a call, after a warm-up. */
export async function pipelineOverheads(tool: "read" | "edit", calls: number): Promise<readonly number[]> {
  const clock = createSystemClock();
  const turn = TurnId.parse("t");
  const redactor = createRedactor(["sk-ant-test-0123456789"]);
  const opened: { core?: ReturnType<typeof createCore>; close?: () => Promise<void> } = {};
  const append = (event: Parameters<NonNullable<typeof opened.core>["append"]>[0][number]) => opened.core?.append([event]) ?? Promise.resolve();
  const all = await openAllTools({ intend: (call, files) => append({ v: 1, type: "call_intended", turn, call, files: [...files] }) }, (box) => {
    const results = join(box.outside, "results");
    const chain = createPermissionEngine({
      rules: () => ({ allow: ["read", "edit(**)"], ask: [], deny: ["bash(rm:*)"] }),
      disabledTools: () => [],
      home: box.place.home,
      dataDir: join(box.outside, "data"),
      ownPaths: [],
      ownResultsDir: results,
      headless: true,
      platform: process.platform,
    });
    return {
      authorise: async (query) => {
        const said = await chain.decide(query);
        return said.behavior === "allow"
          ? { behavior: "allow", waited: false }
          : { behavior: "deny", by: said.by, because: "", byPerson: false, why: undefined };
      },
      limit: (content, one) => limitResult(content, one.maxResultChars, one.name, createArtefactStore(results)),
      redact: redactor.redact,
      journal: {
        state: () => {},
        progress: () => {},
        refused: async () => {},
        started: (call) =>
          append({
            v: 1,
            type: "call_started",
            turn,
            call: call.id,
            tool: call.name,
            input: call.raw,
            effects: [...call.traits.effects],
            readOnly: call.traits.readOnly,
          }),
        settled: (call, outcome) => append({ v: 1, type: "call_settled", turn, call: CallId.parse(call.id), tool: call.name, outcome }),
      },
    };
  });
  const { log } = await openSessionLog(join(all.box.outside, "log.jsonl"), clock);
  opened.core = createCore({ log, view: emptyView(SessionId.parse("s")), clock, changed: () => {} });
  await all.box.put("a.txt", `${"some words in a line\n".repeat(50)}0\n`);
  await all.call("read", { file_path: "a.txt" });
  const overheads: number[] = [];
  for (let n = 0; n < calls * 2; n++) {
    const input = tool === "read" ? { file_path: "a.txt" } : { file_path: "a.txt", old_string: `line\n${n}\n`, new_string: `line\n${n + 1}\n` };
    const { outcome, ms, text } = await all.call(tool, input);
    if (outcome.status !== "ok") throw new Error(text);
    if (n >= calls) overheads.push(ms - outcome.metrics.ms);
  }
  await log.close();
  await all.close();
  return overheads;
}
