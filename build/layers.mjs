// The layer table of the project as data: which folder may import what. The lint configuration is made from it,
// so this is the one place to read or change a border. Everything that is not named is refused.

/** Engine folders whose `contract.ts` is the only thing others see of them. */
const CONTRACTS = ["#electron/*/contract.ts"];
const SHARED = ["#shared/**"];
const LIB = ["#electron/lib/**"];
const NODE = ["node:*", "node:*/**"];
const ENGINE_BASE = [...SHARED, ...LIB, ...CONTRACTS, ...NODE, "zod"];

/** Small, pure or thin libraries that any capability may use; the heavy ones have one home each below. */
const SMALL = ["diff", "ignore", "iconv-lite", "chardet", "jsonc-parser", "jsonc-parser/**", "node-diff3", "picomatch", "tokenx", "yaml"];

/** Packages by capability, beyond the small ones. */
const CAPABILITIES = {
  providers: ["@anthropic-ai/sdk", "@anthropic-ai/sdk/**", "openai", "openai/**", "undici"],
  checkpoints: ["libsql"],
  shells: ["node-pty", "@xterm/headless", "@xterm/addon-serialize"],
  hooks: [],
  mcp: ["@modelcontextprotocol/sdk", "@modelcontextprotocol/sdk/**"],
  trace: [],
  settings: [],
  secrets: [],
  skills: [],
  history: [],
  ladder: [],
  permissions: ["web-tree-sitter", "tree-sitter-bash"],
  context: [],
};

const own = (folder) => `#electron/${folder}/**`;

const capabilityRows = Object.entries(CAPABILITIES).map(([folder, packages]) => ({
  name: folder,
  files: [`electron/${folder}/**`],
  allow: [...ENGINE_BASE, own(folder), ...SMALL, ...packages],
}));

const REACT = ["react", "react/**", "react-dom", "react-dom/**"];
/** Written as words, because one a line would hide the table below. */
const words = (text) => text.split(/\s+/).filter(Boolean);
const UI_LIBRARIES = words(`
  radix-ui radix-ui/** lucide-react clsx cmdk sonner react-resizable-panels virtua zod i18next react-i18next
  katex marked react-markdown remark-gfm remark-math shiki shiki/** @shikijs/** diff react-diff-view react-diff-view/**
  @xterm/xterm @xterm/xterm/** @xterm/addon-fit @xterm/addon-search @xterm/addon-serialize @xterm/addon-web-links @xterm/addon-unicode-graphemes
`);
const R0 = ["#renderer/ui/**", "#renderer/text/**", "#renderer/theme/**", "#renderer/i18n/**"];
const R1 = ["#renderer/bridge/**", "#renderer/stores/**"];
const RENDERER_BASE = [...SHARED, ...REACT, ...UI_LIBRARIES];

/** Test tools; never part of product code. */
const TEST_TOOLS = ["vitest", "vitest/**", "fast-check"];
const RENDERER_TEST_TOOLS = [...TEST_TOOLS, "@testing-library/react", "@testing-library/user-event"];

const everyEnginePackage = [
  ...new Set([
    ...SMALL,
    ...Object.values(CAPABILITIES).flat(),
    "@mozilla/readability",
    "linkedom",
    "turndown",
    "unpdf",
    "@vscode/ripgrep",
    "@silvia-odwyer/photon-node",
  ]),
];
const LIB_PACKAGES = [...SMALL, "cross-spawn", "electron-log", "electron-log/**", "proper-lockfile", "write-file-atomic", "undici"];

/**
 * One row a layer, later rows win for a file that matches two. `allow` is the whole list of what may be imported
 * (gitignore-like globs); `./file` of the same folder is always allowed, `../` never.
 * @type {ReadonlyArray<{ name: string, files: string[], allow: string[], exclude?: string[] }>}
 */
