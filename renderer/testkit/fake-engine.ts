// An engine in memory behind the real wire: enough to try every screen of the window without a main process.
import type { PlannedFile, RollbackScope } from "#shared/checkpoints/checkpoint.ts";
import { createClient } from "#shared/ipc/client.ts";
import { contract } from "#shared/ipc/contract.ts";
import type { BackgroundWork } from "#shared/shells/background-work.ts";
import type { WindowCommand } from "#shared/commands/window-command.ts";
import type { SearchGroup } from "#shared/session/search.ts";
import { plainText } from "#shared/chat/blocks.ts";
import type { SessionSummary } from "#shared/session/summary.ts";
import type { HandlersOf } from "#shared/ipc/define.ts";
import { serve } from "#shared/ipc/server.ts";
import { Request } from "#shared/ipc/envelope.ts";
import type { Transport } from "#shared/ipc/transport.ts";
import { fuzzyScore } from "#shared/lib/fuzzy.ts";
import { CheckpointId, EntryId, PlanId, SessionId, TurnId } from "#shared/lib/ids.ts";
import { err, ok } from "#shared/lib/result.ts";
import type { Notice } from "#shared/loop/turn-end.ts";
import { parseRule } from "#shared/permissions/rule.ts";
import { type RuleInForce, RuleKind } from "#shared/permissions/rules-in-force.ts";
import { fitsQuestion, isPermission } from "#shared/questions/question.ts";
import type { ProjectHooksState } from "#shared/settings/project-hooks.ts";
import { Settings, SettingsPatch } from "#shared/settings/settings.ts";
import type { Client } from "#renderer/bridge/client.ts";
import { createFakeLog, type FakeLog } from "./log.ts";
import { memoryPair } from "./memory-pair.ts";

export type FakeEngine = {
  readonly client: Client;
  readonly addSession: (id: string, cwd: string) => FakeLog;
  readonly calls: { readonly verb: string; readonly input: unknown }[];
  readonly fail: Map<string, unknown>;
  /** what each folder is found to bring along from now on */
  readonly sendWork: (work: readonly BackgroundWork[]) => void;
  readonly sendCommand: (command: WindowCommand) => void;
  readonly setHooks: (state: ProjectHooksState) => void;
  readonly setSettings: (patch: Partial<Settings>) => void;
  readonly close: () => void;
};

type FakeOptions = {
  /** remembered answers and rules of folders; those of the settings come from there */
  readonly rules?: readonly RuleInForce[];
  readonly problems?: readonly Notice[];
  readonly settings?: Partial<Settings>;
  readonly keyStore?: "secure" | "memory_only";
  readonly systemLanguage?: string;
  readonly planned?: readonly PlannedFile[];
  /** of the one folder's points */
  readonly damage?: { readonly damaged: number; readonly damagedPaths: string[]; readonly lostPoints: number };
};

