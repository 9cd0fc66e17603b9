// All sessions of a data folder: list, create, open once, remove (S3, S4).
import { access, cp, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Block, Maker } from "#shared/chat/blocks.ts";
import { Seq, SessionId } from "#shared/lib/ids.ts";
import type { SessionEvent } from "#shared/events/durable.ts";
import type { CopyOf } from "#shared/events/session.ts";
import type { PermissionMode } from "#shared/permissions/mode.ts";
import { err, ok, type Result } from "#shared/lib/result.ts";
import type { SessionSummary } from "#shared/session/summary.ts";
import type { SessionView } from "#shared/session/view.ts";
import type { SessionActor } from "./contract.ts";
import { forkOf, type ForkPoint } from "./fork.ts";
import { logPath, type OpenDeps, openSession, type Opened } from "./open-session.ts";
import { type CardWriter, cardOf, createCardWriter, readCards } from "./session-index.ts";

export type OpenFailure = { readonly kind: "no_session" | "locked" | "failed"; readonly message: string };

export interface Sessions {
  /** Newest first, read from the disk: other processes may have added some. */
  list(): Promise<readonly SessionSummary[]>;
  /** The same with what was read last; for following changes, which only come from sessions that are open here. */
  glance(): Promise<readonly SessionSummary[]>;
  create(start: { readonly cwd: string; readonly mode: PermissionMode; readonly maker: Maker; readonly copyOf?: CopyOf | undefined }): Promise<SessionActor>;
  /** A new session that goes on from a point of another one (K8); `place`: where, if not in the same folder. */
  fork(
    from: SessionId,
    point: ForkPoint,
    place?: { readonly cwd: string; readonly copyOf?: CopyOf },
  ): Promise<
    Result<
      { readonly actor: SessionActor; readonly prompt: readonly Block[] | undefined },
      OpenFailure | { readonly kind: "no_point"; readonly message: string }
    >
  >;
  /** Of those that are open now. */
  views(): Promise<readonly SessionView[]>;
  /** The running actor, or a newly opened one. */
  open(id: SessionId): Promise<Result<SessionActor, OpenFailure>>;
  /** Ends it and moves its files to the data folder's bin, from where they can be taken back by hand. */
  remove(id: SessionId): Promise<Result<null, OpenFailure>>;
  /** Hears of every change of any open session's card. */
  followList(listener: () => void): Disposable;
  close(): Promise<void>;
}

export type DirectoryDeps = Omit<OpenDeps, "changed" | "scope" | "openTurn"> & {
  /** holds one folder per session */
  readonly root: string;
  readonly bin: string;
  scopeFor(id: SessionId): OpenDeps["scope"];
  /** The session was closed here, and nothing of it runs any more. Never rejects. */
  ended(view: SessionView, folder: string, removed: boolean): Promise<void>;
  /** the session is closed and goes: what else was its own ends, too */
  removed(id: SessionId): Promise<void>;
  openTurnFor(id: SessionId, folder: string): OpenDeps["openTurn"];
};

type Live = { readonly opened: Promise<Opened>; readonly cards: CardWriter };

export function createSessions(deps: DirectoryDeps): Sessions {
  const live = new Map<SessionId, Live>();
  const list = createList(deps.root, live);
  const start = (id: SessionId, first: readonly SessionEvent[]) => startSession(deps, { live, announce: list.announce }, { id, first });
  const open: Sessions["open"] = async (id) => {
    const opened = await (live.get(id) ?? start(id, [])).opened.catch((error: unknown) => error);
    return asResult(opened);
  };
  return {
    list: list.fresh,
    glance: list.glance,
    followList: list.follow,
    async views() {
      const opened = await Promise.all([...live.values()].map((each) => each.opened.catch(() => undefined)));
      return opened.flatMap((each) => (each?.kind === "open" ? [each.actor.view] : []));
    },
    async create({ cwd, mode, maker, copyOf }) {
      const id = SessionId.parse(deps.newId());
      const opened = await start(id, [{ v: 1, type: "session_created", session: id, title: "", cwd, mode, maker, ...(copyOf === undefined ? {} : { copyOf }) }])
        .opened;
      if (opened.kind === "open") return opened.actor;
      throw new Error("a new session was locked");
    },
    async fork(from, point, place) {
      const opened = await open(from);
      if (!opened.ok) return opened;
      const session = SessionId.parse(deps.newId());
      const fork = forkOf(await opened.value.eventsFrom(FIRST), { session, point, place });
      if (fork === undefined) return err({ kind: "no_point", message: "This conversation has no such point." });
      await copyKept(join(deps.root, from), join(deps.root, session));
      const started = await start(session, fork.events).opened;
      if (started.kind !== "open") throw new Error("a new session was locked");
      return ok({ actor: started.actor, prompt: fork.prompt });
    },
    async open(id) {
      if (!live.has(id) && !(await exists(logPath(join(deps.root, id))))) return err({ kind: "no_session", message: `There is no session ${id}.` });
      return open(id);
    },
    async remove(id) {
      const opened = await open(id);
      if (!opened.ok) return opened;
      await opened.value.close();
      await deps.ended(opened.value.view, join(deps.root, id), true);
      await deps.removed(id);
      await live.get(id)?.cards.flush();
      live.delete(id);
      await rm(join(deps.bin, id), { recursive: true, force: true });
      await moveToBin(deps, id);
      list.forget();
      return ok(null);
    },
    async close() {
      await Promise.all([...live.values()].map((each) => closeOne(deps, each)));
      live.clear();
    },
  };
}

