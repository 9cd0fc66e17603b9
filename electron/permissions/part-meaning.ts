// What a program does in a word, by its name and the words after it, for people (UX 3). A table: it decides nothing.
import type { PartMeaning } from "#shared/permissions/explanation.ts";
import type { ShellPart } from "./contract.ts";
import { INTERPRETERS } from "./interpreters.ts";

export type Meaning = { readonly says: PartMeaning; readonly name: string };

const names = (meaning: PartMeaning, list: string): readonly (readonly [string, PartMeaning])[] => list.split(" ").map((name) => [name, meaning] as const);

const BY_NAME = new Map<string, PartMeaning>([
  ...names("deletes_files", "rm rmdir unlink shred trash del erase rd remove-item ri"),
  ...names("moves_files", "mv rename move move-item"),
  ...names("copies_files", "cp copy copy-item rsync ditto"),
  ...names("makes_folder", "mkdir md"),
  ...names("makes_file", "touch mktemp new-item"),
  ...names("makes_link", "ln"),
  ...names("changes_rights", "chmod chown chgrp setfacl xattr icacls"),
  ...names("writes_files", "tee truncate patch set-content out-file"),
  ...names("prints_text", "echo printf true false : yes seq write-output write-host"),
  ...names(
    "looks",
    "ls dir cat head tail less more find grep rg fd tree wc file stat du df diff which type pwd ps id whoami uname date jq sort uniq cut tr test [",
  ),
  ...names("prepares", "cd pushd popd export unset set shopt source_env alias umask"),
  ...names("starts_other", "env timeout nice ionice time command builtin exec xargs stdbuf eval"),
  ...names("waits", "sleep wait"),
  ...names("packs", "zip gzip bzip2 xz zstd compress-archive"),
  ...names("unpacks", "unzip gunzip bunzip2 unxz expand-archive"),
  ...names("containers", "docker docker-compose podman kubectl helm"),
  ...names("downloads", "curl wget http https aria2c iwr irm invoke-webrequest invoke-restmethod"),
  ...names("other_computer", "ssh scp sftp ftp telnet nc ncat socat rclone"),
  ...names("online_service", "gh glab aws gcloud az heroku vercel netlify flyctl terraform wrangler stripe"),
  ...names("as_administrator", "sudo doas pkexec su runas"),
  ...names("stops_programs", "kill pkill killall taskkill stop-process"),
  ...names("background", "nohup setsid disown screen tmux"),
  ...names("services", "systemctl service launchctl crontab at schtasks sc"),
  ...names("disk", "dd fdisk sfdisk parted wipefs mount umount diskutil diskpart format"),
  ...names("power", "shutdown reboot halt poweroff stop-computer restart-computer"),
  ...names("installs_software", "apt apt-get brew dnf yum pacman zypper apk snap flatpak choco winget scoop port"),
  ...names("runs_tests", "pytest jest vitest mocha rspec phpunit tox playwright cypress"),
  ...names("builds", "make cmake ninja tsc webpack vite esbuild rollup gradle gradlew mvn msbuild xcodebuild bazel javac gcc g++ clang rustc just task"),
  ...names("formats_code", "prettier eslint biome black ruff gofmt rustfmt clang-format stylelint oxlint"),
  ...names("runs_package", "npx bunx uvx pipx dlx"),
  ...names("database", "psql mysql mariadb sqlite3 mongosh mongo redis-cli"),
  ...names("opens", "open xdg-open start start-process code"),
]);

const PACKAGE_TOOLS = new Set([
  "npm",
  "pnpm",
  "yarn",
  "bun",
  "pip",
  "pip3",
  "uv",
  "poetry",
  "cargo",
  "go",
  "gem",
  "bundle",
  "composer",
  "dotnet",
  "deno",
  "mix",
]);
const INSTALLS = /^(?:i|install|add|ci|update|upgrade|up|remove|uninstall|rm|sync|get|fetch|restore|require|tidy|dlx|create|init|exec)$/;
const GIT: Readonly<Record<string, PartMeaning>> = {
  add: "git_add",
  commit: "git_commit",
  push: "git_push",
  pull: "git_pull",
  fetch: "git_fetch",
  clone: "git_clone",
  reset: "git_discard",
  restore: "git_discard",
  clean: "git_discard",
  stash: "git_discard",
  checkout: "git_switch",
  switch: "git_switch",
  merge: "git_rewrite",
  rebase: "git_rewrite",
  "cherry-pick": "git_rewrite",
  revert: "git_rewrite",
  config: "git_settings",
};
const SHELLS = new Set(["bash", "sh", "zsh", "dash", "ksh", "fish", "cmd"]);
const RUNS_A_FILE = new Set<string>([...INTERPRETERS, ...SHELLS, "source", ".", "java", "tsx", "ts-node"]);

