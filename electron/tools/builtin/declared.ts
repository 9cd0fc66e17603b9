// The declarations that tools about one file, or one folder, have in common (T1): each says once what every such tool says.
import type { Effect } from "#shared/tools/effect.ts";
import type { AskCard, Place } from "#electron/tools/contract.ts";
import { networkHost, pathEffects, pathFactsOf, pathRules, realOf, shownPath } from "./path-facts.ts";

type FileInput = { readonly file_path: string };

/** For tools whose input names one file as `file_path`. */
function aboutOneFile(kind: "reads" | "writes") {
  return {
    analyse: (input: FileInput, place: Place) => pathFactsOf(input.file_path, place, { looseName: kind === "reads" }),
    isReadOnly: () => kind === "reads",
    isConcurrencySafe: () => kind === "reads",
    // The old content is in the checkpoint before the call, so nothing is lost for good.
    isDestructive: () => false,
    effects: (_input: FileInput, _place: Place, facts: unknown) => pathEffects(kind, facts),
    conflictKeys: (_input: FileInput, _place: Place, facts?: unknown) => [realOf(facts)],
    permissionTarget: (input: FileInput, _place: Place, facts?: unknown) => (facts === undefined ? input.file_path : realOf(facts)),
    suggestRules: (_input: FileInput, place: Place, facts: unknown) => pathRules(kind === "reads" ? "read" : "edit", place, facts),
    observable: (input: FileInput, _place: Place, facts?: unknown) => (facts === undefined ? input : { ...input, file_path: realOf(facts) }),
  };
}

export const READS_ONE_FILE = {
  ...aboutOneFile("reads"),
  reproducible: true,
  display: "summary",
  source: (input: FileInput) => `file ${input.file_path}`,
  askCard: (input: FileInput, place: Place) => readCard(input.file_path, place),
} as const;

/** Not to be cut short: the file is replaced as a whole in a moment, and half a change is none. */
export const CHANGES_ONE_FILE = { ...aboutOneFile("writes"), interrupt: "finish_first", idempotency: "compare_and_swap" } as const;

type FolderInput = { readonly path?: string | undefined };

/** For tools that look through the folder (or file) that `startOf` finds in their input. */
export function looksThrough<I extends FolderInput>(startOf: (input: I) => string) {
  return {
    display: "summary",
    reproducible: true,
    analyse: (input: I, place: Place) => pathFactsOf(startOf(input), place, { looseName: true }),
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    isDestructive: () => false,
    effects: (_input: I, _place: Place, facts: unknown) => pathEffects("reads", facts),
    conflictKeys: (_input: I, _place: Place, facts?: unknown) => [realOf(facts)],
    permissionTarget: (input: I, _place: Place, facts?: unknown) => (facts === undefined ? startOf(input) : realOf(facts)),
    suggestRules: (_input: I, place: Place, facts: unknown) => pathRules("read", place, facts),
    observable: (input: I, _place: Place, facts?: unknown) => (facts === undefined ? input : { ...input, path: realOf(facts) }),
    askCard: (input: I, place: Place) => readCard(startOf(input), place),
  } as const;
}

/** The question about reading outside the workspace shows where the path really leads. */
async function readCard(given: string, place: Place): Promise<AskCard> {
  const network = networkHost(given);
  const real =
    network === undefined
      ? await pathFactsOf(given, place, { looseName: true }).then(
          (facts) => facts.real,
          () => given,
        )
      : given;
  return { verb: "read_outside", subject: shownPath(real, place), detail: { kind: "path", path: real } };
}

/** What such a tool returns are the harness's own words, so they are not marked as data (P8). */
export const OWN_WORDS = { source: () => undefined } as const;

/** For tools that look at or change what the session itself keeps; nothing in the workspace changes by them. */
export const TOUCHES_NOTHING = { isReadOnly: () => true, isDestructive: () => false, effects: () => [], conflictKeys: () => [] } as const;

/** For tools that wait for what the person says; they do nothing else, and the person's words are no data from outside (P8). */
export const ASKS_PERSON = { ...TOUCHES_NOTHING, ...OWN_WORDS, effects: (): readonly Effect[] => [{ kind: "asks_person" }] } as const;
