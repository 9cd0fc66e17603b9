// Which hooks of a folder may run: those that the person saw and trusted, as long as nothing about them changed (H1, decision O).
// Decisions are kept in the app's data folder, where no agent can write, and are read each time: another process may have taken one back.
import { access, readFile, realpath } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { err, ok, type Result } from "#shared/lib/result.ts";
import { HookTrust, PROJECT_HOOKS_FILE, type ProjectHooksDecision, type ProjectHooksState } from "#shared/settings/project-hooks.ts";
import type { HookSettings } from "#shared/settings/settings.ts";
import type { Clock } from "#electron/lib/clock.ts";
import { replaceFile } from "#electron/lib/replace-file.ts";
import type { ProjectTrust } from "./contract.ts";
import { NO_HOOKS, type ProjectHooks, readProjectHooks } from "./project-file.ts";

export type ProjectTrustDeps = {
  /** where decisions are kept */
  readonly file: string;
  readonly clock: Clock;
  /** a headless run was told to trust: each folder's hooks as they are when it is first looked at, for this run alone */
  readonly trustForThisRun: boolean;
};

const File = z.object({ version: z.literal(1), folders: z.array(z.unknown()) });

export function createProjectTrust(deps: ProjectTrustDeps): ProjectTrust {
  const listeners = new Set<{ readonly folder: string; told: string; tell(state: ProjectHooksState): void }>();
  const pinned = new Map<string, string>();
  let writing: Promise<unknown> = Promise.resolve();

  const judge = async (folder: string): Promise<{ readonly hooks: ProjectHooks; readonly state: ProjectHooksState }> => {
    // Asked at every event of every session: where there is no such file, this is one look.
    const there = await access(path.join(folder, PROJECT_HOOKS_FILE)).then(
      () => true,
      () => false,
    );
    const real = there ? await realpath(folder).catch(() => folder) : folder;
    const hooks = there ? await readProjectHooks(real) : NO_HOOKS;
    const decision = hooks.hash === "" ? "none" : await decisionOn(deps, pinned, real, hooks.hash);
    const state: ProjectHooksState = { folder: real, decision, hash: hooks.hash, hooks: [...hooks.hooks], problems: [...hooks.problems] };
    for (const listener of listeners) if (listener.folder === folder || listener.folder === real) tellOnce(listener, state);
    return { hooks, state };
  };
  const write = <T>(change: (kept: readonly HookTrust[]) => readonly HookTrust[], value: T): Promise<T> => {
    const mine = writing.then(async () => {
      await replaceFile(deps.file, `${JSON.stringify({ version: 1, folders: change(await readTrust(deps.file)) }, null, 2)}\n`);
      return value;
    });
    writing = mine.catch(() => {});
    return mine;
  };
  return {
    async allowed(folder): Promise<HookSettings> {
      const { hooks, state } = await judge(folder);
      return state.decision === "trusted" ? hooks.settings : {};
    },
    state: async (folder) => (await judge(folder)).state,
    async decide({ folder, hash, trusted }): Promise<Result<ProjectHooksState, { readonly kind: "changed" }>> {
      const { state } = await judge(folder);
      // What was shown is what is decided on; something else needs to be shown first.
      if (state.decision === "none" || state.hash !== hash) return err({ kind: "changed" });
      const entry: HookTrust = { folder: state.folder, hash, trusted, at: deps.clock.now() };
      await write((kept) => [...kept.filter((one) => one.folder !== entry.folder), entry], null);
      return ok((await judge(folder)).state);
    },
    decisions: async () => await readTrust(deps.file),
    async forget(folder) {
      pinned.delete(folder);
      await write((kept) => kept.filter((one) => one.folder !== folder), null);
      await judge(folder);
    },
    follow(folder, tell) {
      const listener = { folder, told: "", tell };
      listeners.add(listener);
      void judge(folder);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  };
}

function tellOnce(listener: { told: string; tell(state: ProjectHooksState): void }, state: ProjectHooksState): void {
  const print = JSON.stringify([state.decision, state.hash, state.problems]);
  if (listener.told === print) return;
  listener.told = print;
  listener.tell(state);
}

async function decisionOn(
  { file, trustForThisRun }: ProjectTrustDeps,
  pinned: Map<string, string>,
  folder: string,
  hash: string,
): Promise<ProjectHooksDecision> {
  if (trustForThisRun) {
    if (!pinned.has(folder)) pinned.set(folder, hash);
    if (pinned.get(folder) === hash) return "trusted";
  }
  const kept = (await readTrust(file)).find((one) => one.folder === folder);
  if (kept === undefined) return trustForThisRun ? "changed" : "open";
  if (kept.hash !== hash) return "changed";
  return kept.trusted ? "trusted" : "declined";
}

/** A file that cannot be read or understood trusts nothing. */
async function readTrust(file: string): Promise<readonly HookTrust[]> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return [];
  try {
    const kept = File.safeParse(JSON.parse(text));
    return kept.success ? kept.data.folders.flatMap((each) => HookTrust.safeParse(each).data ?? []) : [];
  } catch {
    return [];
  }
}
