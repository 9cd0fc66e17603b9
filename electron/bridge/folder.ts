// Whether a folder can be worked in, and why not: the first thing that can go wrong for a person (D08 and the bad inputs of a first start).
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, isAbsolute, parse, sep } from "node:path";
import type { FolderProblem } from "#shared/ipc/contract.ts";
import { err, ok, type Result } from "#shared/lib/result.ts";

export type Folder = { readonly path: string; readonly name: string; readonly empty: boolean; readonly git: boolean };

const SYSTEM = ["/bin", "/boot", "/dev", "/etc", "/lib", "/proc", "/run", "/sbin", "/sys", "/usr", "/var", "/System", "/Library", "/Applications"];

/** Answers the folder with its links resolved, or what is wrong with it. `\\\\host` paths are judged by text alone. */
export async function checkFolder(path: string, home: string): Promise<Result<Folder, FolderProblem>> {
  const problem = (kind: FolderProblem["kind"]) => err({ kind, path });
  if (!isAbsolute(path) || path.startsWith("\\\\") || path.startsWith("//")) return problem("missing");
  const real = await realpath(path).catch(() => undefined);
  const found = real === undefined ? undefined : await stat(real).catch(() => undefined);
  if (real === undefined || found === undefined) return problem("missing");
  if (!found.isDirectory()) return problem("not_a_folder");
  if (holdsHome(real, await realpath(home).catch(() => home))) return problem("home_or_root");
  if (SYSTEM.includes(real)) return problem("system");
  const names = await readdir(real).catch(() => undefined);
  return names === undefined ? problem("unreadable") : ok({ path: real, name: basename(real), empty: names.length === 0, git: names.includes(".git") });
}

function holdsHome(folder: string, home: string): boolean {
  return folder === home || folder === parse(folder).root || home.startsWith(folder + sep);
}
