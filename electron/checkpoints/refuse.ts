// Folders that are never protected as a whole (D08): a home, a drive, the system's own. Pure, from text, before any walk.
import type { RollbackFailure } from "#shared/checkpoints/checkpoint.ts";

export type PlatformFacts = {
  readonly platform: NodeJS.Platform;
  /** real path */
  readonly home: string;
  /** the person's own large folders beyond the usual names: localised desktop, downloads and the like */
  readonly personal: readonly string[];
};

const PERSONAL = [
  "Desktop",
  "Documents",
  "Downloads",
  "Pictures",
  "Music",
  "Movies",
  "Videos",
  "Public",
  "Library",
  "AppData",
  "OneDrive",
  "Dropbox",
  "iCloud Drive",
  ".config",
  ".local",
  ".cache",
];
const POSIX_SYSTEM = [
  "/bin",
  "/boot",
  "/dev",
  "/dev/shm",
  "/etc",
  "/lib",
  "/lib64",
  "/proc",
  "/run",
  "/sbin",
  "/sys",
  "/usr",
  "/var",
  "/opt",
  "/srv",
  "/mnt",
  "/media",
  "/home",
  "/tmp",
  "/root",
  "/System",
  "/Library",
  "/Applications",
  "/Users",
  "/Volumes",
  "/private",
  "/private/etc",
  "/private/var",
  "/private/tmp",
  "/cores",
  "/snap",
  "/nix",
  "/usr/local",
  "/var/tmp",
  "/var/lib",
];
/** Below these everything is the system's, but for `/usr/local/src` and the like a person may work in. */
const POSIX_SYSTEM_TREES = ["/bin", "/boot", "/etc", "/lib", "/lib64", "/proc", "/sbin", "/sys", "/usr/bin", "/usr/lib", "/usr/sbin", "/System"];
const WINDOWS_SYSTEM_TREES = ["windows", "program files", "program files (x86)", "programdata", "$recycle.bin", "system volume information"];

/** Why this folder is refused; undefined when it may be protected. `real` is where its links lead. */
export function refuseFolder(folder: string, real: string, facts: PlatformFacts): RollbackFailure | undefined {
  const why = [folder, real].map((one) => whyRefused(one, facts)).find((one) => one !== undefined);
  if (why === undefined) return undefined;
  return { kind: "io", paths: [folder], message: `Checkpoints are off for ${folder}: it is ${why}. Choose, or make, a folder for the project in it.` };
}

function whyRefused(folder: string, facts: PlatformFacts): string | undefined {
  return facts.platform === "win32" ? whyOnWindows(folder, facts) : whyOnPosix(folder, facts);
}

/** Without `.` and `..`, doubled and final slashes. */
function tidy(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") parts.pop();
    else parts.push(part);
  }
  return parts.join("/");
}

const isSameOrAbove = (folder: string, below: string) => folder === "" || below === folder || below.startsWith(`${folder}/`);

function whyOnPosix(given: string, facts: PlatformFacts): string | undefined {
  if (given.startsWith("\\\\")) return "a whole network share";
  const fold = (path: string) => (facts.platform === "darwin" ? tidy(path).toLowerCase() : tidy(path));
  const folder = fold(given);
  const home = fold(facts.home);
  if (folder === "") return "the root of the disk";
  if (isSameOrAbove(folder, home)) return folder === home ? "your home folder" : "a folder that holds your home folder";
  if (PERSONAL.some((name) => folder === fold(`${facts.home}/${name}`)) || facts.personal.some((one) => folder === fold(one)))
    return "one of your own large folders";
  if (/^(Volumes|media\/[^/]+|mnt|run\/media\/[^/]+)\/[^/]+$/i.test(folder)) return "a whole disk";
  const isSystem = POSIX_SYSTEM.some((one) => folder === fold(one)) || POSIX_SYSTEM_TREES.some((one) => isSameOrAbove(fold(one), folder));
  return isSystem ? "a folder of the system" : undefined;
}

function whyOnWindows(given: string, facts: PlatformFacts): string | undefined {
  const slashed = given.replaceAll("\\", "/").replace(/^\/\/[?.]\/(?=[A-Za-z]:)/, "");
  if (slashed.startsWith("//")) return tidy(slashed).split("/").length <= 2 ? "a whole network share" : undefined;
  const folder = tidy(slashed).toLowerCase();
  const home = tidy(facts.home.replaceAll("\\", "/")).toLowerCase();
  if (/^([a-z]:)?$/.test(folder) || folder === "%systemdrive%") return "a whole drive";
  if (folder === "%userprofile%" || folder === home) return "your home folder";
  if (isSameOrAbove(folder, home)) return "a folder that holds your home folder";
  const personal = [...PERSONAL.map((name) => `${home}/${name.toLowerCase()}`), ...facts.personal.map((one) => tidy(one.replaceAll("\\", "/")).toLowerCase())];
  if (personal.includes(folder)) return "one of your own large folders";
  return WINDOWS_SYSTEM_TREES.some((name) => isSameOrAbove(name, folder.slice(3))) ? "a folder of the system" : undefined;
}