export const LAYERS = [
  { name: "shared", files: ["shared/**"], allow: [...SHARED, "zod"] },
  { name: "engine library", files: ["electron/lib/**"], allow: [...SHARED, ...LIB, ...NODE, "zod", ...LIB_PACKAGES] },
  ...capabilityRows,
  {
    name: "tools",
    files: ["electron/tools/**"],
    allow: [
      ...ENGINE_BASE,
      own("tools"),
      ...SMALL,
      "@vscode/ripgrep",
      "@mozilla/readability",
      "linkedom",
      "turndown",
      "unpdf",
      "unpdf/**",
      "@silvia-odwyer/photon-node",
    ],
  },
  { name: "pipeline", files: ["electron/pipeline/**"], allow: [...ENGINE_BASE, own("pipeline")] },
  { name: "scheduler", files: ["electron/scheduler/**"], allow: [...ENGINE_BASE, own("scheduler")] },
  { name: "loop", files: ["electron/loop/**"], allow: [...ENGINE_BASE, own("loop"), own("history"), own("ladder")] },
  { name: "sessions", files: ["electron/sessions/**"], allow: [...ENGINE_BASE, own("sessions"), own("loop"), own("history"), "libsql", "diff", "marked"] },
  { name: "subagents", files: ["electron/subagents/**"], allow: [...ENGINE_BASE, own("subagents"), own("loop"), own("history")] },
  { name: "contracts", files: ["electron/*/contract.ts"], allow: [...SHARED, ...CONTRACTS, "#electron/lib/clock.ts", "#electron/lib/scope.ts", "zod"] },
  { name: "bridge", files: ["electron/bridge/**"], allow: [...ENGINE_BASE, own("bridge"), own("sessions")] },
  {
    name: "app",
    files: ["electron/app/**"],
    allow: [...ENGINE_BASE, own("app"), own("sessions"), own("bridge"), "electron", "electron/**", "electron-log", "electron-log/**"],
  },
  {
    name: "boot",
    files: ["electron/boot/**", "electron/headless.ts", "electron/workers/**"],
    allow: [...SHARED, "#electron/**", "!#electron/app/**", "!#electron/testkit/**", ...NODE, "zod", ...everyEnginePackage, ...LIB_PACKAGES],
  },
  { name: "main", files: ["electron/main.ts"], allow: [...SHARED, "#electron/**", "!#electron/testkit/**", ...NODE, "zod", "electron", "electron/**"] },
  { name: "preload", files: ["electron/preload.ts"], allow: ["electron", "#shared/ipc/envelope.ts", "#shared/ipc/transport.ts"] },
  {
    name: "engine testkit",
    files: ["electron/testkit/**"],
    allow: [...SHARED, "#electron/**", "!#electron/app/**", ...NODE, "zod", ...everyEnginePackage, ...LIB_PACKAGES, ...TEST_TOOLS],
  },

  { name: "window base", files: ["renderer/{ui,text,theme,i18n}/**"], allow: [...RENDERER_BASE, ...R0] },
  { name: "window state", files: ["renderer/{bridge,stores}/**"], allow: [...RENDERER_BASE, ...R0, ...R1, "zustand", "zustand/**"] },
  {
    name: "window app",
    files: ["renderer/app/**", "renderer/*.{ts,tsx}"],
    allow: [...RENDERER_BASE, "#renderer/**", "!#renderer/testkit/**", "zustand", "zustand/**"],
  },
  { name: "window testkit", files: ["renderer/testkit/**"], allow: [...RENDERER_BASE, "#renderer/**", "zustand", "zustand/**", ...RENDERER_TEST_TOOLS] },

  { name: "shared tests", files: ["shared/**/*.test.ts", "shared/testkit/**"], allow: [...SHARED, "zod", ...NODE, ...TEST_TOOLS] },
  {
    name: "engine tests",
    files: ["electron/**/*.test.ts"],
    allow: [...SHARED, "#electron/**", "!#electron/app/**", ...NODE, "zod", ...everyEnginePackage, ...LIB_PACKAGES, ...TEST_TOOLS],
  },
  { name: "app tests", files: ["electron/app/**/*.test.ts"], allow: [...SHARED, "#electron/**", ...NODE, "zod", ...TEST_TOOLS] },
  { name: "window tests", files: ["renderer/**/*.test.{ts,tsx}"], allow: [...RENDERER_BASE, "#renderer/**", "zustand", "zustand/**", ...RENDERER_TEST_TOOLS] },
  {
    name: "e2e",
    files: ["e2e/**"],
    allow: [
      ...SHARED,
      "#electron/testkit/**",
      "#renderer/testkit/**",
      "#e2e/**",
      ...NODE,
      "zod",
      "@playwright/test",
      "playwright",
      "playwright/**",
      "@axe-core/playwright",
    ],
  },
];

/** A feature of the window sees the layers below and itself, never another feature. */
export const FEATURE_ALLOW = [...RENDERER_BASE, ...R0, ...R1, "zustand", "zustand/**"];
