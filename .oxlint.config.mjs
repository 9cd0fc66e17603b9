// oxlint matches its per-folder rules relative to the file it is given, so this file stands at the root.
import { listFeatures, oxlintConfig } from "./build/lint.mjs";

export default oxlintConfig({ features: listFeatures(import.meta.dirname) });