export function createFakeEngine(options: FakeOptions = {}): FakeEngine {
  const state = { settings: Settings.parse(options.settings ?? {}), nextId: 0 };
  const logs = new Map<SessionId, FakeLog>();
  const listFollowers = new Set<(items: SessionSummary[]) => void>();
  const workFollowers = new Set<(work: BackgroundWork[]) => void>();
  const commandFollowers = new Set<(command: WindowCommand) => void>();
  const settingsFollowers = new Set<(settings: Settings) => void>();
  const calls: { verb: string; input: unknown }[] = [];
  const fail = new Map<string, unknown>();

  const hooks = fakeHooks();

  const summaries = (): SessionSummary[] => [...logs.values()].map((log) => summaryOf(log));
  const tellList = (): void => {
    if (listFollowers.size === 0) return;
    const items = summaries();
    listFollowers.forEach((send) => send(items));
  };
  const addSession = (id: string, cwd: string): FakeLog => {
    const session = SessionId.parse(id);
    const log = createFakeLog(session, tellList);
    logs.set(session, log);
    log.append({
      v: 1,
      type: "session_created",
      session,
      title: "",
      cwd,
      mode: state.settings.mode,
      maker: { provider: state.settings.provider, model: state.settings.model || "demo" },
    });
    return log;
  };
  const setSettings = (patch: Partial<Settings>): void => {
    state.settings = { ...state.settings, ...patch };
    settingsFollowers.forEach((send) => send(state.settings));
  };

  const handlers: HandlersOf<typeof contract> = {
    app: appHandlers(options, commandFollowers),
    settings: {
      get: async () => ok(state.settings),
      set: async ({ patch }) => {
        setSettings(SettingsPatch.parse(patch));
        return ok(state.settings);
      },
      follow: (_key, send, signal) => followWith(settingsFollowers, send, signal),
    },
    keys: {
      list: async () => ok([]),
      set: async () => ok({ kept: options.keyStore ?? "secure" }),
      remove: async () => ok(null),
      test: async ({ key }) =>
        key === "bad" ? err({ kind: "auth" as const, message: "401: invalid x-api-key" }) : ok({ models: ["model-large", "model-small"] }),
    },
    sessions: {
      list: async () => ok(summaries()),
      followList: (_key, send, signal) => {
        send(summaries());
        followWith(listFollowers, send, signal);
      },
      create: async ({ cwd }) => ok({ session: addSession(`made-${++state.nextId}`, cwd).id }),
      spending: async () =>
        ok({
          usd: 0.42,
          tokens: 12_345,
          cacheShare: 0.8,
          today: { usd: 1.5, tokens: 50_000 },
          window: 200_000,
          limits: { sessionUsd: 5, dayUsd: 0 },
          pricesAsOf: "2026-11-30",
        }),
      fork: async ({ session }) =>
        ok({ session: addSession(`fork-of-${session}`, logs.get(session)?.view().cwd ?? "").id, prompt: [{ type: "text", text: "again" }] }),
      ...sessionHandlers(logs, state),
    },
    permissions: {
      ...ruleHandlers(state, options.rules ?? [], (rules) => setSettings({ rules })),
      answer: async ({ session, question, answer }) => {
        const log = logs.get(session);
        const asked = log?.view().pending.find((other) => other.id === question);
        if (log === undefined || asked === undefined) return err({ kind: "unknown_question" as const, message: "not open" });
        log.append({ v: 1, type: "permission_answered", turn: log.view().turn?.id ?? TurnId.parse("t"), question, call: asked.call, answer });
        return ok(null);
      },
    },
    questions: {
      answer: async ({ session, question, answer }) => {
        const log = logs.get(session);
        const asked = log?.view().pending.find((other) => other.id === question);
        if (log === undefined || asked === undefined || isPermission(asked)) return err({ kind: "unknown_question" as const, message: "not open" });
        if (!fitsQuestion(asked, answer)) return err({ kind: "unfit" as const, message: "no answer to this" });
        log.append({ v: 1, type: "person_answered", turn: log.view().turn?.id ?? TurnId.parse("t"), question, call: asked.call, answer });
        return ok(null);
      },
    },
    hooks: hooks.handlers,
    attachments: {
      put: async ({ bytes, mediaType, name }) =>
        ok({
          kind: mediaType.startsWith("image/") ? ("picture" as const) : ("text" as const),
          ref: String(bytes.length).padStart(64, "0"),
          mediaType,
          name,
          bytes: bytes.length,
        }),
      get: async () => ok({ base64: btoa("long words") }),
      ofSession: async () => ok({ base64: null }),
      touch: async () => ok(null),
    },
    files: {
      find: async ({ query }) => ok({ paths: ["src/app.ts", "src/dates.ts", "README.md"].filter((path) => fuzzyScore(path, query) !== undefined), total: 3 }),
      picture: async ({ path }) => ok({ base64: path.endsWith("plot.png") ? "AAAA" : null }),
    },
    copies: {
      plan: async ({ session }) =>
        ok({
          plan: PlanId.parse(`bring-${session}`),
          target: CheckpointId.parse("c1"),
          scope: "files" as const,
          files: [...(options.planned ?? PLANNED)],
          irreversible: [],
        }),
      threeWay: async () => ok({ now: "mine", target: "theirs", binary: false }),
      apply: async () => ok({ before: CheckpointId.parse("b1"), files: ["src/dates.ts"] }),
      undo: async () => ok({ files: ["src/dates.ts"] }),
    },
    shells: {
      follow: (_key, send, signal) => followWith(workFollowers, send, signal),
      moveToBackground: async () => ok(null),
      stop: async () => ok(null),
    },
    checkpoints: checkpointHandlers(logs, options),
  };
  const [page, main] = memoryPair();
  const served = serve(contract, handlers, recording(main, { calls, fail }), { newAbort: () => new AbortController(), report: () => undefined });
  return {
    client: createClient(contract, page),
    addSession,
    calls,
    fail,
    sendWork: (work) => workFollowers.forEach((send) => send([...work])),
    sendCommand: (command) => commandFollowers.forEach((send) => send(command)),
    setHooks: hooks.set,
    setSettings,
    close: () => served[Symbol.dispose](),
  };
}

