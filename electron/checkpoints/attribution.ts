// Whose change is it (K5). Pure: from the calls that were running and the time a file says it changed.
import type { ChangedBy } from "#shared/checkpoints/checkpoint.ts";
import { FILE_CLOCK_SLACK_MS } from "./limits.ts";
import { isBelow } from "./paths.ts";

/** A stretch of time in which a call could write. */
export type CallWindow = {
  readonly call: string;
  readonly session: string;
  readonly turn: string | undefined;
  /** folded paths it said it would write; undefined: it could not say */
  readonly declared: readonly string[] | undefined;
  /** a process left running: it and the person cannot be told apart */
  readonly background: boolean;
  /** ms since the epoch */
  readonly opened: number;
  readonly closed: number | undefined;
};

/** `rollback`: by going back. `shared`: two sessions' calls ran and either may have done it. `coverage`: nothing changed but whether it is protected. */
export type Who = ChangedBy | "rollback" | "shared" | "coverage";
export type Author = { readonly who: Who; readonly session?: string | undefined; readonly turn?: string | undefined; readonly call?: string | undefined };

export type ChangeSeen = {
  /** folded */
  readonly path: string;
  /** when the file system says it changed; undefined where it cannot say (deleted, folder) or its clock is not ours */
  readonly when: number | undefined;
};

/** `Date.now` cuts the fraction that a file's time keeps */
const CLOCK_FRACTION_MS = 2;

export function authorOf(change: ChangeSeen, windows: readonly CallWindow[]): Author {
  const open = windows.filter((one) => wasOpen(one, change.when));
  const front = open.filter((one) => !one.background);
  return (
    pick(
      "agent",
      front.filter((one) => declares(one, change.path)),
    ) ??
    pick(
      "during_call",
      front.filter((one) => one.declared === undefined),
    ) ??
    elsewhere(front) ??
    pick("background", open) ?? { who: "person" }
  );
}

/** Every call that ran said what it writes, and this is something else: it is shown as of that time, but nobody may take it back. */
function elsewhere(front: readonly CallWindow[]): Author | undefined {
  return front.length > 0 ? { who: "during_call" } : undefined;
}

function wasOpen(window: CallWindow, when: number | undefined): boolean {
  if (when === undefined) return true;
  return when >= window.opened - FILE_CLOCK_SLACK_MS && (window.closed === undefined || when <= window.closed + CLOCK_FRACTION_MS);
}

/** Also the folders that had to be made for a declared path. */
function declares(window: CallWindow, path: string): boolean {
  return window.declared?.some((one) => one === path || isBelow(path, one) || isBelow(one, path)) ?? false;
}

function pick(who: "agent" | "during_call" | "background", windows: readonly CallWindow[]): Author | undefined {
  const last = windows.reduce<CallWindow | undefined>((latest, one) => (latest === undefined || one.opened >= latest.opened ? one : latest), undefined);
  if (last === undefined) return undefined;
  if (windows.some((one) => one.session !== last.session)) return { who: "shared" };
  return { who, session: last.session, turn: last.turn, call: last.call };
}

/** How a path is compared where the file system does not tell upper from lower case. */
export function foldPath(path: string, platform: NodeJS.Platform): string {
  return platform === "linux" ? path : path.normalize("NFC").toLowerCase();
}

/** What the person reads. */
export function shownAs(who: Who): ChangedBy {
  switch (who) {
    case "rollback":
    case "coverage":
      return "person";
    case "shared":
      return "during_call";
    default:
      return who;
  }
}
