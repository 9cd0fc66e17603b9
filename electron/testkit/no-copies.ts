// Copies where none can be made.
import type { RollbackFailure } from "#shared/checkpoints/checkpoint.ts";
import { err } from "#shared/lib/result.ts";
import type { FolderCopies } from "#electron/bridge/contract.ts";

const none = async () => err<RollbackFailure>({ kind: "io", paths: [], message: "none" });

export const noCopies: FolderCopies = {
  make: async () => err({ kind: "failed", message: "none" }),
  plan: none,
  bothSides: none,
  apply: none,
  undo: none,
  discard: async () => {},
};