function followWith<T>(followers: Set<(item: T) => void>, send: (item: T) => void, signal: AbortSignal): void {
  followers.add(send);
  signal.addEventListener("abort", () => followers.delete(send));
}

function summaryOf(log: FakeLog): SessionSummary {
  const { title, cwd, updatedAt, attention, filed } = log.view();
  const { pinned, archived } = filed;
  return { id: log.id, title, cwd, updatedAt, ...(pinned ? { pinned } : {}), ...(archived ? { archived } : {}), attention, damaged: false };
}

function appHandlers(options: FakeOptions, commands: Set<(command: WindowCommand) => void>): HandlersOf<typeof contract>["app"] {
  return {
    facts: async () =>
      ok({
        platform: "linux",
        version: "0.1.0",
        electron: "45.3.4",
        systemLanguage: options.systemLanguage ?? "en",
        keyStore: options.keyStore ?? "secure",
        home: "/home/me",
        dataFolder: "/home/me/.config/Cairn",
        problems: [...(options.problems ?? [])],
      }),
    pickFolder: async () => ok({ path: "/home/me/Harbour Guesthouse" }),
    checkFolder: async ({ path }) =>
      path.includes("gone") ? err({ kind: "missing" as const, path }) : ok({ path, name: path.split("/").at(-1) ?? path, empty: false, git: false }),
    makeSample: async () => ok({ path: "/home/me/Cairn sample" }),
    openExternal: async ({ url }) => (url.startsWith("http") ? ok(null) : err({ kind: "refused" as const, message: url })),
    showFile: async () => ok(null),
    keepWindowData: async () => ok(null),
    followCommands: (_key, send, signal) => followWith(commands, send, signal),
  };
}

function fakeHooks(): { readonly set: FakeEngine["setHooks"]; readonly handlers: HandlersOf<typeof contract>["hooks"] } {
  const states = new Map<string, ProjectHooksState>();
  const followers = new Set<() => void>();
  const set = (state: ProjectHooksState): void => {
    states.set(state.folder, state);
    followers.forEach((tell) => tell());
  };
  const decide = (folder: string, decision: ProjectHooksState["decision"]): ProjectHooksState => {
    const state = { ...(states.get(folder) ?? { folder, hash: "", hooks: [], problems: [] }), decision };
    set(state);
    return state;
  };
  return {
    set,
    handlers: {
      follow: ({ folder }, send, signal) => {
        const tell = (): void => send(states.get(folder) ?? { folder, decision: "none", hash: "", hooks: [], problems: [] });
        followers.add(tell);
        signal.addEventListener("abort", () => followers.delete(tell));
        tell();
      },
      decide: async ({ folder, hash, trusted }) =>
        states.get(folder)?.hash === hash
          ? ok(decide(folder, trusted ? "trusted" : "declined"))
          : err({ kind: "changed" as const, message: "They have changed." }),
      decisions: async () =>
        ok(
          [...states.values()].flatMap(({ folder, hash, decision }) =>
            decision === "trusted" || decision === "declined" ? [{ folder, hash, trusted: decision === "trusted", at: 1_760_000_000_000 }] : [],
          ),
        ),
      forget: async ({ folder }) => {
        decide(folder, "open");
        return ok(null);
      },
    },
  };
}