type Words = readonly string[];
type Judge = (part: ShellPart, name: string, words: Words) => Meaning;
const judgeText: Judge = ({ does }, name) => ({ says: does === "files" ? "changes_text" : does === "reads" ? "looks" : "runs_code", name });
const judgeArchive: Judge = ({ does }, name, [mode = ""]) => ({ says: /^-?[a-zA-Z]*[xX]/.test(mode) ? "unpacks" : does === "reads" ? "looks" : "packs", name });
const judgeInterpreter: Judge = (_part, name, words) => ofInterpreter(name, words);
/** Programs whose words say what they do. */
const BY_WORDS = new Map<string, Judge>([
  ...[...RUNS_A_FILE].map((name) => [name, judgeInterpreter] as const),
  ...[...PACKAGE_TOOLS].map((name) => [name, (_part: ShellPart, tool: string, words: Words) => ofPackageTool(tool, words)] as const),
  ["git", (part, _name, words) => ofGit(part, words)],
  ["sed", judgeText],
  ["awk", judgeText],
  ["perl", judgeText],
  ["tar", judgeArchive],
  ["bsdtar", judgeArchive],
]);

/** Never throws; what is not in a table is an unknown program, and is said to be one. */
export function meaningOf(part: ShellPart): Meaning {
  const [first, ...words] = part.known;
  if (first === undefined) return { says: "unknown_name", name: "" };
  // A path names that very program, whatever it is called; only those of the system are what their name says.
  if (first.includes("/") && !/^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$/.test(first)) return { says: "runs_file", name: first };
  const name = first.replace(/^.*[\\/]/, "").replace(/\.(?:exe|cmd|bat)$/i, "");
  const byWords = BY_WORDS.get(name);
  if (byWords !== undefined) return byWords(part, name, words);
  const said = BY_NAME.get(name.toLowerCase());
  if (said !== undefined) return { says: said, name };
  return { says: part.does === "reads" ? "looks" : part.does === "nothing" ? "prepares" : "unknown_program", name };
}

function ofGit(part: ShellPart, words: readonly string[]): Meaning {
  const sub = words.find((word) => !word.startsWith("-")) ?? "";
  if (part.does === "reads") return { says: "git_looks", name: `git ${sub}`.trim() };
  return { says: GIT[sub] ?? "git_other", name: `git ${sub}`.trim() };
}

function ofInterpreter(name: string, words: readonly string[]): Meaning {
  const file = words.find((word) => !word.startsWith("-"));
  const inline = words.some((word) => /^-(?:[a-z]*c|e|p|-eval|-print|Command|EncodedCommand|enc)$/.test(word));
  if (inline || file === undefined) return { says: "runs_code", name };
  return { says: "runs_file", name: file };
}

/** First match wins; `name`: which word the meaning is about. */
const PACKAGE_WORDS: readonly { readonly sub: RegExp; readonly tools?: RegExp; readonly says: PartMeaning; readonly name: "tool" | "sub" | "script" }[] = [
  { sub: /^(?:test|t|tst)$/, says: "runs_tests", name: "tool" },
  { sub: /^run$/, tools: /^(?:cargo|go|dotnet)$/, says: "builds", name: "tool" },
  { sub: /^run(?:-script)?$/, says: "runs_project_script", name: "script" },
  { sub: /^(?:build|check|compile|vet|publish|clippy)$/, tools: /^(?:cargo|go|dotnet|mix|deno)$/, says: "builds", name: "tool" },
  { sub: /^(?:exec|dlx|x)$/, says: "runs_package", name: "script" },
  { sub: /^(?:start|stop|restart|dev|build|lint)$/, says: "runs_project_script", name: "sub" },
  { sub: INSTALLS, says: "installs_packages", name: "tool" },
];

function ofPackageTool(tool: string, words: Words): Meaning {
  const [sub = "", script = ""] = words.filter((word) => !word.startsWith("-"));
  const row = PACKAGE_WORDS.find((one) => one.sub.test(sub) && (one.tools === undefined || one.tools.test(tool)));
  return row === undefined ? { says: "unknown_program", name: tool } : { says: row.says, name: { tool, sub, script }[row.name] };
}
