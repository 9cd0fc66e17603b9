// The composition root: the only place that knows implementations (DESIGN "Wiring"). Window and headless command differ
// in their facts alone.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { SessionId } from "#shared/lib/ids.ts";
import type { Notice } from "#shared/loop/turn-end.ts";
import type { ProviderId, Settings } from "#shared/settings/settings.ts";

import { projectHistory } from "#electron/history/project-history.ts";
import { checkLadder, ladderOf } from "#electron/ladder/rungs.ts";
import { type Clock, createSystemClock } from "#electron/lib/clock.ts";
import { createRedactor, type Redactor } from "#electron/lib/redaction.ts";
import { createScope, type Scope } from "#electron/lib/scope.ts";
import { createRememberedRules, type RememberedRules } from "#electron/permissions/remember.ts";
import { createRuleFile } from "#electron/permissions/rule-file.ts";
import { unusableRules } from "#electron/permissions/rule-problems.ts";
import { DEFAULT_MODELS } from "#electron/providers/models.ts";
import { createKeyedLock, type KeyedLock } from "#electron/scheduler/keyed-lock.ts";
import { openKeys } from "#electron/secrets/keys.ts";
import type { Keys } from "#electron/secrets/contract.ts";
import type { OpenTurn } from "#electron/sessions/contract.ts";
import { createSessions, type Sessions } from "#electron/sessions/directory.ts";
import type { SettingsStore } from "#electron/settings/contract.ts";
import { dropBadValues, openSettings } from "#electron/settings/store.ts";
import { BUILTIN_ORDER } from "#electron/tools/builtin-order.ts";
import { createTraceRecorder, type TraceRecorder } from "#electron/trace/recorder.ts";
import { createUsageLedger, type UsageLedger } from "#electron/trace/usage-ledger.ts";
import { sessionCost, spendingOf } from "./cost.ts";
import { boundedStores, boundsOf, createCheckpointStorage } from "./checkpoint-bounds.ts";
import type { FolderCopies } from "#electron/bridge/contract.ts";
import { createAttachments } from "./attachments.ts";
import { createCopies } from "./copies.ts";
import { createConnectionTest } from "./connection-test.ts";
import type { ServiceFacts, Services } from "./contract.ts";
import type { Engine } from "./engine.ts";
import { createFileFinder } from "./find-files.ts";
import { folderPicture } from "./folder-picture.ts";
import { memoOpenStore, openCheckpointStores, UNBOUNDED } from "./open-checkpoints.ts";
import { createMedia } from "./media.ts";
import { createProviders } from "./providers.ts";
import { createRulesBoard, type RulesBoardDeps } from "./rules-board.ts";
import { makeSample } from "./sample.ts";
import { openHooks, tellSessionEnd } from "./session-hooks.ts";
import { createSessionSearch } from "./session-search.ts";
import { createShellBoard } from "./shell-board.ts";
import { uncommittedOf } from "./uncommitted.ts";
import { createShells } from "./shells.ts";

/** ms the loop gets to end by itself after Stop; longer than the pipeline's own grace. */
const STOP_GRACE_MS = 12_000;

