// What the content of a path rule means: `src/**`, `~/notes/**`, `//etc/**`, `/src/**` (P4). Pure text; matching is elsewhere.

/** Where patterns start. Both with `/` as separator, without a slash at the end. */
export type PatternRoots = { readonly workspace: string; readonly home: string };

/**
 * Absolute glob patterns for a rule's content. A single leading slash is read both ways (from the workspace, from the root);
 * a name without slash means that name at the top of the workspace, and with `anyDepth` (deny, ask) at every depth.
 */
export function absolutePatterns(content: string, roots: PatternRoots, anyDepth: boolean): readonly string[] {
  const pattern = content.trim().replace(/\\(?=[A-Za-z0-9_ .~-])/g, "/");
  const workspace = escapeGlob(roots.workspace);
  if (pattern === "~" || pattern.startsWith("~/")) return whole(`${escapeGlob(roots.home)}${pattern.slice(1)}`, anyDepth);
  if (pattern.startsWith("//")) return whole(pattern.slice(1), anyDepth);
  if (/^[A-Za-z]:\//.test(pattern)) return whole(pattern, anyDepth);
  if (pattern.startsWith("/")) return [...whole(`${workspace}${pattern}`, anyDepth), ...whole(pattern, anyDepth)];
  const inside = pattern.replace(/^(?:\.\/)+/, "");
  const deep = anyDepth && !inside.replace(/\/$/, "").includes("/") ? whole(`${workspace}/**/${inside}`, anyDepth) : [];
  return [...whole(`${workspace}/${inside}`, anyDepth), ...deep];
}

/** A path as pattern that means this path only. */
export function escapeGlob(path: string): string {
  return path.replace(/[\\*?[\]{}()!+@|$^]/g, "\\$&");
}

// A folder named by a rule means what is in it: always with a slash at the end, and for deny and ask without one too.
function whole(pattern: string, anyDepth: boolean): readonly string[] {
  if (pattern.endsWith("/")) return [pattern.slice(0, -1), `${pattern}**`];
  return anyDepth ? [pattern, `${pattern}/**`] : [pattern];
}
