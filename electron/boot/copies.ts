// Copies of a folder, each of one session's own (K8): a work tree where the folder is a plain git repository, a cloned folder
// otherwise. What the person has not committed comes along. Nothing of the folder is touched but, with git, the list of its work
// trees; bringing work over goes through the checkpoint store, so that it is previewed, merged and can be undone.
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, cp, lstat, mkdir, realpath, rm } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import type { RollbackFailure } from "#shared/checkpoints/checkpoint.ts";
import type { CopyOf } from "#shared/events/session.ts";
import { type CheckpointId, type PlanId, SessionId } from "#shared/lib/ids.ts";
import { err, ok, type Result } from "#shared/lib/result.ts";
import type { SessionView } from "#shared/session/view.ts";
import type { CopyFailure, FolderCopies } from "#electron/bridge/contract.ts";
import type { CheckpointStore } from "#electron/checkpoints/contract.ts";
import type { SessionActor } from "#electron/sessions/contract.ts";
import { type GitParts, safeGit } from "./safe-git.ts";

const GIT_LIMITS = { timeoutMs: 30_000, maxOutputBytes: 64_000 };
const NOBODY = SessionId.parse("copy");
const NEVER = new AbortController().signal;

export type CopiesDeps = GitParts & {
  readonly dataDir: string;
  openStore(folder: string): Promise<Result<CheckpointStore, RollbackFailure>>;
};

/** Beside the data folder, not in it: what lies in there is protected from agents. */
export function copiesFolder(dataDir: string): string {
  return join(dirname(dataDir), `${basename(dataDir)}-copies`);
}

export function createCopies(deps: CopiesDeps): FolderCopies {
  const root = copiesFolder(deps.dataDir);
  return {
    make: (folder, at) => makeCopy(deps, root, folder, at),
    plan: async (view, pick) => {
      const both = await bothStores(deps, view);
      if (!both.ok) return both;
      const { source, target, since } = both.value;
      return await target.planIncoming(source, { session: view.session, since, ...pick });
    },
    bothSides: async (view, plan, path) => {
      const target = await targetOf(deps, view);
      return target.ok ? await target.value.threeWay(plan, path) : target;
    },
    apply: (actor, plan) => bringOver(deps, actor, plan),
    undo: (actor) => takeBack(deps, actor),
    discard: ({ cwd, copyOf }) => (copyOf === undefined ? Promise.resolve() : discard(deps, root, { cwd, folder: copyOf.folder, git: copyOf.git })),
  };
}

