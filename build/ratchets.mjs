// Guards that a lint rule cannot express, as pure functions from a file to what is wrong in it. ratchets.test.mjs runs them over
// the project and proves with planted text that each of them sees what it should.
import { parseSync, Visitor } from "vite";

/** Files that may block the main thread, because they run once, at start or at the very end. Each with its reason; may only shrink. */
export const COLD_PATHS = [];
/** Never raise this number. */
export const COLD_PATH_CEILING = 3;

const CLOCK = "electron/lib/clock.ts";
/** `setImmediate` is not here: it gives others their turn and knows no time. */
const TIMERS = new Set(["setTimeout", "setInterval"]);
const ELECTRON_HOMES = [/^electron\/app\//, /^electron\/main\.ts$/, /^electron\/preload\.ts$/];
const VAGUE_NAMES = new Set(["utils", "util", "helpers", "helper", "common", "misc", "manager"]);
// Written in two halves, so that this file does not break its own rules.
const DISABLE_WORDS = [
  "oxlint-dis" + "able",
  "eslint-dis" + "able",
  "biome-ig" + "nore",
  "@ts-(?:ig" + "nore|expect-er" + "ror|noch" + "eck)",
  "(?:v8|c8) ig" + "nore",
];
const DISABLES = new RegExp(`(?://|/\\*)\\s*(?:${DISABLE_WORDS.join("|")})`);
/** Marks are shouted; a todo in lower case is a thing of the product. */
const UNFINISHED = new RegExp(`\\b(?:${["TO" + "DO", "FIX" + "ME", "XX" + "X"].join("|")})\\b|\\b[Ff]${"or"} ${"now"}\\b`);

export const isTest = (file) => /\.(?:test|spec|bench)\.[cm]?[jt]sx?$/.test(file) || /\/testkit\//.test(file);
const isEngine = (file) => file.startsWith("electron/") && !isTest(file);

/** Calls and imports of a file, from its syntax tree: words in comments and strings do not count. */
function facts(file, code) {
  const { program, errors, module } = parseSync(file, code);
  if (errors.length > 0) return { calls: [], news: [], imports: [], needs: [], names: [] };
  const calls = [];
  const news = [];
  const dynamic = [];
  const name = (node) => {
    if (node.type === "Identifier") return node.name;
    return node.type === "MemberExpression" && !node.computed ? `${name(node.object)}.${node.property.name}` : "";
  };
  new Visitor({
    CallExpression: (node) => calls.push({ name: name(node.callee), args: node.arguments.length, first: node.arguments[0] }),
    NewExpression: (node) => news.push({ name: name(node.callee), args: node.arguments.length }),
    ImportExpression: (node) => node.source.type === "Literal" && dynamic.push(node.source.value),
  }).visit(program);
  const reexports = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap((one) => (one.moduleRequest ? [{ from: one.moduleRequest.value, isType: one.isType }] : [])),
  );
  const required = calls.flatMap((call) => (call.name === "require" && call.first?.type === "Literal" ? [call.first.value] : []));
  // A statement whose every entry is a type leaves nothing behind at run time.
  const statics = module.staticImports.map((one) => ({
    from: one.moduleRequest.value,
    isType: one.entries.length > 0 && one.entries.every(({ isType }) => isType),
  }));
  const fixed = [...statics, ...reexports];
  const loaded = [...dynamic, ...required];
  const names = module.staticImports.flatMap((one) =>
    one.entries.map(({ importName }) => ({ from: one.moduleRequest.value, name: importName.name ?? "everything" })),
  );
  return {
    calls,
    news,
    names,
    imports: [...fixed.map(({ from }) => from), ...loaded],
    needs: [...fixed.flatMap(({ from, isType }) => (isType ? [] : [from])), ...loaded],
  };
}

/** Files that are loaded by a worker's entry and by none of the entries of the main thread: there nothing else waits. */
export function workerOnly(files) {
  const edges = new Map([...files].map(([file, code]) => [file, facts(file, code).needs.flatMap((specifier) => resolve(file, specifier))]));
  const reach = (entries) => {
    const seen = new Set(entries.filter((file) => edges.has(file)));
    for (const file of seen) for (const next of edges.get(file) ?? []) seen.add(next);
    return seen;
  };
  const main = reach(["electron/main.ts", "electron/headless.ts", "electron/preload.ts"]);
  return new Set([...reach([...edges.keys()].filter((file) => file.startsWith("electron/workers/")))].filter((file) => !main.has(file)));
}

