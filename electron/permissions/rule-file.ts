// Remembered approvals as one readable JSON file in the app's data folder: never in the workspace, where the agent could write it.
// Entries that do not parse stay in the file untouched and are reported; a file that is no JSON is set aside, not overwritten (B16).
import { readFile, rename } from "node:fs/promises";
import { z } from "zod";
import { RememberedRule } from "#shared/permissions/rule-remembered.ts";
import type { Clock } from "#electron/lib/clock.ts";
import { replaceFile } from "#electron/lib/replace-file.ts";
import type { RuleStore } from "./remember.ts";

const File = z.object({ version: z.literal(1), rules: z.array(z.unknown()) });

export function createRuleFile(path: string, clock: Clock): RuleStore {
  let unknownEntries: readonly unknown[] = [];
  return {
    async load() {
      const text = await readFile(path, "utf8").catch((error: unknown) => {
        if (isMissing(error)) return undefined;
        throw error;
      });
      if (text === undefined) return { rules: [], problems: [] };
      const file = File.safeParse(jsonOf(text));
      if (!file.success) {
        const aside = `${path}.broken-${clock.now()}`;
        await rename(path, aside);
        return { rules: [], problems: [`The file of remembered approvals could not be read; it is kept as ${aside}.`] };
      }
      const entries = file.data.rules.map((raw) => ({ raw, parsed: RememberedRule.safeParse(raw) }));
      unknownEntries = entries.filter((one) => !one.parsed.success).map((one) => one.raw);
      const rules = entries.flatMap((one) => (one.parsed.success ? [one.parsed.data] : []));
      return { rules, problems: unknownEntries.map((raw) => `This remembered approval has no effect: ${JSON.stringify(raw).slice(0, 200)}`) };
    },
    async save(rules) {
      await replaceFile(path, `${JSON.stringify({ version: 1, rules: [...rules, ...unknownEntries] }, null, 2)}\n`);
    },
  };
}

function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

function isMissing(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === "ENOENT";
}
