// Files from which code is run later without a question (B19). Asked about in every mode, bypass included (P2 step 7).
// First match wins, so specific rows stand before general ones; a test proves that no row hides a later one.
import type { AskWhy } from "#shared/permissions/explanation.ts";
import { matchesTrees } from "./tree-pattern.ts";

/**
 * `person`: only the person, each time: no rule, hook, mode or remembered answer.
 * `rule`: asked unless a rule of the person's names the file, or bypass mode is on.
 */
export type Approver = "person" | "rule";
export type ProtectedRow = {
  /** matched against the end of the path, in every folder; each means itself and everything below it */
  readonly paths: readonly string[];
  readonly reason: string;
  readonly why: AskWhy;
  readonly approver: Approver;
  readonly match: readonly string[];
  readonly not: readonly string[];
};

const OWN_FOLDERS = [".cairn", ".claude", ".agents"];
const OWN_SPECIFIC = ["settings*.json", "hooks", "hooks.json", "skills", "commands", "agents", "plugins", "mcp*.json", "permissions*"];
const RC_FILES = [
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".bash_aliases",
  ".profile",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
  ".zlogout",
  ".kshrc",
  ".cshrc",
  ".tcshrc",
  ".login",
  ".xprofile",
  ".xinitrc",
  ".xsession",
  ".inputrc",
  ".config/fish",
  ".config/zsh",
  ".config/nushell",
  ".config/powershell",
  "Microsoft.PowerShell_profile.ps1",
  "profile.ps1",
  ".screenrc",
  ".tmux.conf",
  ".vimrc",
  ".exrc",
  ".config/nvim",
  ".emacs",
  ".emacs.d",
  ".gdbinit",
  ".lldbinit",
  ".pythonrc",
  ".irbrc",
  ".Rprofile",
  ".psqlrc",
];
const START_UP = [
  ".config/autostart",
  ".config/systemd",
  ".config/environment.d",
  "Library/LaunchAgents",
  "Library/LaunchDaemons",
  "Start Menu/Programs/Startup",
  "etc/systemd",
  "etc/profile.d",
  "etc/init.d",
  "etc/cron.d",
  "etc/cron.daily",
  "etc/cron.hourly",
  "etc/crontab",
  "etc/ld.so.preload",
  "var/spool/cron",
];
const HOOK_TOOLS = [
  ".husky",
  ".githooks",
  ".git-hooks",
  "lefthook.yml",
  "lefthook.yaml",
  ".lefthook.yml",
  ".lefthook",
  ".pre-commit-config.yaml",
  ".overcommit.yml",
];
const EDITORS = [".vscode", ".idea", ".zed", ".cursor", ".devcontainer", ".devcontainer.json", ".fleet", "*.code-workspace", ".vs", "*.sublime-project"];
const ENTERING = [".envrc", ".direnv", ".direnvrc", ".mise.toml", "mise.toml", ".mise.local.toml", ".mise", ".autoenv", ".autoenv.zsh"];
const PIPELINES = [
  ".github/workflows",
  ".github/actions",
  ".gitlab-ci.yml",
  ".circleci",
  "azure-pipelines.yml",
  "Jenkinsfile",
  "bitbucket-pipelines.yml",
  ".travis.yml",
  ".drone.yml",
  ".buildkite",
];
const RUN_BY_TOOLS = [
  "package.json",
  ".npmrc",
  ".yarnrc",
  ".yarnrc.yml",
  ".yarn/plugins",
  ".yarn/releases",
  ".pnpmfile.cjs",
  "pnpmfile.cjs",
  ".pnp.cjs",
  "bunfig.toml",
  ".cargo/config",
  ".cargo/config.toml",
  "sitecustomize.py",
  "usercustomize.py",
  ".bazelrc",
];