function resolve(file, specifier) {
  if (specifier.startsWith("#")) return [specifier.slice(1)];
  return specifier.startsWith("./") ? [`${file.slice(0, file.lastIndexOf("/"))}/${specifier.slice(2)}`] : [];
}

/** Blocking file or process calls in the engine, outside the cold paths and the workers. */
export function blockingCalls(file, code, free = new Set(COLD_PATHS.map((one) => one.file))) {
  if (!isEngine(file) || free.has(file)) return [];
  return facts(file, code).calls.flatMap(({ name }) => (/(?:^|\.)[a-z]\w*Sync$/.test(name) ? [`${name} blocks`] : []));
}

/** Imports of Electron outside its three places. */
export function strayElectron(file, code) {
  if (ELECTRON_HOMES.some((home) => home.test(file)) || file.startsWith("build/")) return [];
  return facts(file, code).imports.flatMap((specifier) => (/^electron(?:\/|$)/.test(specifier) ? [`imports ${specifier}`] : []));
}

/** Time taken from anywhere but the clock. */
export function strayTime(file, code) {
  if (!isEngine(file) || file === CLOCK) return [];
  const { calls, news, names } = facts(file, code);
  const globals = (name) => name.replace(/^(?:globalThis|window|global)\./, "");
  return [
    ...calls.flatMap((call) => (globals(call.name) === "Date.now" || TIMERS.has(globals(call.name)) ? [`calls ${call.name}`] : [])),
    ...news.flatMap((made) => (globals(made.name) === "Date" && made.args === 0 ? ["makes new Date()"] : [])),
    ...names.flatMap(({ from, name }) => (/^(?:node:)?timers(?:\/|$)/.test(from) && name !== "setImmediate" ? [`imports ${name} of ${from}`] : [])),
  ];
}

const matchLines = (text, pattern, what) => text.split("\n").flatMap((line, index) => (pattern.test(line) ? [`line ${index + 1}: ${what}`] : []));

export const inlineDisables = (_file, text) => matchLines(text, DISABLES, "switches a rule off in place");

/** Everything but the comments blanked out, so that line numbers stay true. Texts that are not code are all comment. */
function commentsOf(file, text) {
  if (!/\.[cm]?[jt]sx?$/.test(file)) return text;
  const { comments } = parseSync(file, text);
  let blank = text.replace(/[^\n]/g, " ");
  for (const { start, end } of comments) blank = blank.slice(0, start) + text.slice(start, end) + blank.slice(end);
  return blank;
}

/** Marks of unfinished work in comments and documents; strings may hold any word. */
export const unfinishedWords = (file, text) =>
  UNFINISHED.test(text) ? matchLines(commentsOf(file, text), UNFINISHED, "a word that marks unfinished work") : [];

/** File names that say nothing. */
export function vagueName(file) {
  const base = file.split("/").at(-1).replace(/\..*$/, "");
  return [base, ...file.split("/").slice(0, -1)].flatMap((part) => (VAGUE_NAMES.has(part) ? [`the name ${part} says nothing`] : []));
}

/** Every key of a texts file as a dotted path, with the parameters of its text. */
function texts(tree, prefix = "") {
  return Object.entries(tree).flatMap(([key, value]) => {
    if (typeof value === "object" && value !== null) return texts(value, `${prefix}${key}.`);
    const params = [...new Set([...String(value).matchAll(/\{\{\s*([\w.]+)/g)].map(([, name]) => name))].sort();
    return [{ key: `${prefix}${key}`, params: params.join(",") }];
  });
}

/** Chinese has one plural form: `x_one`/`x_other` in English answer to `x_other` alone. */
const singular = (key) => key.replace(/_one$/, "_other");

/** What one language has and the other lacks, and parameters that differ. */
export function languageGaps(english, chinese) {
  const table = (tree) => new Map(texts(tree).map(({ key, params }) => [key, params]));
  const [en, zh] = [table(english), table(chinese)];
  const missing = [...en.keys()].filter((key) => !zh.has(key) && !zh.has(singular(key))).map((key) => `no Chinese text for ${key}`);
  const surplus = [...zh.keys()].filter((key) => !en.has(key)).map((key) => `no English text for ${key}`);
  const differing = [...en]
    .filter(([key, params]) => zh.has(key) && zh.get(key) !== params && !key.endsWith("_one"))
    .map(([key]) => `other parameters in ${key}`);
  return [...missing, ...surplus, ...differing];
}

/** Every text must say something. */
export const emptyTexts = (tree) =>
  texts(tree).flatMap(({ key }) => (key.split(".").reduce((node, part) => node[part], tree) === "" ? [`${key} is empty`] : []));
