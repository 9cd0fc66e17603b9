// Files that hold other people's trust in the person: keys, tokens, password stores. Reading one is asked each time (P2 step 4).
import { matchesTrees } from "./tree-pattern.ts";

export type SecretRow = {
  /** each means itself and everything below it; `~` is the person's home, `*` one name */
  readonly paths: readonly string[];
  readonly what: string;
  readonly match: readonly string[];
  readonly not: readonly string[];
};

const BROWSERS = ["google-chrome", "chromium", "BraveSoftware", "microsoft-edge", "1Password", "Bitwarden"];
const CLOUD_TOOLS = ["gcloud", "gh", "hub", "op", "rclone", "doctl", "heroku"];
const PASSWORD_FILES = [".netrc", "_netrc", ".git-credentials", ".npmrc", ".pypirc", ".pgpass", ".my.cnf", ".vault-token", ".terraformrc", ".boto", ".s3cfg"];
const REGISTRIES = [
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".gem/credentials",
  ".m2/settings.xml",
  ".gradle/gradle.properties",
  ".composer/auth.json",
  ".terraform.d/credentials.tfrc.json",
  ".docker/config.json",
];
const MAC_STORES = [
  "Keychains",
  "Cookies",
  "Application Support/Google/Chrome",
  "Application Support/Firefox",
  "Application Support/1Password",
  "Application Support/BraveSoftware",
];
const WINDOWS_STORES = ["Microsoft/Credentials", "Microsoft/Protect", "Microsoft/Vault", "Google/Chrome", "Mozilla"];
const HISTORIES = ["bash", "zsh", "sh", "python", "node_repl", "psql", "mysql", "sqlite"];
const PROCESS_FILES = ["environ", "mem", "maps", "fd", "fdinfo", "cmdline", "auxv", "root", "cwd"];
const KEY_NAMES = ["rsa", "dsa", "ecdsa", "ed25519", "ecdsa_sk", "ed25519_sk"];

/** First match wins; the examples are checked when the table is loaded. */
export const SECRET_PATHS: readonly SecretRow[] = [
  { paths: ["~/.ssh/known_hosts", "~/.ssh/config"], what: "SSH settings", match: ["~/.ssh/config"], not: ["~/.ssh/id_rsa"] },
  { paths: ["~/.ssh"], what: "SSH keys", match: ["~/.ssh", "~/.ssh/id_ed25519", "~/.ssh/keys/work"], not: ["~/ssh/notes.md"] },
  { paths: ["~/.gnupg"], what: "GPG keys", match: ["~/.gnupg/private-keys-v1.d/a.key"], not: ["~/gnupg.md"] },
  { paths: ["~/.aws", "~/.azure", "~/.kube"], what: "cloud credentials", match: ["~/.aws/credentials", "~/.kube/config"], not: ["~/aws/main.tf"] },
  {
    paths: CLOUD_TOOLS.map((name) => `~/.config/${name}`),
    what: "cloud credentials",
    match: ["~/.config/gh/hosts.yml", "~/.config/gcloud"],
    not: ["~/.config/nvim/init.lua"],
  },
  { paths: PASSWORD_FILES.map((name) => `~/${name}`), what: "stored passwords", match: ["~/.netrc", "~/.npmrc"], not: ["~/work/.npmrc"] },
  {
    paths: REGISTRIES.map((name) => `~/${name}`),
    what: "registry credentials",
    match: ["~/.cargo/credentials.toml", "~/.docker/config.json"],
    not: ["~/.cargo/config.toml"],
  },
  {
    paths: ["~/.password-store", "~/.local/share/keyrings", "~/.mozilla", "~/.thunderbird", ...BROWSERS.map((name) => `~/.config/${name}`)],
    what: "a password store",
    match: ["~/.password-store/mail.gpg", "~/.mozilla/firefox/x/logins.json"],
    not: ["~/.config/foo"],
  },
  {
    paths: MAC_STORES.map((name) => `~/Library/${name}`),
    what: "a password store",
    match: ["~/Library/Keychains/login.keychain-db"],
    not: ["~/Library/Fonts/a.ttf"],
  },
  {
    paths: WINDOWS_STORES.map((name) => `~/AppData/*/${name}`),
    what: "a password store",
    match: ["~/AppData/Roaming/Microsoft/Credentials/x"],
    not: ["~/AppData/Local/Temp/x"],
  },
  { paths: HISTORIES.map((name) => `~/.${name}_history`), what: "a history of typed commands", match: ["~/.bash_history"], not: ["~/history.md"] },
  {
    paths: ["shadow", "shadow-", "gshadow", "gshadow-", "sudoers", "master.passwd", "krb5.keytab"].map((name) => `/etc/${name}`),
    what: "system passwords",
    match: ["/etc/shadow"],
    not: ["/etc/hosts"],
  },
  {
    paths: ["sudoers.d", "ssl/private", "ssh", "pki/tls/private", "wireguard", "NetworkManager/system-connections"].map((name) => `/etc/${name}`),
    what: "system keys",
    match: ["/etc/ssh/ssh_host_rsa_key"],
    not: ["/etc/ssl/certs/ca.pem"],
  },
  {
    paths: PROCESS_FILES.map((name) => `/proc/*/${name}`),
    what: "the memory or environment of a process",
    match: ["/proc/self/environ", "/proc/1/fd/3"],
    not: ["/proc/cpuinfo"],
  },
  { paths: ["/run/secrets", "/var/run/secrets"], what: "mounted secrets", match: ["/run/secrets/db"], not: ["/run/user"] },
  { paths: KEY_NAMES.map((name) => `/**/id_${name}`), what: "a private SSH key", match: ["/w/deploy/id_rsa"], not: ["/w/deploy/id_rsa.pub", "/w/id_rsa.md"] },
];

/** `path` must have been made comparable; answers what the file holds. */
export type SecretMatch = (path: string) => string | undefined;

/** Throws when a row contradicts its examples. */
export function loadSecretPaths(comparableHome: string, rows: readonly SecretRow[] = SECRET_PATHS): SecretMatch {
  const loaded = rows.map((row) => {
    const matches = matchesTrees(
      row.paths.map((path) => path.replace(/^~/, () => comparableHome)),
      false,
    );
    const check = (example: string, expected: boolean) => {
      if (matches(example.replace(/^~/, () => comparableHome).toLowerCase()) !== expected)
        throw new Error(`The secret paths of ${row.what} ${expected ? "do not match" : "match"} the example ${example}`);
    };
    for (const example of row.match) check(example, true);
    for (const example of row.not) check(example, false);
    return { what: row.what, matches };
  });
  return (path) => loaded.find((row) => row.matches(path))?.what;
}
