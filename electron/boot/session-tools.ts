// The tools of one session and what they keep: what the model has read, pictures, long results.
import { join } from "node:path";
import type { Blobs } from "#electron/sessions/blobs.ts";
import { createBlobs } from "#electron/sessions/blobs.ts";
import { createRipgrep, ripgrepPath } from "#electron/lib/ripgrep.ts";
import type { TurnEnv } from "#electron/sessions/contract.ts";
import { createArtefactStore } from "#electron/tools/artefacts.ts";
import type { Tool } from "#electron/tools/contract.ts";
import { createFileTools } from "#electron/tools/file-tools.ts";
import { openReadState, type StoredReadState } from "#electron/tools/read-state-file.ts";
import type { ArtefactStore } from "#electron/tools/result-limit.ts";
import type { Engine } from "./engine.ts";

export type SessionKeep = { readonly blobs: Blobs; readonly artefacts: ArtefactStore; readonly readState: StoredReadState; readonly resultsDir: string };

export async function openSessionKeep(folder: string): Promise<SessionKeep> {
  const resultsDir = join(folder, "results");
  return { blobs: createBlobs(join(folder, "blobs")), artefacts: createArtefactStore(resultsDir), readState: await openReadState(join(folder, "read-state.json")), resultsDir };
}

/** Made for each turn, because what they tell goes to the turn's log; what they keep is the session's. */
export function turnTools(_engine: Engine, keep: SessionKeep, env: TurnEnv): readonly Tool[] {
  return createFileTools({
    readState: keep.readState.state,
    blobs: keep.blobs,
    ripgrep: createRipgrep(ripgrepPath()),
    onTodos: (items) => env.append([{ v: 1, type: "todos_changed", items: [...items] }]),
  });
}
