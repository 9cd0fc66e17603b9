// The corpus of commands with their right verdicts, as it lies beside the permissions.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { PermissionMode } from "#shared/permissions/mode.ts";

const Rules = z.object({ allow: z.array(z.string()).default([]), ask: z.array(z.string()).default([]), deny: z.array(z.string()).default([]) });
const Group = z.object({
  name: z.string(),
  mode: PermissionMode.default("default"),
  rules: Rules.prefault({}),
  /** what the repository's own settings hold; `linked`: a link in it leads out of the workspace */
  repo: z.enum(["plain", "fsmonitor", "external", "linked"]).default("plain"),
  rows: z.array(z.tuple([z.string(), z.enum(["allow", "ask", "deny"])])),
});
export type CorpusGroup = z.infer<typeof Group>;
export type CorpusFile = { readonly file: string; readonly groups: readonly CorpusGroup[] };

/** Every file of the corpus, by name. */
export async function loadCorpus(): Promise<readonly CorpusFile[]> {
  const folder = join(import.meta.dirname, "../permissions/corpus");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json")).sort();
  return Promise.all(
    names.map(async (file) => {
      const json: unknown = JSON.parse(await readFile(join(folder, file), "utf8"));
      return { file, groups: z.object({ groups: z.array(Group) }).parse(json).groups };
    }),
  );
}
