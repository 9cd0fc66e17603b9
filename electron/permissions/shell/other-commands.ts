// Commands with rules of their own: harmless in one form, not in another.
import { splitWords } from "./flags.ts";
import { judgeFind } from "./find-command.ts";
import { judgeGit } from "./git-command.ts";
import { type Call, type Handler, readPaths, readsFolder, record, unknown } from "./part.ts";
import type { Word } from "./word.ts";

const texts = (words: readonly Word[]) => words.map((word) => (word.kind === "text" ? word.text : undefined));

const date: Handler = (call) => {
  const harmless = texts(call.args).every(
    (word) => word !== undefined && /^(?:\+[\s\S]*|-u|-I\w*|-R|--utc|--iso-8601(?:=\w+)?|--rfc-\S+|--date=[^/]*)$/.test(word),
  );
  return harmless ? record(call, { does: "reads" }) : unknown(call, "date can set the clock");
};

const hostname: Handler = (call) =>
  texts(call.args).every((word) => word !== undefined && /^-[sfidAI]+$/.test(word))
    ? record(call, { does: "reads" })
    : unknown(call, "hostname can set the name");

// `ps e` prints the environment of every process.
const ps: Handler = (call) =>
  texts(call.args).every(
    (word) =>
      word !== undefined &&
      !/environ/.test(word) &&
      /^(?:[auxwflLjTh]+|-[AaeFfjlLyNHdTw]+|-[opuCG]|\d+|--(?:no-headers|forest|sort=\S+)|[a-z%,]+cpu|pid|[a-z]+(?:,[%a-z]+)+)$/.test(word),
  )
    ? record(call, { does: "reads" })
    : unknown(call, "ps with options that may print environments");

// Only listing, only a local file: `host:file` would be fetched, long options can run programs.
const tar: Handler = (call) => {
  const [first, file, ...members] = texts(call.args);
  const lists =
    first !== undefined &&
    /^-?[tzjJvf]+$/.test(first) &&
    first.includes("t") &&
    first.endsWith("f") &&
    file !== undefined &&
    !file.includes(":") &&
    !file.startsWith("-");
  if (!lists || members.some((name) => name === undefined || name.startsWith("-"))) return unknown(call, "tar writes or runs something");
  const why = readPaths(call.args.slice(1, 2), call);
  return why === undefined ? record(call, { does: "reads" }) : unknown(call, why);
};

const unzip: Handler = (call) => {
  const [flag, file, more] = texts(call.args);
  if (!/^-(?:l|v|Z1|Z)$/.test(flag ?? "") || file === undefined || file.startsWith("-") || more !== undefined) return unknown(call, "unzip writes files");
  const why = readPaths(call.args.slice(1, 2), call);
  return why === undefined ? record(call, { does: "reads" }) : unknown(call, why);
};

const NPM_READS = new Set(["ls", "list", "ll", "la", "root", "prefix", "explain", "why", "pkg get"]);

const npm: Handler = (call) => {
  const [first = "", second = ""] = texts(call.args);
  const reads = NPM_READS.has(first) || NPM_READS.has(`${first} ${second}`);
  const split = splitWords(
    call.args.slice(1),
    {
      only: ["-g", "--global", "--depth", "--all", "--json", "--long", "--parseable", "--prod", "--dev", "-a", "-l", "-p", "--omit", "--include"],
      values: ["--depth", "--omit", "--include"],
    },
    false,
  );
  if (!reads || split.problem !== undefined)
    return unknown(call, "npm runs scripts or fetches packages", {
      network: /^(?:i|install|ci|add|update|up|publish|audit|view|outdated|search|login|exec|init|create)$/.test(first),
    });
  const why = readsFolder(call);
  return why === undefined ? record(call, { does: "reads" }) : unknown(call, why);
};

const DOCKER_READS =
  /^(?:ps|images|version|(?:container|image|volume|network) ls)(?: (?:-[aqlns]+|--(?:all|quiet|latest|no-trunc|size|digests)|--(?:format|filter)=\S+))*$/;

const docker: Handler = (call) => {
  const words = texts(call.args);
  const line = words.every((word) => word !== undefined) ? words.join(" ") : "";
  return DOCKER_READS.test(line)
    ? record(call, { does: "reads" })
    : unknown(call, "docker may run or change something", { network: /^(?:pull|push|login|run|build)\b/.test(line) });
};

const bc: Handler = (call) =>
  texts(call.args).every((word) => word === "-l" || word === "-q") ? record(call, { does: "reads" }) : unknown(call, "bc runs a file");

