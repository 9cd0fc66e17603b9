// The product's own context pipeline on a tape: layers, thresholds, breaker and summariser as they ship; only the facts around it are given.
import type { Goal, Hypothesis, TodoItem } from "#shared/loop/work-state.ts";
import type { ContextPipeline, FixedPart } from "#electron/context/contract.ts";
import { createContextPipeline } from "#electron/context/pipeline.ts";
import { createSummariser } from "#electron/context/summariser.ts";
import { createAgentTime } from "#electron/ladder/agent-time.ts";
import type { Clock } from "#electron/lib/clock.ts";
import type { Provider } from "#electron/providers/contract.ts";

/** Facts of the session, asked again each time. */
export type RealContext = {
  readonly goal?: () => Goal | undefined;
  readonly todos?: () => readonly TodoItem[];
  readonly hypotheses?: () => readonly Hypothesis[];
  readonly changedFiles?: () => readonly string[];
  readonly folderMap?: string;
  readonly instructions?: string;
  /** more of a system prompt */
  readonly system?: string;
};

type Around = { readonly clock: Clock; readonly fixed: FixedPart; readonly provider: Provider };

export function realContext(facts: RealContext, { clock, fixed, provider }: Around): ContextPipeline {
  const { folderMap, instructions, system } = facts;
  const whole = system === undefined ? fixed : { ...fixed, system: [...fixed.system, system] };
  return createContextPipeline({
    fixed: () => whole,
    isReproducible: (tool) => tool === "read" || tool === "ls",
    summarise: createSummariser({
      clock,
      cacheKey: "s1",
      model: () => ({ provider, maker: { provider: provider.id, model: "m" } }),
      time: (tickMs) => createAgentTime({ clock, tickMs, personWaitMs: () => 0 }),
      onRequest: () => {},
    }),
    facts: {
      folderMap: async () => folderMap,
      instructions: async () => (instructions === undefined ? [] : [{ source: "instructions AGENTS.md", text: instructions }]),
      moment: async () => [],
      now: () => new Date(0),
      goal: () => facts.goal?.(),
      todos: () => facts.todos?.() ?? [],
      hypotheses: () => facts.hypotheses?.() ?? [],
      decisions: () => [],
      changedFiles: () => facts.changedFiles?.() ?? [],
    },
    clock,
  });
}