type PermissionHandlers = Omit<HandlersOf<typeof contract>["permissions"], "answer">;

function ruleHandlers(
  state: { readonly settings: Settings },
  others: readonly RuleInForce[],
  setRules: (rules: Settings["rules"]) => void,
): PermissionHandlers {
  const followers = new Set<(rules: RuleInForce[]) => void>();
  let kept = others;
  const list = (): RuleInForce[] => [
    ...kept,
    ...RuleKind.options.flatMap((kind) =>
      state.settings.rules[kind].map((rule): RuleInForce => ({ id: `${kind} ${rule}`, rule, kind, from: "settings", scope: "everywhere" })),
    ),
  ];
  const tell = (): void => followers.forEach((send) => send(list()));
  return {
    followRules: (_key, send, signal) => {
      send(list());
      followWith(followers, send, signal);
    },
    revokeRule: async ({ id }) => {
      kept = kept.filter((entry) => entry.id !== id);
      const { allow, ask, deny } = state.settings.rules;
      const without = (kind: RuleKind, rules: string[]) => rules.filter((rule) => `${kind} ${rule}` !== id);
      setRules({ allow: without("allow", allow), ask: without("ask", ask), deny: without("deny", deny) });
      tell();
      return ok(null);
    },
    addRule: async ({ rule, kind }) => {
      if (parseRule(rule) === undefined) return err({ kind: "not_a_rule" as const, message: "It is not a rule." });
      setRules({ ...state.settings.rules, [kind]: [...state.settings.rules[kind], rule] });
      tell();
      return ok(null);
    },
  };
}

type SessionHandlers = Omit<HandlersOf<typeof contract>["sessions"], "list" | "followList" | "create" | "fork" | "spending">;

function sessionHandlers(logs: ReadonlyMap<SessionId, FakeLog>, ids: { nextId: number }): SessionHandlers {
  const withLog = async (session: SessionId, act: (log: FakeLog) => void) => {
    const log = logs.get(session);
    if (log === undefined) return err({ kind: "no_session" as const, message: "no such session" });
    act(log);
    return ok(null);
  };
  return {
    prompt: async ({ session, blocks }) => {
      const log = logs.get(session);
      if (log === undefined) return err({ kind: "no_session" as const, message: "no such session" });
      if (log.view().turn !== undefined) {
        log.append({ v: 1, type: "prompt_queued", id: `q${++ids.nextId}`, blocks });
        return ok({ turn: null, queued: true });
      }
      const turn = TurnId.parse(`turn-${++ids.nextId}`);
      log.append({ v: 1, type: "prompt_submitted", entry: EntryId.parse(`p-${ids.nextId}`), turn, blocks });
      return ok({ turn, queued: false });
    },
    resend: async ({ session, entry, blocks }) => {
      const log = logs.get(session);
      const prompt = log?.view().entries[entry];
      if (log === undefined || prompt?.kind !== "prompt") return err({ kind: "unknown_prompt" as const, message: "no such prompt" });
      log.append({ v: 1, type: "conversation_moved", to: prompt.parent, why: blocks === undefined ? "again" : "edited" });
      const turn = TurnId.parse(`turn-${++ids.nextId}`);
      log.append({ v: 1, type: "prompt_submitted", entry: EntryId.parse(`p-${ids.nextId}`), turn, blocks: blocks ?? [...prompt.blocks] });
      return ok({ turn });
    },
    retryNow: async () => ok(null),
    stop: async ({ session }) =>
      await withLog(session, (log) => {
        const turn = log.view().turn?.id;
        if (turn !== undefined)
          log.append({
            v: 1,
            type: "turn_complete",
            turn,
            end: { why: "aborted", abortedBy: "person", steps: 1, requests: 1, lostSteps: 0 },
            ms: 4_000,
            waitedForPerson: false,
          });
      }),
    editQueue: async ({ session, id, kind }) =>
      await withLog(session, (log) => log.append({ v: 1, type: "prompt_unqueued", id, why: kind === "delete" ? "deleted" : "sent" })),
    tellOutcome: async ({ session, call, happened }) =>
      await withLog(session, (log) => {
        const turn = log.view().calls[call]?.turn;
        if (turn !== undefined) log.append({ v: 1, type: "outcome_told", turn, call, happened });
      }),
    setMode: async ({ session, mode }) => await withLog(session, (log) => log.append({ v: 1, type: "mode_changed", mode })),
    setModel: async ({ session, maker }) => await withLog(session, (log) => log.append({ v: 1, type: "model_changed", maker })),
    rename: async ({ session, title }) => await withLog(session, (log) => log.append({ v: 1, type: "session_renamed", title, byPerson: true })),
    file: async ({ session, ...change }) => await withLog(session, (log) => log.append({ v: 1, type: "session_filed", ...change })),
    losses: async () => ok({ points: 3, named: 1, working: false }),
    exportTo: async ({ format }) => ok({ path: `/home/me/saved.${format}` }),
    search: async ({ query }, progress) => {
      for (const log of logs.values()) for (const group of placesIn(log, query)) progress(group);
      return ok({ more: false });
    },
    remove: async ({ session }) => await withLog(session, () => undefined),
    moveFolder: async ({ session, cwd }) => await withLog(session, (log) => log.append({ v: 1, type: "folder_moved", cwd })),
    follow: ({ session, from }, send, signal) => {
      const log = logs.get(session);
      if (log === undefined) return send([{ kind: "unavailable", message: "no such session" }]);
      const stop = log.follow(from, send);
      signal.addEventListener("abort", stop);
    },
  };
}

