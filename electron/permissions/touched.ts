// The files a call declares to touch, with where they really lie. Worked out once per query and shared by the steps.
import type { Effect } from "#shared/tools/effect.ts";
import type { PermissionQuery } from "./contract.ts";
import { isDevicePrefix, isNetworkPath } from "./path-text.ts";
import { realPathOf } from "#electron/lib/real-path.ts";

export type TouchKind = "reads" | "writes" | "deletes";
export type TouchedPath = {
  readonly kind: TouchKind;
  /** as the call names it */
  readonly named: string;
  /** where it leads; the text itself for network and device names, which nothing may touch unasked (P2) */
  readonly real: string;
  /** for deletes: the entry itself, which goes even when it is a link */
  readonly entry: string;
};
export type Touched = { readonly paths: readonly TouchedPath[]; readonly workspace: string };

export type TouchedOf = (query: PermissionQuery) => Promise<Touched>;

/** Remembers the answer per query object, so that fourteen steps resolve each path once. */
export function createTouched(): TouchedOf {
  const known = new WeakMap<PermissionQuery, Promise<Touched>>();
  return (query) => {
    const before = known.get(query);
    if (before !== undefined) return before;
    const found = resolveAll(query);
    known.set(query, found);
    return found;
  };
}

async function resolveAll(query: PermissionQuery): Promise<Touched> {
  const named = query.traits.effects.flatMap(pathOf);
  const paths = await Promise.all(named.map(resolveOne));
  return { paths, workspace: await realPathOf(query.place.cwd) };
}

function pathOf(effect: Effect): readonly { readonly kind: TouchKind; readonly named: string }[] {
  return effect.kind === "reads" || effect.kind === "writes" || effect.kind === "deletes" ? [{ kind: effect.kind, named: effect.target }] : [];
}

async function resolveOne(touch: { readonly kind: TouchKind; readonly named: string }): Promise<TouchedPath> {
  const { named } = touch;
  if (isNetworkPath(named) || isDevicePrefix(named) || named.includes("\0")) return { ...touch, real: named, entry: named };
  const real = await realPathOf(named);
  return { ...touch, real, entry: touch.kind === "deletes" ? await entryOf(named, real) : real };
}

async function entryOf(named: string, real: string): Promise<string> {
  const match = /^(.*[\\/])([^\\/]+)[\\/]*$/.exec(named);
  const [, parent, name] = match ?? [];
  if (parent === undefined || name === undefined || name === "." || name === "..") return real;
  const folder = await realPathOf(parent);
  return `${folder.replace(/[\\/]$/, "")}/${name}`;
}
