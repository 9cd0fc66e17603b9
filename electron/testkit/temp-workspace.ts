// A real folder for tests, with a data folder beside it, and a picture of everything in it that can be compared whole:
// bytes, modes, link targets, empty folders, names of any bytes (K4).
import { createHash } from "node:crypto";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";

export type Planted =
  | string
  | Uint8Array
  | { readonly link: string }
  | { readonly folder: true; readonly mode?: number }
  | { readonly bytes: string | Uint8Array; readonly mode: number };
/** path → "file 644 <hash>", "link <target>", "dir 755"; bytes of names as latin1 */
export type Picture = Readonly<Record<string, string>>;

export interface TempWorkspace {
  readonly root: string;
  readonly dataDir: string;
  /** Makes or replaces; folders above are made. */
  plant(tree: Readonly<Record<string, Planted>>): Promise<void>;
  remove(...paths: readonly string[]): Promise<void>;
  read(file: string): Promise<string>;
  picture(): Promise<Picture>;
  at(file: string): string;
  dispose(): Promise<void>;
}

/** `inMemory`: on a file system where syncing costs nothing, if there is one; for tests of very many steps. */
export async function createTempWorkspace(tree: Readonly<Record<string, Planted>> = {}, options: { readonly inMemory?: boolean } = {}): Promise<TempWorkspace> {
  const parent = options.inMemory === true && (await isFolder(MEMORY)) ? MEMORY : os.tmpdir();
  const base = await fs.realpath(await fs.mkdtemp(path.join(parent, "cairn-ws-")));
  const root = path.join(base, "project");
  const dataDir = path.join(base, "data");
  await fs.mkdir(root);
  const at = (file: string) => path.join(root, file);
  const workspace: TempWorkspace = {
    root,
    dataDir,
    at,
    async plant(more) {
      for (const [file, what] of Object.entries(more)) await plantOne(at(file), what);
    },
    async remove(...paths) {
      for (const file of paths) await fs.rm(at(file), { recursive: true, force: true });
    },
    read: (file) => fs.readFile(at(file), "utf8"),
    picture: () => picture(root),
    dispose: () => fs.rm(base, { recursive: true, force: true }),
  };
  await workspace.plant(tree);
  return workspace;
}

const MEMORY = "/dev/shm";

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await fs.stat(folder)).isDirectory();
  } catch {
    return false;
  }
}

async function plantOne(file: string, what: Planted): Promise<void> {
  await fs.mkdir(path.dirname(file), { recursive: true });
  if (typeof what === "string" || what instanceof Uint8Array) return fs.writeFile(file, what);
  if ("link" in what) {
    await fs.rm(file, { force: true });
    return fs.symlink(what.link, file);
  }
  if ("folder" in what) {
    await fs.mkdir(file, { recursive: true });
    if (what.mode !== undefined) await fs.chmod(file, what.mode);
    return;
  }
  await fs.writeFile(file, what.bytes);
  await fs.chmod(file, what.mode);
}

async function picture(root: string): Promise<Picture> {
  const lines: Record<string, string> = {};
  const visit = async (folder: Buffer, shown: string): Promise<void> => {
    for (const name of await fs.readdir(folder, { encoding: "buffer" })) {
      const full = Buffer.concat([folder, Buffer.from("/"), name]);
      const label = `${shown}${name.toString("latin1")}`;
      const stat = await fs.lstat(full);
      const mode = (stat.mode & 0o7777).toString(8);
      if (stat.isSymbolicLink()) lines[label] = `link ${(await fs.readlink(full, { encoding: "buffer" })).toString("latin1")}`;
      else if (stat.isDirectory()) {
        lines[label] = `dir ${mode}`;
        await visit(full, `${label}/`);
      } else if (stat.isFile())
        lines[label] = `file ${mode} ${createHash("sha256")
          .update(await fs.readFile(full))
          .digest("hex")
          .slice(0, 16)}`;
      else lines[label] = "special";
    }
  };
  await visit(Buffer.from(root), "");
  return Object.fromEntries(Object.entries(lines).sort(([a], [b]) => (a < b ? -1 : 1)));
}