/** As the engine finds them, for prompts and replies. */
function placesIn(log: FakeLog, query: string): SearchGroup[] {
  const hits = log.stored().flatMap(({ seq, at, event }): SearchGroup["hits"] => {
    const words = event.type === "prompt_submitted" || event.type === "reply_completed" ? plainText(event.blocks) : "";
    const from = words.toLowerCase().indexOf(query.toLowerCase());
    const where = event.type === "prompt_submitted" ? "prompt" : "reply";
    return from < 0 ? [] : [{ seq, where, at, snippet: words, from, to: from + query.length }];
  });
  return hits.length === 0 ? [] : [{ session: log.id, hits, more: 0 }];
}

type FakePlan = { readonly target: string; readonly scope: RollbackScope; readonly files: readonly string[]; readonly partial: boolean };

const PLANNED: readonly PlannedFile[] = [
  { path: "src/dates.ts", action: "restore", added: 1, removed: 3, binary: false },
  { path: "src/booking.ts", action: "restore", added: 4, removed: 10, binary: false },
  { path: "price-list.html", action: "remove", added: 0, removed: 38, binary: false },
  { path: "notes.md", action: "kept", added: 0, removed: 0, binary: false },
];

const NO_DAMAGE = { damaged: 0, damagedPaths: [], lostPoints: 0 };