export const PROTECTED_PATHS: readonly ProtectedRow[] = [
  {
    paths: [".git/hooks", ".git/modules/**/hooks", ".git/worktrees/**/hooks"],
    reason: "Git runs the files in this folder as programs",
    why: "git_hooks",
    approver: "person",
    match: ["/w/.git/hooks/pre-commit", "/w/sub/.git/hooks/x", "/w/.git/modules/a/hooks/post-checkout"],
    not: ["/w/.git/config", "/w/hooks/pre-commit"],
  },
  {
    paths: [".git/config", ".git/config.worktree", ".git/modules/**/config", ".gitconfig", ".config/git"],
    reason: "Git settings can name programs that git runs",
    why: "git_settings",
    approver: "person",
    match: ["/w/.git/config", "/home/u/.gitconfig", "/home/u/.config/git/config"],
    not: ["/w/git/config", "/w/.git/HEAD"],
  },
  {
    paths: [".git"],
    reason: "This is git's own store: changing it by hand can lose history or run code",
    why: "git_store",
    approver: "person",
    match: ["/w/.git/HEAD", "/w/.git", "/w/a/.git/info/attributes"],
    not: ["/w/.gitignore", "/w/.github/x"],
  },
  {
    paths: HOOK_TOOLS,
    reason: "Git hooks are run from here",
    why: "git_hooks",
    approver: "person",
    match: ["/w/.husky/pre-commit", "/w/lefthook.yml"],
    not: ["/w/husky/readme.md"],
  },
  {
    paths: OWN_FOLDERS.flatMap((folder) => OWN_SPECIFIC.map((name) => `${folder}/${name}`)),
    reason: "The agent's own settings, hooks, skills and commands decide what it may do",
    why: "own_settings",
    approver: "person",
    match: ["/w/.cairn/settings.json", "/w/.claude/commands/x.md", "/w/.agents/skills/a/SKILL.md", "/w/.claude/settings.local.json"],
    not: ["/w/.cairn/notes.md", "/w/settings.json"],
  },
  {
    paths: [".mcp.json", "mcp.json", ".cursor/mcp.json"],
    reason: "Programs named here are started as tool servers",
    why: "tool_servers",
    approver: "person",
    match: ["/w/.mcp.json"],
    not: ["/w/mcp.md"],
  },
  {
    paths: OWN_FOLDERS,
    reason: "This folder belongs to the agent's own settings",
    why: "agent_folder",
    approver: "rule",
    match: ["/w/.cairn/notes.md", "/w/.claude/x/y.md"],
    not: ["/w/cairn/notes.md"],
  },
  {
    paths: EDITORS,
    reason: "Editors run tasks and programs named in this file",
    why: "editor_tasks",
    approver: "person",
    match: ["/w/.vscode/tasks.json", "/w/.devcontainer/devcontainer.json", "/w/a.code-workspace"],
    not: ["/w/vscode/tasks.json"],
  },
  {
    paths: ENTERING,
    reason: "It is run when somebody enters the folder",
    why: "on_enter_folder",
    approver: "person",
    match: ["/w/.envrc", "/w/sub/.envrc", "/w/mise.toml"],
    not: ["/w/.env", "/w/envrc.md"],
  },
  {
    paths: RC_FILES,
    reason: "It is run when a shell or program starts",
    why: "on_shell_start",
    approver: "person",
    match: ["/home/u/.zshrc", "/home/u/.config/fish/config.fish", "/w/.bashrc"],
    not: ["/w/bashrc.md", "/w/.config/app.json"],
  },
  {
    paths: START_UP,
    reason: "It is run when the computer or the session starts",
    why: "on_system_start",
    approver: "person",
    match: ["/home/u/.config/autostart/a.desktop", "/Users/u/Library/LaunchAgents/a.plist", "/etc/cron.d/x"],
    not: ["/w/autostart.md"],
  },
  {
    paths: PIPELINES,
    reason: "A build server runs it with its own secrets",
    why: "pipeline",
    approver: "rule",
    match: ["/w/.github/workflows/x.yml", "/w/.gitlab-ci.yml"],
    not: ["/w/.github/ISSUE_TEMPLATE.md"],
  },
  {
    paths: RUN_BY_TOOLS,
    reason: "Build tools run scripts named in this file",
    why: "build_scripts",
    approver: "rule",
    match: ["/w/package.json", "/w/a/package.json", "/w/.npmrc"],
    not: ["/w/package-lock.json", "/w/src/package.json.ts"],
  },
];

export type ProtectedMatch = (comparablePath: string) => ProtectedRow | undefined;

/** Throws when a row contradicts its examples, or when an earlier row would answer for it. */
export function loadProtectedPaths(rows: readonly ProtectedRow[] = PROTECTED_PATHS): ProtectedMatch {
  const loaded = rows.map((row) => ({ row, matches: matchesTrees(row.paths, true) }));
  const first: ProtectedMatch = (path) => loaded.find(({ matches }) => matches(path))?.row;
  for (const { row, matches } of loaded) {
    for (const example of row.match)
      if (first(example.toLowerCase()) !== row) throw new Error(`The protected path "${row.reason}" does not answer for its example ${example}`);
    for (const example of row.not)
      if (matches(example.toLowerCase())) throw new Error(`The protected path "${row.reason}" matches ${example}, which it must not`);
  }
  return first;
}
