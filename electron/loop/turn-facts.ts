// What happened in a turn, as facts that nobody has to believe (L16): files changed, numbers measured, tests touched.
import type { Notice } from "#shared/loop/turn-end.ts";
import type { FileDiff } from "#shared/tools/card.ts";
import type { Round } from "./contract.ts";
import { scalarOf } from "./scalar.ts";
import { stableJson } from "#shared/lib/stable-json.ts";
import { contentText } from "#shared/chat/blocks.ts";
import { testFacts } from "./test-facts.ts";

export interface TurnFacts {
  observe(round: Round): void;
  changedFiles(): number;
  /** first and last number of the measurement, when it was taken more than once */
  metric(key: string): { readonly first: string; readonly last: string } | undefined;
  /** for the turn's end */
  notices(): readonly Notice[];
}

/** One call, told apart by its name and input. */
export function callKey(call: { readonly name: string; readonly raw: unknown; readonly invalid: { readonly raw: string } | undefined }): string {
  return `${call.name} ${call.invalid?.raw ?? stableJson(call.raw)}`;
}

export function createTurnFacts(): TurnFacts {
  const diffs: FileDiff[] = [];
  const files = new Set<string>();
  const metrics = new Map<string, { first: string; last: string }>();
  return {
    observe({ done }) {
      for (const { call, outcome } of done) {
        if (outcome.status !== "ok") continue;
        if (outcome.view?.kind === "file_change") {
          diffs.push(outcome.view.diff);
          files.add(outcome.view.diff.path);
        }
        const scalar = scalarOf(contentText(outcome.forModel));
        if (scalar === undefined) continue;
        const key = callKey(call);
        metrics.set(key, { first: metrics.get(key)?.first ?? scalar, last: scalar });
      }
    },
    changedFiles: () => files.size,
    metric: (key) => metrics.get(key),
    notices: () => testFacts(diffs),
  };
}