const FIRST = Seq.parse(0);
/** What the history speaks of and what the model has read; plans and long results stay with the one that made them. */
const KEPT_WITH_FORK = ["blobs", "read-state.json"];

async function copyKept(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of KEPT_WITH_FORK) {
    if (await exists(join(from, name))) await cp(join(from, name), join(to, name), { recursive: true });
  }
}

type Around = { readonly live: Map<SessionId, Live>; readonly announce: () => void };
type Start = { readonly id: SessionId; readonly first: readonly SessionEvent[] };

/** Opens the session and keeps it among the living until it cannot be opened. */
function startSession(deps: DirectoryDeps, { live, announce }: Around, { id, first }: Start): Live {
  const folder = join(deps.root, id);
  const cards = createCardWriter(folder, deps.clock);
  const changed: OpenDeps["changed"] = (view) => {
    cards.note(cardOf(view, false));
    announce();
  };
  const opened = openSession(id, folder, { ...deps, scope: deps.scopeFor(id), openTurn: deps.openTurnFor(id, folder), changed }, first);
  const mine = { opened, cards };
  live.set(id, mine);
  opened.then(
    (result) => (result.kind === "open" ? changed(result.actor.view) : live.delete(id)),
    () => live.delete(id),
  );
  return mine;
}

/** What was read from the disk, kept until it must be read again, with the living sessions over it. */
function createList(root: string, live: ReadonlyMap<SessionId, Live>) {
  const listeners = new Set<() => void>();
  let stored: Promise<readonly SessionSummary[]> | undefined;
  const announce = () => {
    for (const listener of listeners) listener();
  };
  const glance = async () => {
    stored ??= readCards(root);
    return mergeCards(await stored, await liveCards(live));
  };
  return {
    announce,
    glance,
    fresh() {
      stored = undefined;
      return glance();
    },
    forget() {
      stored = undefined;
      announce();
    },
    follow(listener: () => void): Disposable {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  };
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function closeOne(deps: DirectoryDeps, { opened, cards }: Live): Promise<void> {
  const result = await opened.catch(() => undefined);
  if (result?.kind === "open") {
    await result.actor.close();
    await deps.ended(result.actor.view, join(deps.root, result.actor.id), false);
  }
  await cards.flush();
}

function asResult(opened: unknown): Result<SessionActor, OpenFailure> {
  if (isOpened(opened)) {
    if (opened.kind === "open") return ok(opened.actor);
    return err({ kind: "locked", message: `This session is open in another Cairn (process ${opened.pid}). Close it there, or use that window.` });
  }
  return err({ kind: "failed", message: opened instanceof Error ? opened.message : "The session could not be opened." });
}

function isOpened(value: unknown): value is Opened {
  return typeof value === "object" && value !== null && "kind" in value && (value.kind === "open" || value.kind === "locked");
}

async function moveToBin(deps: DirectoryDeps, id: SessionId): Promise<void> {
  await mkdir(deps.bin, { recursive: true });
  await rename(join(deps.root, id), join(deps.bin, id));
}

async function liveCards(live: ReadonlyMap<SessionId, Live>): Promise<readonly SessionSummary[]> {
  const opened = await Promise.all([...live.values()].map((each) => each.opened.catch(() => undefined)));
  return opened.flatMap((each) => (each?.kind === "open" ? [cardOf(each.actor.view, each.damage.badLines > 0 || each.damage.tornBytes > 0)] : []));
}

function mergeCards(stored: readonly SessionSummary[], running: readonly SessionSummary[]): readonly SessionSummary[] {
  const ids = new Set(running.map((card) => card.id));
  return [...running, ...stored.filter((card) => !ids.has(card.id))].sort((a, b) => b.updatedAt - a.updatedAt);
}
