// Knows which paths may have changed since the last look, so that it need not walk (K3). Each folder is watched before it is
// listed, so nothing falls between. It is only believed where the system tells at once (inotify), and it is checked: a walk now
// and then must find nothing that was not told, or it is not believed any more.
import { setImmediate } from "node:timers/promises";
import { isOwnTemporary, isVersionControl } from "./coverage.ts";
import { ancestorsOf, isBelow, join, nameOf } from "./paths.ts";

/** Watches one folder, not what is below it; `name` null: something in it. Throws when the system has no more to give. */
export type WatchFolder = (absolute: string, onChange: (name: string | null) => void, onLost: () => void) => { close(): void };

export type ToLookAt = { readonly kind: "all" } | { readonly kind: "only"; readonly paths: readonly string[] };

export interface Watching {
  /** What must be looked at now; what is told from here on belongs to the next look. `everything`: also what was not told. */
  collect(everything: boolean): Promise<ToLookAt>;
  /** Called by the walk for each folder, before its names are read. */
  enter(folder: string): void;
  /** Not looked into after all. */
  leave(folder: string): void;
  /** A look at everything is over: these paths had changed. */
  walked(changed: readonly string[]): Promise<void>;
  /** A look failed half way: the next one must be at everything. */
  failed(): void;
  /** why it is not used, for the person; undefined while it is */
  readonly off: string | undefined;
  close(): void;
}

/** More than this told at once may mean that the system dropped some. */
const MOST_TOLD = 4000;
/** The system's watches are shared with editors and others. */
const MOST_FOLDERS = 30_000;
/** Where these come or go, what is covered may change elsewhere. */
const DECIDING_NAMES = new Set([".gitignore", "CACHEDIR.TAG", "pyvenv.cfg", "HEAD", ".git"]);

export function createWatching(deps: { readonly root: string; readonly watch: WatchFolder | undefined }): Watching {
  const { root } = deps;
  let off = deps.watch === undefined ? "this system does not tell in time" : undefined;
  let told = new Set<string>();
  /** told before the walk that is going on */
  let earlier: ReadonlySet<string> | undefined;
  /** every folder is watched, and nothing was missed since */
  let isComplete = false;
  /** something was told that a look at single paths cannot answer */
  let isSpoiled = false;

  const tell = (folder: string, name: string | null) => {
    if (name !== null && (isOwnTemporary(name) || (isVersionControl(name) && name !== ".git"))) return;
    // the workspace folder's own news come under its own name
    const isAboutRoot = folder === "" && name === nameOf(root);
    if (isAboutRoot || (name !== null && DECIDING_NAMES.has(name)) || told.size >= MOST_TOLD) isSpoiled = true;
    else told.add(name === null || name.includes("\uFFFD") ? folder : join(folder, name));
  };
  const stop = (why: string) => {
    off ??= why;
    isComplete = false;
    folders.clear();
  };
  const folders = createWatchedFolders({ ...deps, tell, stop });

  return {
    get off() {
      return off;
    },
    async collect(everything) {
      if (off !== undefined) return { kind: "all" };
      // what was told by now is read by the thread before its next turn
      await setImmediate();
      await setImmediate();
      const before = told;
      const wasComplete = isComplete && !isSpoiled && !before.has("");
      told = new Set();
      isSpoiled = false;
      earlier = wasComplete ? before : undefined;
      if (!wasComplete) {
        isComplete = false;
        folders.clear();
        return { kind: "all" };
      }
      folders.renew(before);
      return everything ? { kind: "all" } : { kind: "only", paths: outermost(before) };
    },
    enter(folder) {
      if (off === undefined) folders.enter(folder);
    },
    leave: (folder) => folders.leave(folder),
    async walked(changed) {
      if (off !== undefined) return;
      await setImmediate();
      const before = earlier;
      const isTold = (path: string) => [path, ...ancestorsOf(path)].some((one) => before?.has(one) === true || told.has(one));
      if (before !== undefined && !isSpoiled && changed.some((path) => !isTold(path))) return stop("changes were not told");
      earlier = undefined;
      isComplete = true;
    },
    failed: () => {
      isComplete = false;
    },
    close: () => stop("closed"),
  };
}

/** Without those below another one, which is walked with it. */
function outermost(paths: ReadonlySet<string>): readonly string[] {
  return [...paths].filter((path) => !ancestorsOf(path).some((one) => paths.has(one)));
}

type FolderDeps = {
  readonly root: string;
  readonly watch: WatchFolder | undefined;
  readonly tell: (folder: string, name: string | null) => void;
  readonly stop: (why: string) => void;
};

function createWatchedFolders({ root, watch, tell, stop }: FolderDeps) {
  const folders = new Map<string, { close(): void }>();
  const leave = (folder: string) => {
    folders.get(folder)?.close();
    folders.delete(folder);
  };
  return {
    leave,
    enter(folder: string) {
      if (watch === undefined || folders.has(folder)) return;
      if (folders.size >= MOST_FOLDERS) return stop("it has too many folders");
      const onLost = () => stop("the system stopped telling");
      try {
        folders.set(
          folder,
          watch(folder === "" ? root : join(root, folder), (name) => tell(folder, name), onLost),
        );
      } catch {
        stop("the system cannot watch so many folders");
      }
    },
    /** A folder that came anew under an old name is another one, even where its number is the same. */
    renew(paths: ReadonlySet<string>) {
      for (const path of paths) {
        if (!folders.has(path)) continue;
        const gone = [...folders.keys()].filter((folder) => folder === path || isBelow(folder, path));
        gone.forEach(leave);
      }
    },
    clear() {
      for (const one of folders.values()) one.close();
      folders.clear();
    },
  };
}
