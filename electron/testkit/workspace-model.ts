// The simplest thing that knows what a folder should look like after going back: whole copies of the tree, one list of changes a
// path, line-by-line reasoning on files of few lines. Slow, small and unlike the engine, so that both are unlikely to be wrong alike.
// Paths are latin1 texts of their bytes.

export type ModelNode =
  | { readonly kind: "text"; readonly lines: readonly string[]; readonly mode: number }
  | { readonly kind: "binary"; readonly bytes: string; readonly mode: number }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "dir" };
export type ModelTree = ReadonlyMap<string, ModelNode>;
export type ModelAuthor = "a" | "b" | "person" | "rollback";

type Change = { readonly time: number; readonly before: ModelNode | undefined; readonly after: ModelNode | undefined; readonly author: ModelAuthor };
type History = { readonly changes: readonly Change[]; readonly left: readonly { readonly from: number; readonly to: number }[] };

export interface WorkspaceModel {
  /** The folder as it is now became known to be somebody's work. Answers the time, to go back to. */
  see(tree: ModelTree, author: ModelAuthor): number;
  /** What it should look like after going back. Undefined: that point was left behind, which only an exact roll-back can be asked for. */
  after(target: number, who: "a" | "b" | "exact"): ModelTree | undefined;
  /** It was gone back to `target`, and the folder looks like this now; only these paths took part. */
  wentBack(target: number, tree: ModelTree, how?: { readonly who?: "a" | "b" | "exact"; readonly covers?: (path: string) => boolean }): number;
  treeAt(time: number): ModelTree;
}

const same = (a: ModelNode | undefined, b: ModelNode | undefined) => JSON.stringify(a) === JSON.stringify(b);

export function createWorkspaceModel(first: ModelTree): WorkspaceModel {
  const trees: ModelTree[] = [first];
  let histories: ReadonlyMap<string, History> = new Map();
  /** as they were at each time, since one may go back to a point that was itself left behind */
  const past: ReadonlyMap<string, History>[] = [histories];
  const historyOf = (path: string): History => histories.get(path) ?? { changes: [], left: [] };
  const now = () => trees.length - 1;
  const treeAt = (time: number): ModelTree => trees[time] ?? new Map();

  const push = (tree: ModelTree, author: ModelAuthor): number => {
    const old = treeAt(now());
    trees.push(new Map(tree));
    const next = new Map(histories);
    for (const path of new Set([...old.keys(), ...tree.keys()])) {
      const before = old.get(path);
      const after = tree.get(path);
      if (same(before, after)) continue;
      const history = historyOf(path);
      next.set(path, { ...history, changes: [...history.changes, { time: now(), before, after, author }] });
    }
    histories = next;
    past.push(next);
    return now();
  };
  const wantOf = (path: string, target: number, who: "a" | "b"): ModelNode | undefined | "left behind" => {
    const { changes, left } = historyOf(path);
    if (left.some(({ from, to }) => target > from && target < to)) return "left behind";
    const present = treeAt(now()).get(path);
    let want = treeAt(target).get(path);
    for (const change of changes.filter(({ time }) => time > target)) {
      if (change.author === who) continue;
      const merged = mergeNodes(change.before, want, change.after);
      if (merged === "conflict") return present;
      want = merged;
    }
    return want;
  };

  return {
    see: (tree, author) => push(tree, author),
    treeAt,
    after(target, who) {
      const present = treeAt(now());
      if (who === "exact") return treeAt(target);
      const wanted = new Map<string, ModelNode>();
      const paths = new Set([...treeAt(target).keys(), ...present.keys(), ...histories.keys()]);
      for (const path of paths) {
        const want = wantOf(path, target, who);
        if (want === "left behind") return undefined;
        if (want !== undefined) wanted.set(path, want);
      }
      return withFolders(wanted);
    },
    wentBack(target, tree, { who = "exact", covers = () => true } = {}) {
      const time = push(tree, "rollback");
      const then = past[target] ?? new Map<string, History>();
      const next = new Map<string, History>();
      for (const path of new Set([...histories.keys(), ...then.keys()])) {
        if (!covers(path)) {
          next.set(path, historyOf(path));
          continue;
        }
        const history = then.get(path) ?? { changes: [], left: [] };
        const before = treeAt(target).get(path);
        const after = tree.get(path);
        const stayed: readonly Change[] = same(before, after) ? [] : [{ time, before, after, author: authorOfStayed(historyOf(path).changes, target, who) }];
        next.set(path, { changes: [...history.changes, ...stayed], left: [...history.left, { from: target, to: time }] });
      }
      histories = next;
      past[time] = next;
      return time;
    },
  };
}

/** What was left is the other one's where only that one's work stayed and the own went; else nobody's to take back. */
function authorOfStayed(changes: readonly Change[], target: number, who: "a" | "b" | "exact"): ModelAuthor {
  const since = changes.filter(({ time }) => time > target);
  const others = since.filter(({ author, time }) => author !== who && !(author === "rollback" && time === since.at(-1)?.time));
  const own = since.some(({ author }) => author === who);
  const wentBack = since.at(-1)?.author === "rollback";
  const other = others[0]?.author;
  if (who === "exact" || (other !== "a" && other !== "b") || (own && !wentBack)) return "person";
  return others.every(({ author }) => author === other) ? other : "person";
}

/** A folder is there when anything is in it. */
function withFolders(tree: ReadonlyMap<string, ModelNode>): ModelTree {
  const all = new Map(tree);
  for (const path of tree.keys()) {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1))
      if (!all.has(path.slice(0, at))) all.set(path.slice(0, at), { kind: "dir" });
  }
  return all;
}

/** `base` became `theirs` on one side; the other has `ours`. */
function mergeNodes(base: ModelNode | undefined, ours: ModelNode | undefined, theirs: ModelNode | undefined): ModelNode | undefined | "conflict" {
  if (same(base, ours)) return theirs;
  if (same(base, theirs) || same(ours, theirs)) return ours;
  const isFile = (node: ModelNode | undefined) => node?.kind === "text" || node?.kind === "binary";
  if (!isFile(base) || !isFile(ours) || !isFile(theirs)) return "conflict";
  const content = mergeContents(base, ours, theirs);
  return content === "conflict" ? content : { ...content, mode: theirs.mode === base.mode ? ours.mode : theirs.mode };
}

type FileNode = Extract<ModelNode, { readonly mode: number }>;

function mergeContents(base: FileNode, ours: FileNode, theirs: FileNode): FileNode | "conflict" {
  const equal = (a: FileNode, b: FileNode) => same({ ...a, mode: 0 }, { ...b, mode: 0 });
  if (equal(ours, base) || equal(ours, theirs)) return theirs;
  if (equal(theirs, base)) return ours;
  if (base.kind !== "text" || ours.kind !== "text" || theirs.kind !== "text") return "conflict";
  // an emptied file and a changed line in it meet everywhere
  if (ours.lines.length !== base.lines.length || theirs.lines.length !== base.lines.length) return "conflict";
  const lines = base.lines.map((line, at) => mergeLine(line, ours.lines[at] ?? "", theirs.lines[at] ?? ""));
  return lines.every((line) => line !== undefined) ? { ...ours, lines } : "conflict";
}

function mergeLine(line: string, mine: string, other: string): string | undefined {
  if (mine === line || mine === other) return other;
  return other === line ? mine : undefined;
}

/** Between the lines stand others that never change, so that a merge never meets two changes side by side. */
export function textOf(lines: readonly string[]): string {
  return lines.map((line, at) => `${line}\n-- ${at} --\n== ${at} ==\n`).join("");
}
