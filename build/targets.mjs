// What is built from what: the vite configurations of the five programs (main, preload, headless, workers, window).
// The same files run on Electron 25 (Node 18.15, Chromium 114) and on the current one, so these are the targets everywhere.
import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import path from "node:path";
import { ROOT } from "./process.mjs";

export const NODE_TARGET = "node18.15";
export const PAGE_TARGET = "chrome114";

/** Native packages stay outside the bundles; so do Electron and Node's own modules. */
const natives = () => Object.keys(JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")).dependencies);
const external = () => ["electron", ...natives(), /^@vscode\/ripgrep-/, /^node:/, ...builtinModules];

const workerEntries = (folder) => {
  const files = readdirSync(folder).filter((file) => /^[\w-]+\.ts$/.test(file) && !file.endsWith(".d.ts"));
  return Object.fromEntries(files.map((file) => [file.replace(/\.ts$/, ""), path.join(folder, file)]));
};

/** The programs that run under Node or in Electron's main process. `single`: everything in one file, nothing loaded later. */
export function nodePrograms(root = ROOT) {
  const at = (file) => path.join(root, "electron", file);
  return [
    { name: "main", folder: "main", input: { index: at("main.ts") } },
    { name: "preload", folder: "preload", input: { index: at("preload.ts") }, single: true },
    { name: "headless", folder: "headless", input: { index: at("headless.ts") }, banner: "#!/usr/bin/env node" },
    { name: "workers", folder: "workers", input: workerEntries(at("workers")) },
  ];
}

/** Warnings about code of libraries that never runs here: a glue function of web-tree-sitter, the canvas branch of unpdf. */
function isHarmless({ code, id, message }) {
  const place = `${id ?? ""} ${message}`;
  return (code === "EVAL" && place.includes("web-tree-sitter")) || (code === "EMPTY_IMPORT_META" && place.includes("unpdf"));
}

/** The vite configuration of one node program. Heavy libraries behind `import()` become files of their own, loaded when first needed. */
export function nodeConfig(program, out) {
  return {
    root: ROOT,
    configFile: false,
    logLevel: "warn",
    mode: "production",
    build: {
      ssr: true,
      target: NODE_TARGET,
      minify: false,
      sourcemap: true,
      emptyOutDir: true,
      outDir: path.join(out, program.folder),
      rolldownOptions: {
        input: program.input,
        external: program.single ? ["electron"] : external(),
        onLog: (level, log, pass) => void (isHarmless(log) ? undefined : pass(level, log)),
        output: {
          format: "cjs",
          entryFileNames: "[name].cjs",
          chunkFileNames: "[name]-[hash].cjs",
          ...(program.banner ? { banner: (chunk) => (chunk.isEntry ? program.banner : "") } : {}),
          ...(program.single ? { codeSplitting: false } : {}),
        },
      },
    },
    ssr: { noExternal: true },
  };
}

/**
 * The vite configuration of the window's page, for building and for the dev server.
 * @returns {Promise<import("vite").InlineConfig>}
 */
export async function pageConfig(out) {
  const [{ default: react }, { default: tailwind }] = await Promise.all([import("@vitejs/plugin-react"), import("@tailwindcss/vite")]);
  return {
    root: path.join(ROOT, "renderer"),
    base: "./",
    configFile: false,
    logLevel: "warn",
    plugins: [react(), tailwind()],
    worker: { format: "es" },
    build: {
      target: PAGE_TARGET,
      cssTarget: PAGE_TARGET,
      // Less to parse is a faster start (measured in turns: about 30 ms of 500). Node programs stay readable: there it makes no difference.
      minify: true,
      sourcemap: true,
      emptyOutDir: true,
      outDir: path.join(out, "renderer"),
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 4_000,
      modulePreload: { polyfill: false },
    },
  };
}

/** Files that are copied as they are: [from, to]. */
export const COPIES = [
  ["node_modules/web-tree-sitter/web-tree-sitter.wasm", "wasm/web-tree-sitter.wasm"],
  ["node_modules/tree-sitter-bash/tree-sitter-bash.wasm", "wasm/tree-sitter-bash.wasm"],
  // The picture library reads it from beside its own code.
  ["node_modules/@silvia-odwyer/photon-node/photon_rs_bg.wasm", "workers/photon_rs_bg.wasm"],
  ["electron/providers/demo/sample-project", "sample"],
  ["build/icons/icon.png", "icon.png"],
];
