// The sessions, permissions and questions domains: every verb finds its session's actor and passes the question on.
import { ok, err } from "#shared/lib/result.ts";
import type { contract } from "#shared/ipc/contract.ts";
import type { HandlersOf } from "#shared/ipc/define.ts";
import type { Seq, SessionId } from "#shared/lib/ids.ts";
import type { SessionView } from "#shared/session/view.ts";
import type { Clock } from "#electron/lib/clock.ts";
import type { SessionActor, SessionNews } from "#electron/sessions/contract.ts";
import type { BridgeDeps } from "./contract.ts";
import { createCoalescer } from "./coalesce.ts";
import { checkFolder } from "./folder.ts";
import { libraryHandlers } from "./library-handlers.ts";

type SessionHandlers = HandlersOf<typeof contract>["sessions"];
const LIST_TICK_MS = 150;

export function sessionHandlers(deps: BridgeDeps, clock: Clock): SessionHandlers {
  const { sessions } = deps;
  const list = async () => (await sessions.list()).map((card) => ({ ...card }));
  return {
    list: async () => ok(await list()),
    followList(_key, send, signal) {
      let timer: Disposable | undefined;
      const tell = () => {
        timer = undefined;
        void sessions.glance().then((cards) => (signal.aborted ? undefined : send(cards.map((card) => ({ ...card })))));
      };
      const following = sessions.followList(() => {
        timer ??= clock.schedule(LIST_TICK_MS, tell);
      });
      signal.addEventListener("abort", () => (timer?.[Symbol.dispose](), following[Symbol.dispose]()), { once: true });
      tell();
    },
    async create({ cwd, isolated = false }) {
      const folder = await checkFolder(cwd, deps.facts.home);
      if (!folder.ok) return folder;
      const copy = isolated ? await deps.copies.make(folder.value.path) : undefined;
      if (copy?.ok === false) return err({ kind: "copy_failed", path: copy.error.message });
      const settings = deps.settings.current();
      const place = copy === undefined ? { cwd: folder.value.path } : { cwd: copy.value.path, copyOf: copy.value.copyOf };
      const actor = await sessions.create({ ...place, mode: settings.mode, maker: { ...deps.defaultMaker() } });
      const recentFolders = [folder.value.path, ...settings.recentFolders.filter((path) => path !== folder.value.path)].slice(0, 20);
      await deps.settings.set({ recentFolders }).catch(() => settings); // only a convenience: a full disk must not stop the session
      return ok({ session: actor.id });
    },
    fork: (order) => fork(deps, order),
    async prompt({ session, blocks }) {
      const opened = await sessions.open(session);
      if (!opened.ok) return err({ kind: "no_session", message: opened.error.message });
      const adopted = await deps.attachments.adopt(blocks, deps.sessionFolder(session));
      if (!adopted.ok) return err({ kind: "picture_gone", message: adopted.error.message });
      return opened.value.prompt(blocks).then((result) => (result.ok ? ok({ turn: result.value.turn ?? null, queued: result.value.queued }) : result));
    },
    async resend({ session, entry, blocks }) {
      const opened = await sessions.open(session);
      return opened.ok ? opened.value.resend(entry, blocks) : err({ kind: "no_session", message: opened.error.message });
    },
    ...changeHandlers(deps),
    ...libraryHandlers(deps),
    async remove({ session }) {
      const removed = await sessions.remove(session);
      return removed.ok ? removed : err({ kind: removed.error.kind === "no_session" ? "no_session" : "failed", message: removed.error.message });
    },
    async moveFolder({ session, cwd }) {
      const opened = await sessions.open(session);
      if (!opened.ok) return err({ kind: "no_session", message: opened.error.message });
      const folder = await checkFolder(cwd, deps.facts.home);
      if (!folder.ok) return err({ kind: "folder_gone", message: folder.error.kind });
      const moved = await opened.value.moveFolder(folder.value.path);
      return moved.ok ? moved : err({ kind: "folder_gone", message: cwd });
    },
    follow({ session, from }, send, signal) {
      void follow(deps, clock, { session, from, send, signal });
    },
  };
}

type ForkOrder = Parameters<SessionHandlers["fork"]>[0];

async function fork(deps: BridgeDeps, { session, point, isolated }: ForkOrder): ReturnType<SessionHandlers["fork"]> {
  const parent = await deps.sessions.open(session);
  if (!parent.ok) return err({ kind: "no_session", message: parent.error.message });
  const place = isolated ? await ownPlace(deps, parent.value.view, point) : undefined;
  if (place?.ok === false) return err({ kind: "failed", message: place.error.message });
  const forked = await deps.sessions.fork(session, point, place?.value);
  if (forked.ok) return ok({ session: forked.value.actor.id, prompt: forked.value.prompt === undefined ? null : [...forked.value.prompt] });
  if (place !== undefined) await deps.copies.discard(place.value);
  return err({ kind: forked.error.kind === "no_point" ? "no_point" : "failed", message: forked.error.message });
}