const go: Handler = (call) => {
  const line = call.args.map((word) => word.raw).join(" ");
  return /^(?:version|env(?: [A-Z_]+)*)$/.test(line)
    ? record(call, { does: "reads" })
    : unknown(call, "go may build or fetch something", { network: /^(?:get|install|mod (?:download|tidy))\b/.test(line) });
};

// Only with a switch that leaves the files alone: to the output, list, test.
const gzip: Handler = (call) => {
  const words = texts(call.args);
  const flags = words.filter((word) => word?.startsWith("-") === true);
  const harmless = flags.some((flag) => /^-[dkqv]*[clt]/.test(flag ?? "")) && flags.every((flag) => /^-[cdkqvlt1-9]+$/.test(flag ?? ""));
  if (!harmless || words.includes(undefined)) return unknown(call, `${call.name} replaces the file`);
  const why = readPaths(
    call.args.filter((_word, at) => words[at]?.startsWith("-") !== true),
    call,
  );
  return why === undefined ? record(call, { does: "reads" }) : unknown(call, why);
};

const pip: Handler = (call) => {
  const [first, ...names] = texts(call.args);
  const reads = (first === "show" || first === "freeze") && names.every((name) => name !== undefined && /^(?:-f|--files|\w[\w.-]*)$/.test(name));
  return reads ? record(call, { does: "reads" }) : unknown(call, `${call.name} may use the network`, { network: true });
};

const network =
  (why: string): Handler =>
  (call: Call) =>
    unknown(call, why, { network: true });

export const OTHER_COMMANDS: Readonly<Record<string, Handler>> = {
  git: judgeGit,
  find: judgeFind,
  date,
  hostname,
  ps,
  tar,
  bsdtar: tar,
  unzip,
  npm,
  docker,
  podman: docker,
  bc,
  go,
  gzip,
  gunzip: gzip,
  pip,
  pip3: pip,
  ...Object.fromEntries(
    [
      "curl",
      "wget",
      "http",
      "https",
      "ssh",
      "scp",
      "sftp",
      "rsync",
      "ftp",
      "telnet",
      "nc",
      "ncat",
      "socat",
      "ping",
      "dig",
      "nslookup",
      "host",
      "traceroute",
      "gh",
      "aws",
      "gcloud",
      "az",
      "kubectl",
      "helm",
      "apt",
      "apt-get",
      "brew",
      "dnf",
      "yum",
      "pnpm",
      "yarn",
      "uv",
      "cargo",
      "gem",
      "composer",
    ].map((name) => [name, network(`${name} may use the network`)]),
  ),
};

/** Programs whose `--version` tells only that; those that a project can replace (cargo, dotnet, pnpm, yarn) are not here. */
export const TELL_VERSION = new Set([
  "node",
  "npm",
  "python",
  "python3",
  "python2",
  "pip",
  "pip3",
  "java",
  "javac",
  "ruby",
  "perl",
  "php",
  "gcc",
  "g++",
  "clang",
  "make",
  "cmake",
  "docker",
  "podman",
  "git",
  "jq",
  "rg",
  "sed",
  "grep",
  "awk",
  "gawk",
  "tar",
  "curl",
  "wget",
  "bash",
  "sh",
  "zsh",
  "fish",
  "tmux",
  "vim",
  "deno",
  "bun",
  "swift",
  "ffmpeg",
  "sqlite3",
  "psql",
  "mysql",
  "redis-cli",
  "gh",
  "kubectl",
  "terraform",
  "helm",
  "brew",
  "ssh",
]);
const VERSION_FLAGS: Readonly<Record<string, readonly string[]>> = {
  python: ["-V"],
  python3: ["-V"],
  node: ["-v"],
  npm: ["-v"],
  java: ["-version"],
  javac: ["-version"],
  php: ["-v"],
  ruby: ["-v"],
  perl: ["-v"],
  ssh: ["-V"],
  tmux: ["-V"],
  docker: ["-v"],
  bun: ["-v"],
  deno: ["-V"],
};

/** `node --version` and nothing else. */
export function asksVersion(call: Call): boolean {
  const [only, more] = texts(call.args);
  if (only === undefined || more !== undefined || call.args.length !== 1 || !TELL_VERSION.has(call.name)) return false;
  if (call.name === "kubectl" || call.name === "ssh") return VERSION_FLAGS[call.name]?.includes(only) === true;
  return only === "--version" || VERSION_FLAGS[call.name]?.includes(only) === true;
}
