// Lists the project's own source files, for the guards that look at text.
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

export const CODE_FOLDERS = ["shared", "electron", "renderer", "e2e", "build"];
const SKIPPED = new Set(["node_modules", "out", "release", "coverage", "pictures", "sample-project", "fixtures", "test-results"]);
const CODE = /\.(?:[cm]?[jt]s|[jt]sx)$/;

function walk(folder, found) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (SKIPPED.has(entry.name)) continue;
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) walk(full, found);
    else if (entry.isFile()) found.push(full);
  }
  return found;
}

/** Every file below the folders, relative to `root` with forward slashes, sorted. */
export function allFiles(root, folders = CODE_FOLDERS) {
  const found = folders.map((folder) => path.join(root, folder)).flatMap((folder) => (existsSync(folder) ? walk(folder, []) : []));
  return found.map((file) => path.relative(root, file).split(path.sep).join("/")).sort();
}

/** The same, only JavaScript and TypeScript. */
export const codeFiles = (root, folders = CODE_FOLDERS) => allFiles(root, folders).filter((file) => CODE.test(file));