function checkpointHandlers(
  logs: ReadonlyMap<SessionId, FakeLog>,
  { planned = PLANNED, damage = NO_DAMAGE }: FakeOptions,
): HandlersOf<typeof contract>["checkpoints"] {
  const plans = new Map<string, FakePlan>();
  const storage = new Map([["/home/me/work", { bytes: 3_400_000, checkpoints: 12 }]]);
  return {
    uncommitted: async () =>
      ok({
        diffs: [{ path: "notes.md", added: 1, removed: 0, hunks: [{ oldStart: 1, newStart: 1, lines: [{ kind: "add", text: "a note", new: 1 }] }] }],
        more: 2,
      }),
    diff: async ({ paths }) => {
      const all = ["src/dates.ts", "src/booking.ts"].filter((path) => paths === undefined || paths.includes(path));
      return ok(all.map((path) => ({ path, added: 2, removed: 1, hunks: [{ oldStart: 17, newStart: 17, lines: SAMPLE_LINES }, SECOND_HUNK] })));
    },
    plan: async ({ target, ...pick }) => {
      const plan = PlanId.parse(`plan-${plans.size + 1}`);
      const { scope, exact, overwrite = [] } = pick;
      const only = pick.files ?? pick.hunks?.map((one) => one.path);
      const isHeld = ({ action, path }: PlannedFile) => (action === "kept" || action === "conflict") && exact !== true && !overwrite.includes(path);
      const files = planned
        .filter((file) => only === undefined || only.includes(file.path))
        .map((file) =>
          isHeld(file) || file.action === "unavailable" || !["kept", "conflict"].includes(file.action) ? file : { ...file, action: "restore" as const },
        );
      const going = files.filter((file) => !isHeld(file) && file.action !== "unavailable").map((file) => file.path);
      plans.set(plan, { target, scope, files: going, partial: only !== undefined || pick.turns !== undefined });
      return ok({ plan, target, scope, files: scope === "conversation" ? [] : files, irreversible: [{ kind: "network" as const, detail: "npm install" }] });
    },
    threeWay: async ({ path }) => ok({ now: `mine in ${path}\n`, target: `earlier in ${path}\n`, binary: false }),
    mark: async ({ session, checkpoint, ...mark }) => {
      logs.get(session)?.append({ v: 1, type: "checkpoint_marked", checkpoint, ...mark });
      return ok(null);
    },
    storage: async () =>
      ok(
        [...storage].map(([folder, facts]) => ({
          folder,
          ...facts,
          ...damage,
          pinned: 1,
          oldest: Date.UTC(2026, 10, 1, 12),
        })),
      ),
    freeUp: async ({ folder }) => {
      storage.set(folder, { bytes: 1_700_000, checkpoints: 5 });
      return ok({ freedBytes: 1_700_000, removed: 7 });
    },
    apply: async ({ session, plan }, progress) => {
      const log = logs.get(session);
      const planned = plans.get(plan);
      const node = log?.view().trail.find((other) => other.checkpoint.id === planned?.target);
      const before = log?.view().current;
      if (log === undefined || planned === undefined || node === undefined || before === undefined)
        return err({ kind: "stale_plan" as const, paths: [], message: "stale" });
      progress({ done: 1, of: 2 });
      const undo = log.view().undoable === node.checkpoint.id;
      log.append({
        v: 1,
        type: "rolled_back",
        target: node.checkpoint.id,
        scope: planned.scope,
        before,
        ...(planned.scope === "files" ? {} : { conversationTo: node.head }),
        files: [...planned.files],
        undo,
        ...(planned.partial ? { partial: true } : {}),
      });
      return ok({ before, files: [...planned.files] });
    },
  };
}

const SAMPLE_LINES = [
  { kind: "same" as const, text: "export function arrivalDay(b: Booking): string {", old: 17, new: 17 },
  { kind: "del" as const, text: "  return new Date(b.from).toISOString().slice(0, 10)", old: 18 },
  { kind: "add" as const, text: "  const day = Temporal.PlainDate.from(b.from)", new: 18 },
  { kind: "add" as const, text: "  return day.toLocaleString(b.locale, DAY)", new: 19 },
];

const SECOND_HUNK = { oldStart: 40, newStart: 41, lines: [{ kind: "same" as const, text: "}", old: 40, new: 41 }] };

type Recorder = { readonly calls: { verb: string; input: unknown }[]; readonly fail: ReadonlyMap<string, unknown> };

/** Writes down every request on its way to the handlers; `fail` answers a verb with this error instead of handling it. */
function recording(main: Transport, { calls, fail }: Recorder): Transport {
  return {
    ...main,
    listen: (onFrame, onClose) =>
      main.listen((frame) => {
        const request = Request.safeParse(frame);
        if (!request.success || (request.data.t !== "call" && request.data.t !== "open")) return onFrame(frame);
        const verb = `${request.data.d}.${request.data.v}`;
        calls.push({ verb, input: request.data.t === "call" ? request.data.input : request.data.key });
        const error = fail.get(verb);
        if (error === undefined) onFrame(frame);
        else main.send({ t: "result", id: request.data.id, ok: false, body: error });
      }, onClose),
  };
}
