// git, sub-command by sub-command (P3, P12, B06): which only read, and which publish, rewrite or discard.
import type { FlagRules } from "./flags.ts";

/** Options of the diff family that write, run programs or read other files. */
const DIFF_DENY = ["--output", "--ext-diff", "--textconv", "-O", "--no-index", "--output-directory"];
const DIFF_KNOWN = ["--text", "--no-textconv", "--no-ext-diff", "--oneline", "--out"];
const diffFamily: GitRead = {
  rules: {
    deny: DIFF_DENY,
    values: [
      "-n",
      "-S",
      "-G",
      "-L",
      "-U",
      "--format",
      "--pretty",
      "--since",
      "--until",
      "--after",
      "--before",
      "--author",
      "--grep",
      "--max-count",
      "--skip",
      "--date",
      "--diff-filter",
      "--word-diff-regex",
      "--color",
    ],
    only: undefined,
  },
  operands: "revisions",
};

type GitRules = Omit<FlagRules, "only"> & { readonly only?: readonly string[] | undefined };
export type GitRead = {
  readonly rules: GitRules;
  /** `revisions`: names of commits or paths; a path that leaves the folder is read. `none`: there must be none */
  readonly operands: "revisions" | "none";
  readonly prints?: "names";
};

export const GIT_KNOWN_LONG = DIFF_KNOWN;

const any = (deny: readonly string[] = [], more: Partial<GitRead> = {}): GitRead => ({
  rules: { deny: ["--output", ...deny] },
  operands: "revisions",
  ...more,
});
const list = (only: readonly string[], values: readonly string[] = []): GitRead => ({ rules: { only, values }, operands: "none" });

/** Words after `git`, two where the second decides. */
export const GIT_READS: Readonly<Record<string, GitRead>> = {
  status: any(["-v", "--verbose"]),
  log: diffFamily,
  show: diffFamily,
  diff: { ...diffFamily, prints: "names" },
  whatchanged: diffFamily,
  shortlog: diffFamily,
  "diff-tree": diffFamily,
  "diff-index": diffFamily,
  "diff-files": diffFamily,
  blame: any(["--contents", "--textconv", "--ignore-revs-file", "-S"]),
  annotate: any(["--contents", "--textconv", "--ignore-revs-file", "-S"]),
  "ls-files": any(["-X", "--exclude-from", "--exclude-per-directory"], { prints: "names" }),
  "ls-tree": any(),
  "cat-file": any(["--textconv", "--filters", "--batch-command"]),
  "rev-parse": any(["--parseopt"]),
  "rev-list": any(["--disk-usage"]),
  "name-rev": any(),
  describe: any(),
  "merge-base": any(),
  "show-ref": any(),
  "show-branch": any(),
  "for-each-ref": any(["--shell", "--perl", "--python", "--tcl"]),
  "count-objects": any(),
  "check-ignore": any(),
  "check-attr": any(),
  cherry: any(),
  "range-diff": any(DIFF_DENY),
  "verify-pack": any(),
  version: any(),
  grep: any(["-O", "--open-files-in-pager", "--ext-grep", "--no-index", "--textconv", "-f"], { prints: "names" }),
  reflog: { rules: { deny: DIFF_DENY, values: ["-n", "--format", "--date"] }, operands: "none" },
  "reflog show": diffFamily,
  branch: list(
    [
      "-a",
      "-r",
      "-v",
      "-q",
      "--all",
      "--remotes",
      "--list",
      "-l",
      "--show-current",
      "--merged",
      "--no-merged",
      "--contains",
      "--no-contains",
      "--sort",
      "--format",
      "--points-at",
      "--color",
      "--no-color",
      "--column",
      "--no-column",
      "--verbose",
      "--abbrev",
      "--no-abbrev",
      "-i",
      "--ignore-case",
    ],
    ["--sort", "--format", "--points-at", "--contains", "--no-contains", "--merged", "--no-merged"],
  ),
  tag: list(
    ["-l", "--list", "-n", "--sort", "--format", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at", "--column", "-i", "--ignore-case"],
    ["--sort", "--format", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at"],
  ),
  remote: list(["-v", "--verbose"]),
  "remote get-url": any(),
  "stash list": diffFamily,
  "stash show": diffFamily,
  "worktree list": list(["--porcelain", "-v", "--verbose", "-z"]),
  "notes list": any(),
  "notes show": any(),
  "bisect log": list([]),
  "bundle verify": any(),
  "config --get": any(),
};

/** With these a list command takes patterns as operands. */
export const GIT_LIST_WITH_PATTERNS = ["--list", "-l", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at"];

/** They publish, rewrite or discard (P12): always asked, unless bypass mode or a rule that names them. */
export const GIT_GUARDED = new Set([
  "push",
  "commit",
  "merge",
  "rebase",
  "reset",
  "checkout",
  "switch",
  "restore",
  "clean",
  "stash",
  "config",
  "pull",
  "cherry-pick",
  "revert",
  "am",
  "apply",
  "rm",
  "mv",
  "tag",
  "branch",
  "remote",
  "worktree",
  "submodule",
  "subtree",
  "notes",
  "replace",
  "update-ref",
  "symbolic-ref",
  "update-index",
  "read-tree",
  "checkout-index",
  "filter-branch",
  "filter-repo",
  "reflog",
  "gc",
  "prune",
  "repack",
  "pack-refs",
  "send-pack",
  "send-email",
  "request-pull",
  "svn",
  "p4",
  "fast-import",
  "bisect",
  "sparse-checkout",
  "maintenance",
  "lfs",
  "init",
  "hook",
  "credential",
  "daemon",
  "http-push",
]);

export const GIT_NETWORK = new Set(["push", "pull", "fetch", "clone", "ls-remote", "remote", "submodule", "send-email", "request-pull", "svn", "p4", "lfs"]);

/** Settings that are no secret when asked for one by one. */
export const GIT_PUBLIC_SETTINGS =
  /^(?:user\.(?:name|email)|core\.(?:autocrlf|eol|ignorecase|bare|filemode|editor|worktree|symlinks)|init\.defaultbranch|pull\.rebase|push\.default|merge\.conflictstyle|remote\.[\w.-]+\.fetch|branch\.[\w./-]+\.(?:remote|merge|rebase))$/i;
