// A board without rules, for tests of other handlers.
import { err } from "#shared/lib/result.ts";
import type { RulesBoard } from "#electron/bridge/contract.ts";

export const noRules: RulesBoard = {
  list: async () => [],
  follow: () => ({ [Symbol.dispose]: () => undefined }),
  revoke: async () => err({ kind: "unknown_rule", message: "none" }),
  add: async () => err({ kind: "failed", message: "none" }),
};
