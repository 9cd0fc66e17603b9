// User stories through the real window. The scripts of this folder name the Electron to drive in CAIRN_ELECTRON.
import path from "node:path";
import { defineConfig } from "@playwright/test";

const root = path.resolve(import.meta.dirname, "..");
const STORY_MS = 90_000;
const EXPECT_MS = 10_000;

export default defineConfig({
  testDir: path.join(root, "e2e/specs"),
  testMatch: "**/*.spec.ts",
  outputDir: path.join(root, "test-results"),
  timeout: STORY_MS,
  expect: { timeout: EXPECT_MS },
  // Tours that only take pictures are told when pictures are wanted.
  ...(process.env.CAIRN_PICTURES === undefined ? { grepInvert: /@pictures/ } : {}),
  retries: 0,
  forbidOnly: true,
  fullyParallel: true,
  workers: Number(process.env.CAIRN_TEST_WORKERS ?? 2),
  reporter: [["list"]],
  use: { trace: "retain-on-failure" },
});
