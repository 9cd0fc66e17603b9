// A bounded map of the folder for the model's first message (C10): main folders, languages, package and build files, test command.
// One look at the top, one level below it; dependency and build folders are named, not listed.
import { readdir } from "node:fs/promises";
import { extname, join } from "node:path";
import type { Dirent } from "node:fs";
import { z } from "zod";
import { headOf } from "#shared/lib/text.ts";
import { plainText } from "#electron/lib/plain-file.ts";

const MOST_BYTES = 1_500;
const MOST_PACKAGE_BYTES = 256 * 1024;
const MOST_FOLDERS = 14;
const MOST_FILES = 12;
const MOST_NAME_CHARS = 60;
const NOT_LISTED = new Set(["node_modules", ".git", "dist", "build", "out", "target", "vendor", ".venv", "venv", "__pycache__", ".next", "coverage", ".cache"]);
const BUILD_FILES = new Set([
  "package.json",
  "tsconfig.json",
  "pyproject.toml",
  "requirements.txt",
  "setup.py",
  "Cargo.toml",
  "go.mod",
  "pom.xml",
  "build.gradle",
  "Makefile",
  "CMakeLists.txt",
  "Gemfile",
  "composer.json",
  "deno.json",
  "Dockerfile",
  "docker-compose.yml",
]);
const LANGUAGES: Readonly<Record<string, string>> = {
  ".ts": "TypeScript",
  ".tsx": "TypeScript",
  ".js": "JavaScript",
  ".jsx": "JavaScript",
  ".mjs": "JavaScript",
  ".py": "Python",
  ".rs": "Rust",
  ".go": "Go",
  ".java": "Java",
  ".kt": "Kotlin",
  ".rb": "Ruby",
  ".php": "PHP",
  ".c": "C",
  ".h": "C",
  ".cpp": "C++",
  ".cs": "C#",
  ".swift": "Swift",
  ".sh": "shell",
  ".html": "HTML",
  ".css": "CSS",
  ".md": "Markdown",
  ".csv": "CSV",
};
const Package = z.looseObject({ name: z.string().optional(), scripts: z.record(z.string(), z.string()).optional() });

/** undefined when the folder is empty or cannot be read. */
export async function folderMap(folder: string): Promise<string | undefined> {
  const top = await entriesOf(folder);
  if (top.length === 0) return undefined;
  const folders = top.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const listed = folders.filter((name) => !NOT_LISTED.has(name));
  const below = await Promise.all(listed.slice(0, MOST_FOLDERS).map(async (name) => ({ name, entries: await entriesOf(join(folder, name)) })));
  const files = top.filter((entry) => !entry.isDirectory()).map((entry) => entry.name);
  const passed = folders.filter((name) => NOT_LISTED.has(name));
  const lines = [
    ...below.map(({ name, entries }) => `${shown(name)}/  (${entries.length} entries)`),
    ...(listed.length > MOST_FOLDERS ? [`… ${listed.length - MOST_FOLDERS} more folders`] : []),
    files.length === 0
      ? undefined
      : `files: ${files.slice(0, MOST_FILES).map(shown).join(", ")}${files.length > MOST_FILES ? `, … ${files.length - MOST_FILES} more` : ""}`,
    labelled("languages", languagesOf([...files, ...below.flatMap(({ entries }) => entries.map((entry) => entry.name))])),
    labelled(
      "build files",
      files.filter((name) => BUILD_FILES.has(name)),
    ),
    await packageLine(folder, files),
    labelled("not listed (dependencies, builds, version control)", passed),
  ];
  return headOf(lines.filter((line) => line !== undefined).join("\n"), MOST_BYTES);
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function shown(name: string): string {
  return JSON.stringify(headOf(name, MOST_NAME_CHARS)).slice(1, -1);
}

function labelled(label: string, values: readonly string[]): string | undefined {
  return values.length === 0 ? undefined : `${label}: ${values.join(", ")}`;
}

function languagesOf(names: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const name of names) {
    const language = LANGUAGES[extname(name).toLowerCase()];
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([language]) => language);
}

async function packageLine(folder: string, files: readonly string[]): Promise<string | undefined> {
  if (!files.includes("package.json")) return undefined;
  const content = await plainText(join(folder, "package.json"), { maxBytes: MOST_PACKAGE_BYTES, within: folder });
  try {
    const { scripts } = Package.parse(JSON.parse(content ?? ""));
    return labelled(
      "scripts of package.json",
      Object.keys(scripts ?? {})
        .slice(0, MOST_FILES)
        .map(shown),
    );
  } catch {
    return undefined; // a broken package.json is the model's to find
  }
}