export async function createServices(given: ServiceFacts): Promise<Services> {
  const clock = createSystemClock();
  const { redactor, facts } = withRedaction(given);
  const scope = createScope("app", (error, label) => facts.report(`clean-up of ${label} failed: ${String(error)}`));
  const [settings, keys, remembered] = await openKept(facts, clock);
  const current = () => inForce(facts, settings.current());
  reportLadder(facts, current());
  const stores = openCheckpointStores(facts, UNBOUNDED);
  const trace = createTraceRecorder(join(facts.dataDir, "traces", `${randomUUID()}.jsonl`), clock, BUILTIN_ORDER);
  const ledger = createUsageLedger(join(facts.dataDir, "usage"), clock, facts.report);
  keys.values().forEach(redactor.register);
  const shells = createShells(facts, { clock, keys, redact: redactor.redact });
  void shells.endLeftovers();
  const { hooks, trust: hookTrust } = openHooks(facts, { clock, shells, settings: current });
  const made: { sessions?: Sessions } = {};
  const bounds = { clock, bounds: () => boundsOf(current()), views: async () => (await made.sessions?.views()) ?? [] };
  const engine: Engine = {
    facts,
    clock,
    keys,
    redactor,
    remembered,
    hooks,
    hookTrust,
    begun: new Set(),
    trace,
    ledger,
    settings: current,
    onRulesChanged: followRules(settings, remembered),
    newId: () => randomUUID(),
    openStore: memoOpenStore(boundedStores(stores, bounds)),
    locksOf: memoLocks(),
    provider: createProviders(facts, { clock, keys, settings: current }).get,
    shells,
    media: createMedia({ out: facts.out, clock }),
  };
  const copies = createCopies({ ...engine, dataDir: facts.dataDir });
  const sharedBy = async (cwd: string) => ((await made.sessions?.list()) ?? []).filter((card) => card.cwd === cwd).length;
  const sessions = (made.sessions = openSessions(engine, { clock, scope, copies: { ...copies, sharedBy } }));
  const folders = async () => (await sessions.list()).map((card) => card.cwd);
  return {
    sessions,
    settings,
    keys: maskNewKeys(keys, engine),
    checkpoints: { open: engine.openStore, close: () => stores.close() },
    ...rulesFor(facts, { settings, remembered, folders }),
    storage: createCheckpointStorage({ ...bounds, stores, folders }),
    hookTrust,
    copies,
    ...forWindow(facts, engine),
    shells: createShellBoard({ shells, redact: redactor.redact }),
    uncommitted: (folder) => uncommittedOf(engine, folder),
    keyStore: facts.vault?.secure() === true ? "secure" : "memory_only",
    testConnection: createConnectionTest(facts, clock, current),
    makeSample: () => makeSample(facts),
    defaultMaker: () => makerOf(facts, settings),
    costOf: (view) => sessionCost(view, current()),
    close: () => closeAll({ engine, sessions, hooks, scope, stores, trace, ledger }),
  };
}

type ForWindow = Pick<Services, "attachments" | "files" | "sessionFolder" | "searchSessions" | "redact" | "spendingOf">;

/** What composers and the library need. */
function forWindow({ dataDir, out }: ServiceFacts, { clock, media, redactor, ledger, settings }: Engine): ForWindow {
  const { scaleImage } = media;
  return {
    attachments: createAttachments({ dataDir, clock, scaleImage }),
    files: { ...createFileFinder({ clock }), picture: folderPicture },
    sessionFolder: (id) => join(dataDir, "sessions", id),
    searchSessions: createSessionSearch({ root: join(dataDir, "sessions"), out, clock }),
    redact: redactor.redact,
    async spendingOf(view) {
      await ledger.refresh();
      return spendingOf(view, settings(), ledger.today());
    },
  };
}

type Closing = {
  readonly engine: Engine;
  readonly sessions: Sessions;
  readonly hooks: ReturnType<typeof openHooks>["hooks"];
  readonly scope: Scope;
  readonly stores: ReturnType<typeof openCheckpointStores>;
  readonly trace: TraceRecorder;
  readonly ledger: UsageLedger;
};

async function closeAll({ engine, sessions, hooks, scope, stores, trace, ledger }: Closing): Promise<void> {
  await sessions.close();
  await keepRuleUse(engine.facts, engine.remembered);
  await Promise.all([hooks.close(), engine.shells.close()]);
  await scope.close({ by: "shutdown" });
  await Promise.all([stores.close(), trace.flush(), ledger.flush()]);
}

/** What the person has set, stored and answered before. */
function openKept({ dataDir, vault, environment }: ServiceFacts, clock: Clock) {
  return Promise.all([
    openSettings(join(dataDir, "settings.json")),
    openKeys({ file: join(dataDir, "keys.json"), vault, environment }),
    createRememberedRules({ store: createRuleFile(join(dataDir, "approvals.json"), clock), clock }),
  ]);
}

function reportLadder({ report }: ServiceFacts, { timeouts }: Settings): void {
  for (const { lower, upper } of checkLadder(ladderOf(timeouts))) report(`time-outs: ${lower} must be shorter than ${upper}, so ${lower} cannot fire first`);
}

/** Nobody is asked without a window, so nothing was given there: only the window's process writes the file. */
async function keepRuleUse({ face }: ServiceFacts, remembered: RememberedRules): Promise<void> {
  if (face.kind === "window") await remembered.flush();
}