async function ownPlace({ copies }: BridgeDeps, { cwd, copyOf }: SessionView, point: ForkOrder["point"]) {
  const copy = await copies.make(cwd, point.kind === "checkpoint" ? point.id : undefined);
  if (!copy.ok) return copy;
  // A copy of a copy brings its work over into the folder that both come from.
  return ok({ cwd: copy.value.path, copyOf: { ...copy.value.copyOf, folder: copyOf?.folder ?? copy.value.copyOf.folder } });
}

type ChangeVerbs = "retryNow" | "stop" | "editQueue" | "tellOutcome" | "setMode" | "setModel" | "rename" | "file";

/** What the person does to a session that is there. */
function changeHandlers(deps: BridgeDeps): Pick<SessionHandlers, ChangeVerbs> {
  return {
    retryNow: ({ session }) => withActor(deps, session, async (actor) => actor.retryNow()),
    stop: ({ session }) => withActor(deps, session, (actor) => actor.stop()),
    editQueue: ({ session, kind, id }) => withActor(deps, session, (actor) => actor.editQueue({ kind, id })),
    async tellOutcome({ session, call, happened }) {
      const opened = await deps.sessions.open(session);
      if (!opened.ok) return err({ kind: "no_session", message: opened.error.message });
      const taken = await opened.value.tellOutcome(call, happened);
      return taken ? ok(null) : err({ kind: "not_asked", message: "The conversation has gone on, so this is no longer asked." });
    },
    setMode: ({ session, mode }) => withActor(deps, session, (actor) => actor.setMode(mode)),
    setModel: ({ session, maker }) => withActor(deps, session, (actor) => actor.setModel(maker)),
    rename: ({ session, title }) => withActor(deps, session, (actor) => actor.rename(title)),
    file: ({ session, ...change }) => withActor(deps, session, (actor) => actor.file(change)),
  };
}

type Follow = { readonly session: SessionId; readonly from: Seq; readonly send: Parameters<SessionHandlers["follow"]>[1]; readonly signal: AbortSignal };

// Listening begins before the stored events are read, so that nothing falls between; what comes twice is dropped by its number.
async function follow(deps: BridgeDeps, clock: Clock, { session, from, send, signal }: Follow): Promise<void> {
  const opened = await deps.sessions.open(session);
  if (!opened.ok) return send([{ kind: "unavailable", message: opened.error.message }]);
  if (signal.aborted) return;
  const coalescer = createCoalescer<SessionNews>(clock, send);
  let early: SessionNews[] | undefined = [];
  let last: number = from;
  const pass = (news: SessionNews) => {
    if (news.kind === "stored") {
      if (news.stored.seq <= last) return;
      last = news.stored.seq;
    }
    coalescer.push(news);
  };
  const listening = opened.value.follow((news) => (early === undefined ? pass(news) : void early.push(news)));
  signal.addEventListener("abort", () => (listening[Symbol.dispose](), coalescer[Symbol.dispose]()), { once: true });
  const stored = await opened.value.eventsFrom(from);
  if (stored.length > 0) send(stored.map((each) => ({ kind: "stored", stored: each })));
  last = Math.max(last, stored.at(-1)?.seq ?? 0);
  const waiting = early;
  early = undefined;
  for (const news of waiting) pass(news);
}

async function withActor(deps: BridgeDeps, session: SessionId, act: (actor: SessionActor) => Promise<void>) {
  const opened = await deps.sessions.open(session);
  if (!opened.ok) return err({ kind: "no_session" as const, message: opened.error.message });
  return act(opened.value).then(
    () => ok(null),
    (error: unknown) => err({ kind: "failed" as const, message: error instanceof Error ? error.message : String(error) }),
  );
}

export function permissionHandlers({ sessions, rules }: BridgeDeps): HandlersOf<typeof contract>["permissions"] {
  return {
    followRules(_key, send, signal) {
      // Lists are made one after another, so that an older one never overwrites a newer one.
      let making: Promise<void> = Promise.resolve();
      const tell = () => {
        making = making.then(async () => {
          const list = signal.aborted ? [] : await rules.list();
          if (!signal.aborted) send([...list]);
        });
      };
      const following = rules.follow(tell);
      signal.addEventListener("abort", () => following[Symbol.dispose](), { once: true });
      tell();
    },
    revokeRule: ({ id }) => rules.revoke(id),
    addRule: (rule) => rules.add(rule),
    async answer({ session, question, answer }) {
      const opened = await sessions.open(session);
      if (!opened.ok) return err({ kind: "no_session", message: opened.error.message });
      const answered = await opened.value.answer(question, answer);
      return answered.ok ? answered : err({ kind: "unknown_question", message: "This question is no longer open." });
    },
  };
}

export function questionHandlers({ sessions }: BridgeDeps): HandlersOf<typeof contract>["questions"] {
  return {
    async answer({ session, question, answer }) {
      const opened = await sessions.open(session);
      if (!opened.ok) return err({ kind: "no_session", message: opened.error.message });
      const answered = await opened.value.answerPerson(question, answer);
      if (answered.ok) return answered;
      const { kind } = answered.error;
      return err({ kind, message: kind === "unfit" ? "This is no answer to the question that is open." : "This question is no longer open." });
    },
  };
}
