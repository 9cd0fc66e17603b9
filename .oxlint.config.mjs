// oxlint matches its per-folder rules relative to the file it is given, so this file stands at the root.
import { listFeatures, oxlintConfig } from "./build/lint.mjs";

/** Set by the check that asks which exceptions are still needed. */
const without = process.env.CAIRN_LINT_WITHOUT_EXCEPTIONS === "1" ? { exceptions: [] } : {};

export default oxlintConfig({ features: listFeatures(import.meta.dirname), ...without });
