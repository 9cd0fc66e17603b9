// Makes the oxlint configuration: the rules, the borders of layers.mjs and the exceptions of exceptions.mjs.
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { EXCEPTIONS } from "./exceptions.mjs";
import { FEATURE_ALLOW, LAYERS } from "./layers.mjs";

const MAX_FILE_LINES = 400;
const MAX_FUNCTION_LINES = 60;
const MAX_COMPONENT_LINES = 120;

const functionLines = (max) => ["error", { max, skipBlankLines: true, skipComments: true, IIFEs: true }];

/** Rules for every file. */
const RULES = {
  "max-lines": ["error", { max: MAX_FILE_LINES, skipBlankLines: true, skipComments: true }],
  "max-lines-per-function": functionLines(MAX_FUNCTION_LINES),
  "max-params": ["error", { max: 4 }],
  "max-depth": ["error", { max: 3 }],
  complexity: ["error", { max: 12, variant: "modified" }],
  eqeqeq: ["error", "always", { null: "ignore" }],
  "no-console": "error",
  // Terminal bytes and file contents are our trade.
  "no-control-regex": "off",
  "no-var": "error",
  "prefer-const": "error",
  "no-eval": "error",
  "no-implied-eval": "error",
  "no-new-func": "error",
  "no-param-reassign": ["error", { props: false }],
  "no-promise-executor-return": "off",
  "no-restricted-imports": [
    "error",
    { patterns: [{ regex: "^\\.\\.(?:/|$)", message: "Write #shared/…, #electron/… or #renderer/… instead of a parent-relative path." }] },
  ],
  "no-warning-comments": ["error", { terms: ["fix" + "me", "x".repeat(3), "for" + " now"], location: "anywhere" }],
  "prefer-promise-reject-errors": "error",
  "import/no-cycle": ["error", { ignoreTypes: false }],
  "import/no-default-export": "error",
  "import/no-duplicates": "error",
  "import/no-mutable-exports": "error",
  "import/no-self-import": "error",
  "oxc/no-barrel-file": ["error", { threshold: 0 }],
  "promise/no-multiple-resolved": "error",
  // Advice for the React compiler, which is not used here.
  "react/refs": "off",
  "react/set-state-in-effect": "off",
  "react/use-memo": "off",
  // Stores hand out their actions as plain functions, and `[...text]` by code points is what is meant.
  "typescript/unbound-method": "off",
  "typescript/no-misused-spread": "off",
  "unicorn/filename-case": ["error", { case: "kebabCase" }],
  "unicorn/no-abusive-eslint-disable": "error",
};

/** Rules that need types or only make sense in TypeScript. */
const TYPESCRIPT_RULES = {
  "typescript/await-thenable": "error",
  "typescript/ban-ts-comment": "error",
  "typescript/consistent-type-assertions": ["error", { assertionStyle: "never" }],
  "typescript/consistent-type-imports": ["error", { disallowTypeAnnotations: true, fixStyle: "inline-type-imports" }],
  "typescript/no-explicit-any": "error",
  "typescript/no-floating-promises": "error",
  "typescript/no-misused-promises": "error",
  "typescript/no-namespace": "error",
  "typescript/no-non-null-assertion": "error",
  "typescript/no-require-imports": "error",
  "typescript/no-unsafe-argument": "error",
  "typescript/no-unsafe-assignment": "error",
  "typescript/no-unsafe-call": "error",
  "typescript/no-unsafe-member-access": "error",
  "typescript/no-unsafe-return": "error",
  "typescript/only-throw-error": "error",
  "typescript/return-await": ["error", "error-handling-correctness-only"],
  "typescript/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
};

const REACT_RULES = {
  // Scroll areas must be reachable by keyboard, a card may take the focus when it appears, and a role says what no element says.
  "jsx-a11y/no-noninteractive-tabindex": "off",
  "jsx-a11y/no-autofocus": "off",
  "jsx-a11y/prefer-tag-over-role": "off",
  "max-lines-per-function": functionLines(MAX_COMPONENT_LINES),
  "react/exhaustive-deps": "error",
  "react/jsx-key": "error",
  "react/jsx-no-literals": ["error", { noStrings: false, allowedStrings: [..."·…⋯–—/:+−×(),%#“”‘’→←↑↓•✓✗⌘↵"] }],
  "react/no-danger": "error",
  "react/rules-of-hooks": "error",
};

