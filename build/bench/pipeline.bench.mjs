// The call pipeline (T3): what it costs a call beside the tool's own time, without hooks, against its budget of one millisecond.
import { runnerImport } from "vite";

export const name = "call pipeline";

const CALLS = 300;
const BUDGET = { what: "budget", value: 1 };

export async function run(tools) {
  const { pipelineOverheads } = (await runnerImport("electron/testkit/pipeline-overhead.ts", { root: tools.root, configFile: false, logLevel: "silent" }))
    .module;
  const rows = [];
  for (const tool of ["read", "edit"]) {
    const sorted = await pipelineOverheads(tool, CALLS);
    rows.push({ what: `${tool}: overhead of a call, p50`, unit: "ms", value: tools.quantile(sorted, 0.5), reference: BUDGET, limit: 1 });
    rows.push({ what: `${tool}: overhead of a call, p95`, unit: "ms", value: tools.quantile(sorted, 0.95), reference: BUDGET });
  }
  return rows;
}
