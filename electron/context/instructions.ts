// Instruction files (C9, simple form): AGENTS.md or CLAUDE.md of the workspace's root and the person's own, bounded, with their source.
import type { NoteDraft } from "#shared/chat/note.ts";
import { headOf, isBlank, wellFormed } from "#shared/lib/text.ts";
import { ALL_INSTRUCTIONS_CHARS, INSTRUCTION_CHARS } from "./limits.ts";
import { instructionsText } from "./turn-notes.text.ts";

export type InstructionDeps = {
  /** text of a file; undefined when it is not there or cannot be read */
  read(path: string): Promise<string | undefined>;
  /** joins with the platform's separator */
  join(folder: string, name: string): string;
  readonly workspace: string;
  /** the person's own folder of settings */
  readonly personal: string;
};

/** In this order the first one that exists counts: two files with the same content would only say things twice. */
const WORKSPACE_NAMES = ["AGENTS.md", "CLAUDE.md"] as const;
const PERSONAL_NAME = "AGENTS.md";

export async function readInstructions(deps: InstructionDeps): Promise<readonly NoteDraft[]> {
  const personal = await firstOf(deps, deps.personal, [PERSONAL_NAME]);
  const workspace = await firstOf(deps, deps.workspace, WORKSPACE_NAMES);
  let room = ALL_INSTRUCTIONS_CHARS;
  return [personal, workspace].flatMap((found) => {
    if (found === undefined || room <= 0) return [];
    const content = headOf(found.content, Math.min(INSTRUCTION_CHARS, room));
    room -= content.length;
    return [{ source: `instructions ${found.name}`, text: instructionsText(found.name, content, content.length < found.content.length) }];
  });
}

type Found = { readonly name: string; readonly content: string };

async function firstOf(deps: InstructionDeps, folder: string, names: readonly string[]): Promise<Found | undefined> {
  for (const name of names) {
    const path = deps.join(folder, name);
    const content = await deps.read(path);
    if (content !== undefined && !isBlank(content)) return { name: folder === deps.workspace ? name : `~/.cairn/${name}`, content: wellFormed(content).trim() };
  }
  return undefined;
}