const TEST_RULES = {
  "max-lines-per-function": "off",
  "max-lines": "off",
  // The columns of a table are parameters of its test.
  "max-params": "off",
  "vitest/no-focused-tests": "error",
  "vitest/no-disabled-tests": "error",
  "vitest/no-identical-title": "error",
  "vitest/expect-expect": ["error", { assertFunctionNames: ["expect*", "fc.assert", "fc.check", "assert*", "describe*"] }],
  "vitest/no-conditional-expect": "off",
  "vitest/require-to-throw-message": "off",
  "vitest/valid-title": "off",
  "vitest/no-restricted-vi-methods": ["error", { mock: "Give the code a fake through its Deps.", doMock: "Give the code a fake through its Deps." }],
};

function fence({ name, files, allow }) {
  const group = ["**", "!./*", ...allow.map((glob) => (glob.startsWith("!") ? glob.slice(1) : `!${glob}`))];
  const message = `The layer "${name}" may not import this; see build/layers.mjs.`;
  return { files, rules: { "no-restricted-imports": ["error", { patterns: [{ group, message }] }] } };
}

function featureFences(features) {
  const none = { name: "features", files: ["renderer/features/**"], allow: FEATURE_ALLOW };
  const each = features.map((feature) => ({
    name: `feature ${feature}`,
    files: [`renderer/features/${feature}/**`],
    allow: [...FEATURE_ALLOW, `#renderer/features/${feature}/**`],
  }));
  return [none, ...each].map(fence);
}

/** Names of the window's features on disk, so that each gets a fence of its own. */
export function listFeatures(root) {
  const folder = path.join(root, "renderer/features");
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

/**
 * The whole configuration. `exceptions` is empty when the check asks which exceptions are still needed.
 * @param {{ features: string[], exceptions?: typeof EXCEPTIONS }} facts
 */
export function oxlintConfig({ features, exceptions = EXCEPTIONS }) {
  return {
    plugins: ["eslint", "typescript", "unicorn", "oxc", "import", "react", "jsx-a11y", "promise", "vitest", "node"],
    categories: { correctness: "error" },
    ignorePatterns: ["node_modules", "out", "release", "coverage", "**/sample-project/**", "**/fixtures/**"],
    rules: RULES,
    overrides: [
      { files: ["**/*.ts", "**/*.tsx"], rules: TYPESCRIPT_RULES },
      { files: ["**/*.tsx"], rules: REACT_RULES },
      { files: ["electron/loop/run-turn.ts"], rules: { "max-lines-per-function": functionLines(MAX_COMPONENT_LINES) } },
      ...LAYERS.filter((row) => !row.name.includes("test")).map(fence),
      ...featureFences(features),
      ...LAYERS.filter((row) => row.name.includes("test")).map(fence),
      { files: ["**/*.test.{ts,tsx,mjs}", "**/testkit/**"], rules: TEST_RULES },
      {
        files: ["e2e/**"],
        rules: { "react/rules-of-hooks": "off", "react/exhaustive-deps": "off", "max-lines-per-function": "off", "no-empty-pattern": "off" },
      },
      { files: ["build/**"], rules: { "no-console": "off", "typescript/require-array-sort-compare": "off" } },
      { files: ["build/*.config.mjs", "build/{story-reporter,after-pack}.mjs", ".oxlint.config.mjs"], rules: { "import/no-default-export": "off" } },
      {
        files: ["shared/lib/brand.ts", "shared/lib/ids.ts", "electron/providers/*/{to,from}-wire.ts"],
        rules: { "typescript/consistent-type-assertions": "off" },
      },
      ...exceptions.map(({ file, rules }) => ({ files: [file], rules: Object.fromEntries(rules.map((rule) => [rule, "off"])) })),
    ],
  };
}
