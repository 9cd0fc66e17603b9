// The files of a folder that a hook's command names: their content belongs to what the person trusted (H1). What those files start in
// turn is not followed; the person is told so.
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { isInside, realPathOf } from "#electron/lib/real-path.ts";

/** `name`: as seen from the folder; `print`: changes when the content or the place it leads to changes. */
export type NamedFile = { readonly name: string; readonly print: string };

const NON_BLOCKING = constants.O_RDONLY | constants.O_NONBLOCK;
const MAX_WORDS = 64;
const MAX_FILE_BYTES = 4 * 1024 * 1024;
const FOLDER_NAMES = /\$\{?(?:CLAUDE|CAIRN)_PROJECT_DIR\}?|%(?:CLAUDE|CAIRN)_PROJECT_DIR%/g;
const SEPARATORS = new Set([" ", "\t", "\n", "\r", ";", "|", "&", "(", ")", "<", ">", "`"]);

/** In the order of their names, each once. Never rejects. `folder`: absolute, links resolved. */
export async function filesNamedIn(command: string, folder: string): Promise<readonly NamedFile[]> {
  const words = wordsOf(command.replace(FOLDER_NAMES, () => folder)).slice(0, MAX_WORDS);
  const paths = words.flatMap((word) => [word, word.slice(word.indexOf("=") + 1)]).filter((word) => word !== "" && !word.includes("\0"));
  const found = await Promise.all([...new Set(paths.map((word) => path.resolve(folder, word)))].map((absolute) => fingerprint(absolute, folder)));
  return found.flatMap((file) => (file === undefined ? [] : [file])).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Roughly as a shell splits: quotes and backslashes keep together, operators part. A word too many or too few does no harm here. */
function wordsOf(command: string): readonly string[] {
  const words: string[] = [];
  let word = "";
  let quote = "";
  for (let at = 0; at < command.length; at += 1) {
    const char = command.charAt(at);
    if (quote !== "") {
      if (char === quote) quote = "";
      else word += char;
    } else if (char === '"' || char === "'") quote = char;
    else if (char === "\\" && path.sep === "/") word += command.charAt((at += 1));
    else if (!SEPARATORS.has(char)) word += char;
    else if (word !== "") {
      words.push(word);
      word = "";
    }
  }
  return word === "" ? words : [...words, word];
}

async function fingerprint(absolute: string, folder: string): Promise<NamedFile | undefined> {
  if (!isInside(absolute, folder) || absolute === folder) return undefined;
  const name = path.relative(folder, absolute);
  const real = await realPathOf(absolute).catch(() => undefined);
  if (real === undefined) return undefined;
  const content = await contentPrint(real).catch(() => undefined);
  return content === undefined ? undefined : { name, print: `${path.relative(folder, real)} ${content}` };
}

/** undefined: not a regular file. One that is too big to be read each time is known by its size and time. */
async function contentPrint(real: string): Promise<string | undefined> {
  // Opened without waiting for a writer, should it be a pipe.
  const handle = await open(real, NON_BLOCKING);
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) return undefined;
    if (facts.size > MAX_FILE_BYTES) return `size ${facts.size} time ${facts.mtimeMs}`;
    return createHash("sha256")
      .update(await handle.readFile())
      .digest("hex");
  } finally {
    await handle.close();
  }
}
