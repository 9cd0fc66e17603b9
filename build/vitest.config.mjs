// Unit and integration tests: one project under plain Node, one with a DOM for the window's code.
// A folder's testkit may bring a setup file (leak checks, polyfills); it is used as soon as it exists.
import { existsSync } from "node:fs";
import path from "node:path";
import { defineConfig } from "vitest/config";

const root = path.resolve(import.meta.dirname, "..");
const setup = (file) => (existsSync(path.join(root, file)) ? [path.join(root, file)] : []);

/** Tests start real children (ptys, ripgrep): the limit leaves room for a busy two-core machine. */
const TEST_TIMEOUT_MS = 20_000;

const common = { testTimeout: TEST_TIMEOUT_MS, hookTimeout: TEST_TIMEOUT_MS, pool: "forks", restoreMocks: true, unstubEnvs: true, unstubGlobals: true };

export default defineConfig({
  root,
  cacheDir: path.join(root, "node_modules/.cache/vitest"),
  test: {
    maxWorkers: Number(process.env.CAIRN_TEST_WORKERS ?? 2),
    coverage: {
      provider: "v8",
      reportsDirectory: path.join(root, "coverage"),
      include: ["{electron,shared,renderer}/**/*.{ts,tsx}"],
      exclude: ["**/*.test.{ts,tsx}", "**/testkit/**"],
    },
    projects: [
      {
        root,
        test: {
          ...common,
          name: "node",
          environment: "node",
          include: ["{shared,electron,build}/**/*.test.{ts,tsx,mjs}"],
          setupFiles: setup("electron/testkit/setup.ts"),
        },
      },
      {
        root,
        test: {
          ...common,
          name: "renderer",
          environment: "jsdom",
          include: ["renderer/**/*.test.{ts,tsx}"],
          css: { include: [/\.css\?raw$/] },
          setupFiles: setup("renderer/testkit/setup.ts"),
        },
      },
    ],
  },
});
