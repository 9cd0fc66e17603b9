import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestAnalyser, engineOf, makeScratchFolder, plantLink, queryOf, type ScratchFolder, shellLikeTool } from "#electron/testkit/permission-bench.ts";
import { type CorpusGroup, loadCorpus } from "#electron/testkit/permission-corpus.ts";
import type { Tool } from "#electron/tools/contract.ts";

const SETTINGS = { plain: "", linked: "", fsmonitor: '[core]\n\tfsmonitor = "touch PWNED"\n', external: '[diff]\n\texternal = "touch PWNED"\n' } as const;
const corpus = await loadCorpus();

describe("the corpus of commands", () => {
  const folders = new Map<CorpusGroup["repo"], ScratchFolder>();
  let bash: Tool | undefined;

  beforeAll(async () => {
    bash = shellLikeTool(await createTestAnalyser());
    for (const repo of ["plain", "fsmonitor", "external", "linked"] as const) {
      const folder = await makeScratchFolder();
      await appendFile(join(folder.workspace, ".git/config"), SETTINGS[repo]);
      if (repo === "linked") await plantLink(folder);
      folders.set(repo, folder);
    }
  });
  afterAll(async () => {
    await Promise.all([...folders.values()].map((folder) => folder.remove()));
  });

  it("is large enough, and false alarms count too", () => {
    const all = corpus.flatMap(({ groups }) => groups.flatMap((group) => group.rows));
    const reads = corpus.find(({ file }) => file === "everyday-reads.json")?.groups.flatMap((group) => group.rows) ?? [];
    expect({ enough: all.length >= 400, everyday: reads.length >= 150, allowed: reads.every(([, verdict]) => verdict === "allow") }).toEqual({
      enough: true,
      everyday: true,
      allowed: true,
    });
  });

  for (const { file, groups } of corpus) {
    it.each(groups.map((group) => [group.name, group] as const))(`${file}: %s`, async (_name, group) => {
      const folder = folders.get(group.repo);
      if (bash === undefined || folder === undefined) throw new Error("the bench is not set up");
      const options = { folder, rules: group.rules, mode: group.mode };
      const engine = engineOf(options);
      const wrong: string[] = [];
      for (const [command, expected] of group.rows) {
        const said = await engine.decide(await queryOf(bash, { command }, options));
        if (said.behavior !== expected)
          wrong.push(
            `${JSON.stringify(command)}: expected ${expected}, but ${said.by} said ${said.behavior} (${said.reason}${said.about === undefined ? "" : `: ${said.about}`})`,
          );
      }
      expect(wrong).toEqual([]);
    });
  }
});
