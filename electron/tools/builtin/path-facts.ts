// From the path a model wrote to the file it means: `~`, relative paths, links, and names that only look the same (B11, C14, T20).
import { lstat, readdir } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { escapeGlob } from "#shared/permissions/rule-path.ts";
import type { Result } from "#shared/lib/result.ts";
import { err, ok } from "#shared/lib/result.ts";
import type { Effect } from "#shared/tools/effect.ts";
import type { ToolFailure } from "#shared/tools/failure.ts";
import { errorCode, isInside, realPathOf } from "#electron/lib/real-path.ts";
import type { Place, ToolContext } from "#electron/tools/contract.ts";
import { diskFailure } from "./disk-failure.ts";

const MAX_PATH_CHARS = 4_096;

/** A path as input field. */
export const PathInput = z.string().min(1).max(MAX_PATH_CHARS);

export const PathFacts = z.object({
  /** absolute, links and `..` still in it */
  absolute: z.string(),
  /** where it leads; the text itself for a network path, which nothing may touch unasked */
  real: z.string(),
  /** host of a network path, by its text alone (T12) */
  network: z.string().optional(),
  /** names in the folder that look like the one asked for, when that one does not exist (C14) */
  lookAlikes: z.array(z.string()),
});
export type PathFacts = z.infer<typeof PathFacts>;

/** `\\host\share` or `//host/share` on any system: opening one can send the person's password hash to that host. */
export function networkHost(given: string): string | undefined {
  return /^(?:\\\\|\/\/)(?![.?][\\/])([^\\/]+)/.exec(given)?.[1];
}

/** Expands `~` and takes relative paths from the workspace. `..` stays: behind a link it is for the kernel to say where it leads. */
export function absoluteOf(given: string, place: Place): string {
  if (given === "~") return place.home;
  if (/^~[\\/]/.test(given)) return `${place.home}${path.sep}${given.slice(2)}`;
  const whole = path.isAbsolute(given) ? given : `${place.cwd}${path.sep}${given}`;
  return /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(whole) ? whole : path.normalize(whole);
}

/** `looseName`: a missing name may stand for the one that only differs in kinds of spaces or composed characters; never for writing. */
export async function pathFactsOf(given: string, place: Place, options: { readonly looseName: boolean }): Promise<PathFacts> {
  const network = networkHost(given);
  // Inside a workspace that lies on a network drive nothing new is touched.
  if (network !== undefined && !isInside(path.normalize(given), place.cwd)) return { absolute: given, real: given, network, lookAlikes: [] };
  const absolute = absoluteOf(given, place);
  const real = await realPathOf(absolute);
  const lookAlikes = options.looseName ? await findLookAlikes(real) : [];
  const [only] = lookAlikes;
  return { absolute, real: lookAlikes.length === 1 && only !== undefined ? path.join(path.dirname(real), only) : real, lookAlikes };
}

/** The exact name always wins; only when it is missing the folder is searched, for that may hold very many names. */
async function findLookAlikes(real: string): Promise<string[]> {
  if (await isThere(real)) return [];
  const wanted = path.basename(real);
  const names: readonly string[] = await readdir(path.dirname(real)).catch(() => []);
  return names.filter((name) => plainName(name) === plainName(wanted)).sort();
}

function isThere(real: string): Promise<boolean> {
  return lstat(real).then(
    () => true,
    () => false,
  );
}

function plainName(name: string): string {
  return name.normalize("NFC").replace(/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, " ");
}

/** The same at the time of use: what leads elsewhere now than when permission was given is not touched (P2 step 4). */
export async function settlePath(given: string, cx: ToolContext, options: { readonly looseName: boolean }): Promise<Result<PathFacts, ToolFailure>> {
  try {
    const now = await pathFactsOf(given, cx.place, options);
    const judged = PathFacts.safeParse(cx.facts);
    if (judged.success && judged.data.real !== now.real) {
      return err({
        kind: "tool_error",
        retryable: true,
        message: `${given} led to ${judged.data.real} when the call was checked and leads to ${now.real} now. Nothing was touched. Look at the path and call again.`,
      });
    }
    return ok(now);
  } catch (error) {
    return err(diskFailure(error, `find ${given}`));
  }
}

/** Workspace-relative with `/`, or absolute when it lies outside. */
export function shownPath(real: string, place: Place): string {
  if (!isInside(real, place.cwd)) return real;
  return path.relative(place.cwd, real).split(path.sep).join("/") || ".";
}

/** Every path the call touches: where it leads, and the name it was given when that is another one, so that rules about either match. */
export function pathEffects(kind: "reads" | "writes", facts: unknown): readonly Effect[] {
  const { absolute, real, network, lookAlikes } = PathFacts.parse(facts);
  const named = lookAlikes.length > 0 ? [] : [absolute];
  const paths = [...new Set([real, ...named])].map((target): Effect => ({ kind, target }));
  return network === undefined ? paths : [{ kind: "network", target: network }, ...paths];
}

export function realOf(facts: unknown): string {
  return PathFacts.parse(facts).real;
}

/** Rules for "Always…": this file, its folder. Outside the workspace they name the place in full. */
export function pathRules(verb: "read" | "edit", place: Place, facts: unknown): readonly string[] {
  const { real, network } = PathFacts.parse(facts);
  if (network !== undefined) return [];
  const inside = isInside(real, place.cwd);
  const text = (target: string) => (inside ? escapeGlob(shownPath(target, place)) : escapedOutside(target));
  const folder = path.dirname(real);
  const whole = inside && folder === place.cwd ? [] : [`${verb}(${text(folder)}/**)`];
  return folder === real ? [] : [`${verb}(${text(real)})`, ...whole];
}

function escapedOutside(target: string): string {
  const forward = target.split(path.sep).join("/");
  return escapeGlob(forward.startsWith("/") ? `/${forward}` : forward);
}

/** Failure for a name that fits several files, or undefined. */
export function ambiguousName(given: string, facts: PathFacts): ToolFailure | undefined {
  if (facts.lookAlikes.length < 2) return undefined;
  const names = facts.lookAlikes.map((name) => JSON.stringify(name).replace(/[^\x20-\x7e]/gu, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`));
  return {
    kind: "not_found",
    retryable: false,
    message: `${given} does not exist, and several names look like it: ${names.join(", ")}. Call again with the exact characters of one of them.`,
  };
}

export function isMissing(error: unknown): boolean {
  return errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR";
}
