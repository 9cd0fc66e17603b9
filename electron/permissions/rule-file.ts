// Remembered approvals as one readable JSON file in the app's data folder: never in the workspace, where the agent could write it.
// Entries that do not parse stay in the file untouched and are reported; a file that is no JSON is set aside, not overwritten (B16, R4).
import { readFile, rename } from "node:fs/promises";
import { z } from "zod";
import { RememberedRule } from "#shared/permissions/rule-remembered.ts";
import type { Notice } from "#shared/loop/turn-end.ts";
import type { Clock } from "#electron/lib/clock.ts";
import { errorCode } from "#electron/lib/real-path.ts";
import { replaceFile } from "#electron/lib/replace-file.ts";
import type { RuleStore } from "./remember.ts";

const File = z.object({ version: z.literal(1), rules: z.array(z.unknown()) });
const SHOWN_CHARS = 120;

export function createRuleFile(path: string, clock: Clock): RuleStore {
  let unknownEntries: readonly unknown[] = [];
  /** why nothing may be written: what is there could neither be read nor set aside */
  let blocked: string | undefined;
  const unreadable = (error: unknown) => {
    blocked = error instanceof Error ? error.message : String(error);
    return { rules: [], problems: [{ key: "notices.approvals_unreadable", params: { path, reason: blocked } }] };
  };
  return {
    path,
    async load() {
      const text = await readFile(path, "utf8").catch((error: unknown) => (errorCode(error) === "ENOENT" ? undefined : { error }));
      if (text === undefined) return { rules: [], problems: [] };
      if (typeof text !== "string") return unreadable(text.error);
      const file = File.safeParse(jsonOf(text));
      if (!file.success) {
        const aside = `${path}.broken-${clock.now()}`;
        const failed = await rename(path, aside).then(
          () => undefined,
          (error: unknown) => ({ error }),
        );
        return failed === undefined ? { rules: [], problems: [{ key: "notices.approvals_damaged", params: { path: aside } }] } : unreadable(failed.error);
      }
      const entries = file.data.rules.map((raw) => ({ raw, parsed: RememberedRule.safeParse(raw) }));
      unknownEntries = entries.filter(({ parsed }) => !parsed.success).map(({ raw }) => raw);
      const problems = unknownEntries.map(
        (raw): Notice => ({ key: "notices.approvals_entry_ignored", params: { path, entry: JSON.stringify(raw).slice(0, SHOWN_CHARS) } }),
      );
      return { rules: entries.flatMap(({ parsed }) => (parsed.success ? [parsed.data] : [])), problems };
    },
    async save(rules) {
      if (blocked !== undefined) throw new Error(`${path} could not be read at the start (${blocked}), so nothing is written over it`);
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
