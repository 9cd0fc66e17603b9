// The worker's side of all stores: opens each when it is first asked about, and turns what it says into what the wire may carry.
import type { z } from "zod";
import type { RollbackFailure } from "#shared/checkpoints/checkpoint.ts";
import { ok, type Result } from "#shared/lib/result.ts";
import type { HandlerContext, Handlers } from "#electron/lib/worker-call.ts";
import { StoreProblem } from "./database.ts";
import { createEngine, type Engine } from "./engine.ts";
import { failureOf } from "./failure.ts";
import { markBroken, type OpenStore, openStore, type StorePowers } from "./open-store.ts";
import { reversed } from "./incoming.ts";
import type { Asking } from "./store-work.ts";
import type { Recovered, StoreConfig, verbs } from "./verbs.ts";

type Opened = { readonly engine: Engine; readonly recovered: Recovered | null };
type Failed = { readonly ok: false; readonly error: RollbackFailure };

export function createStoreHost(powers: StorePowers): Handlers<typeof verbs> {
  const open = new Map<string, Promise<Opened>>();

  const engineOf = (config: StoreConfig) => engineFrom(open, config, powers);
  /** A store that cannot be opened is an answer, not an accident. */
  const withEngine = async <T>(config: StoreConfig, use: (engine: Engine) => Promise<Result<T, RollbackFailure>>) => {
    let opened: Opened;
    try {
      opened = await engineOf(config);
    } catch (error) {
      return failed(openFailure(error));
    }
    const answer = await use(opened.engine);
    return answer;
  };
  const asking = (cx: HandlerContext): Asking => ({ signal: cx.signal, onProgress: cx.progress });

  return {
    open: ({ config }) => withEngine(config, async () => ok((await engineOf(config)).recovered)),
    async take({ config, ...order }, cx) {
      try {
        return await (await engineOf(config)).engine.take(order, asking(cx));
      } catch (error) {
        return { kind: "failed", why: openFailure(error).message };
      }
    },
    list: async ({ config }) => (await engineOf(config)).engine.list(),
    get: async ({ config, id }) => (await (await engineOf(config)).engine.get(id)) ?? null,
    diff: ({ config, from, to, paths }, cx) => withEngine(config, (engine) => engine.diff({ from, to, paths }, asking(cx))),
    plan: ({ config, session, files, turns, ...order }, cx) => withEngine(config, (engine) => engine.plan({ ...order, session, files, turns }, asking(cx))),
    planIncoming: (order, cx) => planIncoming(withEngine, order, asking(cx)),
    others: ({ config, ...order }) => withEngine(config, (engine) => engine.others(order)),
    threeWay: ({ config, ...order }) => withEngine(config, (engine) => engine.threeWay(order)),
    apply: ({ config, ...order }, cx) => withEngine(config, (engine) => engine.apply(order, asking(cx))),
    async beginCall({ config, turn, declared, ...window }) {
      (await engineOf(config)).engine.beginCall({ ...window, turn, declared });
      return null;
    },
    async endCall({ config, ...order }, cx) {
      await (await engineOf(config)).engine.endCall(order, asking(cx));
      return null;
    },
    pin: async ({ config, id, pinned }) => (await engineOf(config)).engine.pin(id, pinned),
    stats: ({ config }) => withEngine(config, (engine) => engine.stats()),
    collect: ({ config, ...order }) => withEngine(config, (engine) => engine.collect(order)),
    news: ({ config }) => withEngine(config, async (engine) => ok(engine.news())),
    verify: ({ config }) => withEngine(config, (engine) => engine.verify()),
    async close({ config }) {
      const known = open.get(config.folder);
      open.delete(config.folder);
      if (known !== undefined) await (await known).engine.close();
      return null;
    },
  };
}

async function engineFrom(open: Map<string, Promise<Opened>>, config: StoreConfig, powers: StorePowers): Promise<Opened> {
  const known = open.get(config.folder);
  if (known !== undefined && !(await isBroken(known))) return known;
  // one that another question opened meanwhile
  const newer = open.get(config.folder);
  if (newer !== undefined && newer !== known) return newer;
  const opening = reopened(known, () => openOne(config, powers));
  open.set(config.folder, opening);
  try {
    return await opening;
  } catch (error) {
    open.delete(config.folder);
    throw error;
  }
}

type WithEngine = <T>(config: StoreConfig, use: (engine: Engine) => Promise<Result<T, RollbackFailure>>) => Promise<Result<T, RollbackFailure>>;
type IncomingInput = z.infer<(typeof verbs)["planIncoming"]["input"]>;

/** First the one store says what was done there, then the other one plans with it; neither waits for the other meanwhile. */
function planIncoming(withEngine: WithEngine, { config, from, since, files, reverse, ...order }: IncomingInput, asking: Asking) {
  return withEngine(from, async (copy) => {
    const told = await copy.outgoing(
      since.map((one) => ({ checkpoint: one.checkpoint, files: one.files })),
      asking,
    );
    if (!told.ok) return told;
    const source = copy.contents();
    const incoming = reverse ? reversed(told.value) : told.value;
    return withEngine(config, (engine) => engine.planIncoming({ ...order, files, incoming, source }, asking));
  });
}

const isBroken = (known: Promise<Opened>) =>
  known.then(
    ({ engine }) => engine.isBroken(),
    () => false,
  );

/** The damaged one is closed first, so that it can be moved away. */
async function reopened(broken: Promise<Opened> | undefined, openAnew: () => Promise<Opened>): Promise<Opened> {
  if (broken !== undefined) await (await broken).engine.close();
  return openAnew();
}

function failed(error: RollbackFailure): Failed {
  return { ok: false, error };
}

async function openOne(config: StoreConfig, powers: StorePowers): Promise<Opened> {
  const store = await openStore(config, powers);
  try {
    return await startEngine(store);
  } catch (error) {
    if (!(error instanceof StoreProblem && error.kind === "damaged")) throw error;
    markBroken(store.parts);
    store.close();
    return startEngine(await openStore(config, powers));
  }
}

async function startEngine(store: OpenStore): Promise<Opened> {
  const engine = createEngine(store);
  const left = await engine.recovered();
  const recovered: Recovered | undefined = store.isolated === undefined ? left : { kind: "store_isolated", paths: [store.isolated] };
  if (recovered !== undefined) engine.tell(recovered);
  return { engine, recovered: recovered ?? null };
}

function openFailure(error: unknown): RollbackFailure {
  const failure = failureOf(error);
  return { ...failure, message: `The checkpoints of this folder cannot be opened. ${failure.message}` };
}