async function makeCopy(
  deps: CopiesDeps,
  root: string,
  folder: string,
  at: CheckpointId | undefined,
): Promise<Result<{ readonly path: string; readonly copyOf: CopyOf }, CopyFailure>> {
  const place = join(root, randomUUID().slice(0, 8));
  const path = join(place, basename(folder));
  try {
    await mkdir(place, { recursive: true, mode: 0o700 });
    const git = await addWorkTree(deps, folder, path);
    await copyFiles(folder, path, git);
    if (git) await fillIndex(deps, path);
    const base = await firstPoint(deps, { path, folder, at });
    if (base.ok) return ok({ path: await realpath(path), copyOf: { folder, git, base: base.value } });
    await discard(deps, root, { cwd: path, folder, git });
    return err({ kind: "failed", message: base.error });
  } catch (error) {
    await discard(deps, root, { cwd: path, folder, git: true });
    return err({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
  }
}

/** It is what the work is compared with, so it is never collected. */
async function firstPoint(
  deps: CopiesDeps,
  { path, folder, at }: { readonly path: string; readonly folder: string; readonly at: CheckpointId | undefined },
): Promise<Result<CheckpointId, string>> {
  const store = await deps.openStore(path);
  if (!store.ok) return err(store.error.message);
  const wentBack = at === undefined ? undefined : await goBackTo(deps, { store: store.value, folder, at });
  if (wentBack !== undefined) return err(wentBack);
  const taken = await store.value.take({ kind: "person", label: "copy" }, NOBODY, NEVER);
  if (taken.kind === "failed") return err(taken.why);
  const id = taken.kind === "taken" ? taken.checkpoint.id : taken.checkpoint;
  await store.value.pin(id, true);
  return ok(id);
}

/** The copy's files as they were in the folder at that point; an answer says why not. */
async function goBackTo(
  deps: CopiesDeps,
  { store, folder, at }: { readonly store: CheckpointStore; readonly folder: string; readonly at: CheckpointId },
): Promise<string | undefined> {
  const source = await deps.openStore(folder);
  if (!source.ok) return source.error.message;
  const now = await store.take({ kind: "person", label: "copy" }, NOBODY, NEVER);
  if (now.kind === "failed") return now.why;
  const planned = await store.planIncoming(source.value, { session: NOBODY, since: [{ checkpoint: at }], reverse: true });
  if (!planned.ok) return planned.error.message;
  const done = await store.apply(planned.value.plan, NOBODY, NEVER);
  return done.ok ? undefined : done.error.message;
}

/** The work tree's own: files that are as in the last commit are no news to git. */
async function fillIndex(deps: CopiesDeps, path: string): Promise<void> {
  const git = await safeGit(deps, path);
  if (typeof git !== "string") await git.run(["reset", "-q"], GIT_LIMITS);
}

/** True when `path` is now an empty work tree of the folder's repository. Only for a repository whose own folder lies right here. */
async function addWorkTree(deps: CopiesDeps, folder: string, path: string): Promise<boolean> {
  const git = await workTreeOf(deps, folder);
  if (git === undefined) return false;
  const added = await git.bare(["worktree", "add", "--quiet", "--no-checkout", "--detach", path, "HEAD"], GIT_LIMITS);
  return added.kind !== "failed" && added.exitCode === 0;
}

async function workTreeOf(deps: CopiesDeps, folder: string) {
  const own = await lstat(join(folder, ".git")).catch(() => undefined);
  // A file there names a repository somewhere else; so does this one inside it.
  const isElsewhere = own === undefined || !own.isDirectory() || (await isThere(join(folder, ".git", "commondir")));
  if (isElsewhere) return undefined;
  const git = await safeGit(deps, folder);
  return typeof git === "string" ? undefined : git;
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Shares the blocks where the file system can. Sockets, pipes and devices stay where they are; links are copied as links. */
async function copyFiles(folder: string, path: string, git: boolean): Promise<void> {
  await cp(folder, path, {
    recursive: true,
    force: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    mode: constants.COPYFILE_FICLONE,
    async filter(from) {
      const inside = relative(folder, from);
      const stat = await lstat(from);
      if (!stat.isFile() && !stat.isDirectory() && !stat.isSymbolicLink()) return false;
      if (basename(from) !== ".git") return true;
      // The work tree has its own; one that is only a file would make git here work on the other folder's index.
      return inside === ".git" ? !git && stat.isDirectory() && !(await isThere(join(from, "commondir"))) : stat.isDirectory();
    },
  });
}

/** Removes the copy and, with git, its line in the list of work trees. Only ever below the folder of copies. Never rejects. */
async function discard(
  deps: CopiesDeps,
  root: string,
  { cwd, folder, git }: { readonly cwd: string; readonly folder: string; readonly git: boolean },
): Promise<void> {
  const real = await realpath(cwd).catch(() => undefined);
  const realRoot = await realpath(root).catch(() => undefined);
  if (real === undefined || realRoot === undefined) return;
  const inside = relative(realRoot, real).split(sep);
  if (inside.length !== 2 || inside[0] === "" || inside[0] === "..") return;
  if (git) await (await workTreeOf(deps, folder))?.bare(["worktree", "remove", "--force", real], GIT_LIMITS);
  await rm(dirname(real), { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
}

type Both = {
  readonly source: CheckpointStore;
  readonly target: CheckpointStore;
  readonly since: readonly { readonly checkpoint: CheckpointId; readonly files?: readonly string[] }[];
};

const NO_COPY: RollbackFailure = { kind: "unknown_checkpoint", paths: [], message: "This conversation does not work in a copy." };

async function targetOf(deps: CopiesDeps, { copyOf }: SessionView): Promise<Result<CheckpointStore, RollbackFailure>> {
  return copyOf === undefined ? err(NO_COPY) : await deps.openStore(copyOf.folder);
}

async function bothStores(deps: CopiesDeps, view: SessionView): Promise<Result<Both, RollbackFailure>> {
  const { copyOf, cwd, broughtOver } = view;
  if (copyOf === undefined) return err(NO_COPY);
  const source = await deps.openStore(cwd);
  if (!source.ok) return source;
  const target = await deps.openStore(copyOf.folder);
  if (!target.ok) return target;
  // Without a point there would be no way back.
  const taken = await target.value.take({ kind: "person", label: "before the copy" }, view.session, NEVER);
  if (taken.kind === "failed") return err({ kind: "io", paths: [copyOf.folder], message: taken.why });
  const since = [{ checkpoint: copyOf.base }, ...broughtOver.map(({ upTo, files }) => ({ checkpoint: upTo, files }))];
  return ok({ source: source.value, target: target.value, since });
}

type Brought = Result<{ readonly before: CheckpointId; readonly files: readonly string[] }, RollbackFailure>;

async function bringOver(deps: CopiesDeps, actor: SessionActor, plan: PlanId): Promise<Brought> {
  const target = await targetOf(deps, actor.view);
  const source = await deps.openStore(actor.view.cwd);
  if (!target.ok) return target;
  if (!source.ok) return source;
  // What the copy holds now counts as brought over; it is kept, because later work is compared with it.
  const taken = await source.value.take({ kind: "person", label: "brought over" }, actor.id, NEVER);
  if (taken.kind === "failed") return err({ kind: "io", paths: [actor.view.cwd], message: taken.why });
  const upTo = taken.kind === "taken" ? taken.checkpoint.id : taken.checkpoint;
  await source.value.pin(upTo, true);
  const done = await target.value.apply(plan, actor.id, NEVER);
  if (!done.ok) return done;
  const { before, files } = done.value;
  await actor.noteBroughtOver({ files, before: before.id, upTo });
  return ok({ before: before.id, files });
}

async function takeBack(deps: CopiesDeps, actor: SessionActor): Promise<Brought> {
  const last = actor.view.broughtOver.at(-1);
  if (last === undefined) return err({ kind: "unknown_checkpoint", paths: [], message: "Nothing was brought over, so there is nothing to take back." });
  const target = await targetOf(deps, actor.view);
  if (!target.ok) return target;
  const planned = await target.value.plan(last.before, { scope: "files", session: actor.id });
  if (!planned.ok) return planned;
  const done = await target.value.apply(planned.value.plan, actor.id, NEVER);
  if (!done.ok) return done;
  await actor.noteBroughtOver("undone");
  return ok({ before: done.value.before.id, files: done.value.files });
}