function rulesFor(facts: ServiceFacts, parts: RulesBoardDeps): Pick<Services, "rules" | "problems"> {
  return { rules: createRulesBoard(parts), problems: problemsAtStart(facts, parts.settings, parts.remembered) };
}

function problemsAtStart({ face, dataDir }: ServiceFacts, settings: SettingsStore, remembered: RememberedRules): readonly Notice[] {
  const run = face.kind === "headless" ? unusableRules({ allow: face.run.allow, ask: [], deny: face.run.deny }, "the command line") : [];
  return [
    ...settings.problems.map(({ key, path }) => ({ key: `notices.${key}`, params: { path } })),
    ...unusableRules(settings.current().rules, join(dataDir, "settings.json")),
    ...remembered.problems(),
    ...run,
  ];
}

/** The app's own log has no key in it (R3). */
function withRedaction(given: ServiceFacts): { readonly redactor: Redactor; readonly facts: ServiceFacts } {
  const redactor = createRedactor();
  return { redactor, facts: { ...given, report: (problem) => given.report(redactor.redact(problem)) } };
}

/** Whatever waits for an answer is decided anew when a rule was given or taken back. */
function followRules(settings: SettingsStore, remembered: RememberedRules): Engine["onRulesChanged"] {
  return (listener) => {
    const [one, other] = [settings.follow(() => listener()), remembered.follow(listener)];
    return {
      [Symbol.dispose]() {
        one[Symbol.dispose]();
        other[Symbol.dispose]();
      },
    };
  };
}

type SessionParts = { readonly clock: Clock; readonly scope: Scope; readonly copies: FolderCopies & { sharedBy(cwd: string): Promise<number> } };

function openSessions(engine: Engine, { clock, scope, copies }: SessionParts) {
  const { dataDir } = engine.facts;
  return createSessions({
    root: join(dataDir, "sessions"),
    bin: join(dataDir, "bin"),
    clock,
    newId: engine.newId,
    project: projectHistory,
    stopGraceMs: STOP_GRACE_MS,
    redact: engine.redactor.redact,
    openStore: engine.openStore,
    scopeFor: (id: SessionId) => scope.child(`session:${id}`),
    async ended(view, folder, removed) {
      const atEnd = engine.facts.face.kind === "headless" ? "other" : "prompt_input_exit";
      await tellSessionEnd(engine, { folder, view: () => view }, removed ? "clear" : atEnd);
      if (removed) {
        await engine.shells.endSession(view.session);
        // A conversation that goes on from this one may still work there.
        const shared = (await copies.sharedBy(view.cwd)) > 1;
        if (!shared) await copies.discard(view);
      }
    },
    async removed(id) {
      await engine.shells.endSession(id);
      await engine.remembered.forgetSession(id);
    },
    openTurnFor: (id, folder) => lazyOpenTurn(engine, id, folder),
  });
}

/** Loop, tools and permissions are loaded with the first turn, not with the window. */
function lazyOpenTurn(engine: Engine, id: SessionId, folder: string): OpenTurn {
  let made: Promise<OpenTurn> | undefined;
  return async (env) => {
    made ??= import("./open-turn.ts").then(({ createOpenTurn }) => createOpenTurn(engine, id, folder));
    return (await made)(env);
  };
}

/** Stored settings, or those of a headless run over them. */
function inForce({ face }: ServiceFacts, stored: Settings): Settings {
  return face.kind === "headless" ? dropBadValues({ ...stored, ...face.run.settings }).settings : stored;
}

function makerOf({ face }: ServiceFacts, settings: SettingsStore): { readonly provider: ProviderId; readonly model: string } {
  const { provider: chosen, model } = settings.current();
  const provider = face.kind === "headless" ? face.run.provider : chosen;
  return { provider, model: model !== "" && provider === chosen ? model : DEFAULT_MODELS[provider] };
}

function memoLocks(): (folder: string) => KeyedLock {
  const locks = new Map<string, KeyedLock>();
  return (folder) => {
    const known = locks.get(folder) ?? createKeyedLock();
    locks.set(folder, known);
    return known;
  };
}

/** A key that is set while the app runs is masked from then on, too (R3). */
function maskNewKeys(keys: Keys, engine: Engine): Keys {
  return {
    ...keys,
    async set(provider, key) {
      engine.redactor.register(key);
      return await keys.set(provider, key);
    },
  };
}
