// Languages whose code is coloured. Names are what models write behind the three ticks.

/** Each has its grammar in grammars.ts. */
export const LANGUAGES: ReadonlySet<string> = new Set([
  "bash",
  "c",
  "cpp",
  "csharp",
  "css",
  "diff",
  "docker",
  "go",
  "graphql",
  "html",
  "ini",
  "java",
  "javascript",
  "json",
  "jsonc",
  "jsx",
  "kotlin",
  "lua",
  "make",
  "markdown",
  "php",
  "powershell",
  "python",
  "r",
  "ruby",
  "rust",
  "scss",
  "sql",
  "svelte",
  "swift",
  "toml",
  "tsx",
  "typescript",
  "vue",
  "xml",
  "yaml",
]);

const OTHER_NAMES: Readonly<Record<string, string>> = {
  sh: "bash",
  shell: "bash",
  zsh: "bash",
  console: "bash",
  "c++": "cpp",
  cs: "csharp",
  dockerfile: "docker",
  golang: "go",
  htm: "html",
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  kt: "kotlin",
  makefile: "make",
  md: "markdown",
  ps1: "powershell",
  pwsh: "powershell",
  py: "python",
  rb: "ruby",
  rs: "rust",
  svg: "xml",
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  yml: "yaml",
};

/** Undefined: this language is not coloured. */
export function languageOf(name: string): string | undefined {
  const low = name.toLowerCase();
  const known = Object.hasOwn(OTHER_NAMES, low) ? OTHER_NAMES[low] : low;
  return known !== undefined && LANGUAGES.has(known) ? known : undefined;
}
