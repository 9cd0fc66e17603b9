// What went wrong, as the closed kinds the window knows, with a sentence for headless use and logs that says what to do next.
import type { RollbackFailure } from "#shared/checkpoints/checkpoint.ts";
import { DamagedBlob } from "./blob-reader.ts";
import { StoreProblem } from "./database.ts";
import { codeOf } from "./error-code.ts";
import { CalledOff } from "./parts.ts";
import { FolderGone } from "./walk.ts";

/** One path could not be done. */
export class StepFailed extends Error {
  readonly path: string;
  readonly reason: unknown;
  constructor(path: string, reason: unknown) {
    super(`${path}: ${textOf(reason)}`);
    this.path = path;
    this.reason = reason;
  }
}
/** The store does not know any more what changed since a point. */
export class DamagedRecord extends Error {}
/** The folder is not as it was when the plan was made. */
export class NotAsPlanned extends Error {}

type Said = { readonly kind: RollbackFailure["kind"]; readonly says: string };

const RECORD_DAMAGED =
  "What changed since this point is not known any more: its record is damaged. Nothing was changed. Points made after the damage still work; choose a newer one.";

const LOCKED = new Set(["EACCES", "EPERM", "EBUSY", "EROFS", "ETXTBSY"]);
const FULL = new Set(["ENOSPC", "EDQUOT", "SQLITE_FULL"]);

const textOf = (reason: unknown) => (reason instanceof Error ? reason.message : String(reason));

function say(reason: unknown): Said {
  if (reason instanceof DamagedBlob) return { kind: "unreadable_store", says: "A stored content is damaged or missing." };
  if (reason instanceof DamagedRecord) return { kind: "unreadable_store", says: RECORD_DAMAGED };
  if (reason instanceof NotAsPlanned) return { kind: "stale_plan", says: "The folder changed since the preview. Look at the preview again." };
  if (reason instanceof CalledOff) return { kind: "io", says: "It was called off." };
  if (reason instanceof FolderGone) return { kind: "folder_gone", says: "The folder is not there any more, or cannot be read." };
  if (reason instanceof StoreProblem) return sayOfStore(reason);
  const code = codeOf(reason);
  if (LOCKED.has(code)) return { kind: "locked", says: "A file cannot be changed: it is open in another program, read-only or protected." };
  if (FULL.has(code)) return { kind: "disk_full", says: "The disk is full. Free some space and try again." };
  return { kind: "io", says: "The disk gave an error." };
}

function sayOfStore({ kind }: StoreProblem): Said {
  switch (kind) {
    case "busy":
      return { kind: "locked", says: "Try again when it is done." };
    case "newer":
      return { kind: "unreadable_store", says: "This folder's checkpoints were made by a newer Cairn. They are left alone; update Cairn to use them." };
    case "damaged":
      return {
        kind: "unreadable_store",
        says: "The database of this folder's checkpoints is damaged. It is set apart now, and a new one is begun. Try again.",
      };
  }
}

export function failureOf(error: unknown): RollbackFailure {
  const path = error instanceof StepFailed ? [error.path] : [];
  const reason = error instanceof StepFailed ? error.reason : error;
  const { kind, says } = say(reason);
  return { kind, paths: path, message: `${says}${path.length > 0 ? ` (${path.join(", ")})` : ""} [${textOf(reason)}]` };
}

/** Of a roll-back that was taken back; `stuck`: paths that could not be put back yet. */
export function rollbackFailure(error: unknown, stuck: readonly string[]): RollbackFailure {
  const { kind, paths, message } = failureOf(error);
  if (stuck.length === 0) return { kind, paths, message: `${message} Every file is as it was before.` };
  const told = `${message} These files could not be put back yet: ${stuck.join(", ")}. It is tried again at the next start; their contents are safe in the store.`;
  return { kind, paths: [...new Set([...paths, ...stuck])], message: told };
}
