// Does random things to a real folder and to the model's tree alike: what agents, shells and people do to files.
import fs from "node:fs/promises";
import path from "node:path";
import { type ModelNode, type ModelTree, textOf } from "./workspace-model.ts";

export type Random = () => number;

/** mulberry32: the same numbers for the same seed. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const FILES = [
  "a.txt",
  "b.txt",
  "Case.txt",
  "case.txt",
  "d/x.txt",
  "d/y.txt",
  "d/e/z.txt",
  "sub/s.txt",
  ".gitignore",
  ".env",
  "\xff\xfe odd",
  "d/n\xe4me",
  "sp ace/ü.txt",
  "e2/f",
];
const FOLDERS = ["d", "d/e", "e2", "empty", "sub/empty", "sp ace"];
/** What is protected once stays so: none of these may change what a roll-back does. */
const IGNORED = ["d/", "*.txt", "!a.txt", "/e2", "case*", ".env", "sub/"];
const LINES = 4;
const MODES = [0o644, 0o755, 0o600];

export interface WorkspaceActor {
  readonly tree: ModelTree;
  /** One random thing. */
  act(): Promise<void>;
  /** Puts the whole folder into this state in the model only, as after a roll-back. */
  adopt(tree: ModelTree): void;
}

export function createWorkspaceActor(root: string, random: Random): WorkspaceActor {
  let tree = new Map<string, ModelNode>([["sub", { kind: "dir" }]]);
  let counter = 0;
  const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)];
  const at = (label: string) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(label, "latin1")]);
  const word = () => `${pick(["red", "green", "blue"]) ?? ""} ${(counter += 1) % 7}`;

  const clear = async (label: string) => {
    await fs.rm(at(label), { recursive: true, force: true });
    const all = [...tree.keys()];
    for (const one of all) if (one === label || one.startsWith(`${label}/`)) tree.delete(one);
  };
  /** False: a file or link stands where a folder would be needed. */
  const makeAbove = async (label: string): Promise<boolean> => {
    const above = path.posix.dirname(label);
    if (above === ".") return true;
    if (!(await makeAbove(above))) return false;
    const there = tree.get(above);
    if (there !== undefined) return there.kind === "dir";
    await fs.mkdir(at(above));
    tree.set(above, { kind: "dir" });
    return true;
  };
  const put = async (label: string, node: ModelNode) => {
    if (tree.get(label)?.kind !== node.kind) await clear(label);
    if (!(await makeAbove(label))) return;
    if (node.kind === "dir") await fs.mkdir(at(label));
    else if (node.kind === "link") {
      await clear(label);
      await fs.symlink(Buffer.from(node.target, "latin1"), at(label));
    } else {
      // now in place, now by renaming, as editors and shells do
      const bytes = node.kind === "text" ? Buffer.from(textOf(node.lines)) : Buffer.from(node.bytes, "latin1");
      if (random() < 0.3) await clear(label);
      await fs.writeFile(at(label), bytes);
      await fs.chmod(at(label), node.mode);
    }
    tree.set(label, node);
  };
  const editLine = async (label: string) => {
    const old = tree.get(label);
    const lines = old?.kind === "text" ? [...old.lines] : Array.from({ length: LINES }, (_unused, n) => `line ${n}`);
    lines[Math.floor(random() * LINES)] = label.endsWith(".gitignore") ? (pick(IGNORED) ?? "") : word();
    await put(label, { kind: "text", lines, mode: old?.kind === "text" ? old.mode : 0o644 });
  };
  const rename = async () => {
    const from = pick([...tree.keys()].filter((label) => tree.get(label)?.kind !== "dir"));
    const to = pick(FILES);
    const node = from === undefined ? undefined : tree.get(from);
    if (from === undefined || to === undefined || node === undefined || from === to || tree.get(to)?.kind === "dir") return;
    if (!(await makeAbove(to))) return;
    await fs.rename(at(from), at(to));
    tree.delete(from);
    tree.set(to, node);
  };
  /** As `mv` does it: the folder with all that is in it. */
  const renameFolder = async () => {
    const from = pick([...tree.keys()].filter((label) => tree.get(label)?.kind === "dir" && !label.startsWith("sub")));
    const to = pick([...FOLDERS, "moved", "moved/on"]);
    if (from === undefined || to === undefined || tree.has(to) || to.startsWith(`${from}/`)) return;
    if (!(await makeAbove(to))) return;
    await fs.rename(at(from), at(to));
    const inside = [...tree].filter(([label]) => label === from || label.startsWith(`${from}/`));
    for (const [label] of inside) tree.delete(label);
    for (const [label, node] of inside) tree.set(`${to}${label.slice(from.length)}`, node);
  };
  const acts: readonly (readonly [number, () => Promise<void>])[] = [
    [8, async () => editLine(pick(FILES) ?? "a.txt")],
    [2, async () => put(pick(FILES) ?? "a.txt", { kind: "binary", bytes: `\0${word()}${"x".repeat(Math.floor(random() * 50))}`, mode: 0o644 })],
    [1, async () => put(pick(FILES) ?? "a.txt", { kind: "text", lines: [], mode: 0o644 })],
    [3, async () => clear(pick([...tree.keys()].filter((label) => label !== "sub")) ?? "a.txt")],
    [2, rename],
    [1, renameFolder],
    [
      2,
      async () =>
        put(pick(["link", "d/link", ...FILES.slice(0, 3)]) ?? "link", { kind: "link", target: pick(["a.txt", "d", "nowhere", "../outside", "\xff"]) ?? "d" }),
    ],
    [2, async () => put(pick(FOLDERS.filter((label) => tree.get(label) === undefined)) ?? "more", { kind: "dir" }).catch(ignoreExisting)],
    [
      2,
      async () => {
        const label = pick([...tree.keys()]);
        const node = label === undefined ? undefined : tree.get(label);
        if (label !== undefined && (node?.kind === "text" || node?.kind === "binary")) await put(label, { ...node, mode: pick(MODES) ?? 0o644 });
      },
    ],
  ];
  const total = acts.reduce((sum, [weight]) => sum + weight, 0);
  return {
    get tree() {
      return tree;
    },
    async act() {
      let left = random() * total;
      for (const [weight, work] of acts) {
        left -= weight;
        if (left < 0) return work();
      }
    },
    adopt: (next) => {
      tree = new Map(next);
    },
  };
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
}
