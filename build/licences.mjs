// Writes THIRD-PARTY-NOTICES: the licences of everything that is bundled into out/ or shipped beside it. What is bundled is read from
// the source maps of the build, so the list is what is really there. `node build/licences.mjs --check` only compares.
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { ensureBuilt, OUT } from "./build.mjs";
import { main, ROOT } from "./process.mjs";

const FILE = path.join(ROOT, "THIRD-PARTY-NOTICES");
/** In the result without a source map: copied files and generated style sheets. */
const WITHOUT_MAP = ["web-tree-sitter", "tree-sitter-bash", "tailwindcss", "electron"];
/** Licences that ask for no more than a notice (MPL-2.0: unchanged files stay available from their origin). */
const WELCOME = new Set([
  "MIT",
  "ISC",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "Apache-2.0",
  "CC0-1.0",
  "Unlicense",
  "BlueOak-1.0.0",
  "Python-2.0",
  "MPL-2.0",
  "Zlib",
]);
const PROGRAMS = ["main", "preload", "headless", "workers", "renderer"];

/** Folders of packages in a source map: the innermost node_modules/<name> of each source. */
export function packagesInMap(sources, mapFolder) {
  const found = new Set();
  for (const source of sources) {
    const plain = source.replace(/^\0/, "").replace(/\?.*$/, "");
    // The maps of what a page's threads load count from one folder further up than where they lie.
    const folders = [mapFolder, path.dirname(mapFolder)].flatMap((from) => {
      const match = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/@][^/]*)\//.exec(path.resolve(from, plain).split(path.sep).join("/"));
      return match ? [match[1]] : [];
    });
    const folder = folders.find((one) => existsSync(one)) ?? folders[0];
    if (folder) found.add(folder);
  }
  return found;
}

async function bundledFolders() {
  const found = new Set();
  for (const program of PROGRAMS) {
    const folder = path.join(OUT, program);
    if (!existsSync(folder)) continue;
    for (const file of await readdir(folder, { recursive: true })) {
      if (!file.endsWith(".map")) continue;
      const { sources } = JSON.parse(await readFile(path.join(folder, file), "utf8"));
      for (const one of packagesInMap(sources, path.dirname(path.join(folder, file)))) found.add(one);
    }
  }
  return found;
}

const describe = async (folder) => JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"));

/** The folder that Node would load the package from, seen from another package. */
function findPackage(name, from) {
  for (let folder = from; folder.startsWith(ROOT); folder = path.dirname(folder)) {
    const candidate = path.join(folder, "node_modules", name);
    if (existsSync(path.join(candidate, "package.json"))) return candidate;
  }
  return undefined;
}

/** The unbundled packages with everything they need, whatever their platform packages are called here. */
async function shippedFolders() {
  const found = new Set();
  const visit = async (name, from) => {
    const folder = findPackage(name, from);
    if (folder === undefined || found.has(folder)) return;
    found.add(folder);
    const { dependencies = {} } = await describe(folder);
    for (const next of Object.keys(dependencies)) await visit(next, folder);
  };
  for (const name of Object.keys((await describe(ROOT)).dependencies)) await visit(name, ROOT);
  for (const name of WITHOUT_MAP) found.add(path.join(ROOT, "node_modules", name));
  return found;
}

/** SPDX alternatives: one welcome licence among them is enough. */
export function isWelcome(licence) {
  const parts = licence.replace(/[()]/g, "").split(/\s+OR\s+/);
  return parts.some((part) => part.split(/\s+AND\s+/).every((one) => WELCOME.has(one)));
}

async function licenceText(folder) {
  const names = await readdir(folder);
  const file = names.filter((name) => /^(?:licen[cs]e|copying)/i.test(name)).sort()[0];
  const notice = names.find((name) => /^notice(?:\.|$)/i.test(name));
  const texts = await Promise.all([file, notice].filter((name) => name !== undefined).map((name) => readFile(path.join(folder, name), "utf8")));
  return texts.map((text) => text.replaceAll("\r\n", "\n").trim()).join("\n\n");
}

async function entryOf(folder) {
  const { name, version, license, licenses, repository } = await describe(folder);
  const licence = typeof license === "string" ? license : (license?.type ?? licenses?.map((one) => one.type).join(" OR ") ?? "unknown");
  const origin = typeof repository === "string" ? repository : (repository?.url ?? "");
  return { name, version, licence, origin: origin.replace(/^git\+/, "").replace(/\.git$/, ""), text: await licenceText(folder) };
}

/** The whole file: packages with the same text stand together. */
export function render(entries) {
  const groups = new Map();
  for (const entry of entries) {
    const text = entry.text || `(The package holds no licence file; it declares ${entry.licence}.)`;
    groups.set(text, [...(groups.get(text) ?? []), entry]);
  }
  const head =
    "Cairn is under the MIT licence (see LICENSE). It contains the software below, each under its own licence.\nElectron and Chromium bring their own notices along: LICENSE.electron.txt and LICENSES.chromium.html beside the program.";
  const line = "-".repeat(78);
  const blocks = [...groups].map(
    ([text, members]) => `${members.map(({ name, licence, origin }) => [name, licence, origin].filter(Boolean).join(" · ")).join("\n")}\n\n${text}`,
  );
  return `${[head, ...blocks].join(`\n\n${line}\n\n`)}\n`;
}

async function notices() {
  const folders = new Set([...(await bundledFolders()), ...(await shippedFolders())]);
  const entries = await Promise.all([...folders].map(entryOf));
  const unique = [...new Map(entries.map((entry) => [`${entry.name} ${entry.text}`, entry])).values()].sort((one, other) =>
    one.name.localeCompare(other.name, "en"),
  );
  const unwelcome = unique.filter(({ licence }) => !isWelcome(licence)).map(({ name, licence }) => `${name} (${licence})`);
  if (unwelcome.length > 0) throw new Error(`These packages have a licence that is not on the list of build/licences.mjs: ${unwelcome.join(", ")}`);
  return { text: render(unique), count: unique.length };
}

/** Writes the file anew. */
export async function writeNotices() {
  const { text, count } = await notices();
  await writeFile(FILE, text);
  return count;
}

/** Undefined when the file is true, otherwise what to do. */
export async function noticesProblem() {
  const { text } = await notices();
  const present = existsSync(FILE) ? await readFile(FILE, "utf8") : "";
  return present === text ? undefined : "THIRD-PARTY-NOTICES is not what is bundled: run `node build/licences.mjs`";
}

async function check() {
  const problem = await noticesProblem();
  console.log(problem ?? "THIRD-PARTY-NOTICES is true");
  return problem === undefined ? 0 : 1;
}

if (process.argv[1] === import.meta.filename)
  await main(async () => {
    await ensureBuilt();
    if (process.argv.includes("--check")) return check();
    console.log(`${await writeNotices()} packages in THIRD-PARTY-NOTICES`);
    return 0;
  });
