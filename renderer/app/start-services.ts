// Makes everything the window needs from a client: facts and settings first, then the streams that keep them fresh.
import { createStore } from "zustand/vanilla";
import type { Client } from "#renderer/bridge/client.ts";
import { Waiting } from "#renderer/stores/attachments.ts";
import { Drafts } from "#renderer/stores/drafts.ts";
import { createFinds } from "#renderer/stores/finds.ts";
import { Seen } from "#renderer/stores/seen.ts";
import { later, onNextFrame } from "#renderer/stores/frames.ts";
import { createKeptStore, type KeptStorage } from "#renderer/stores/kept.ts";
import { KnownModels } from "#renderer/stores/known-models.ts";
import { keepTabs, Layout } from "#renderer/stores/layout.ts";
import { createSessionRegistry } from "#renderer/stores/session-registry.ts";
import { Review } from "#renderer/stores/review.ts";
import type { Screen, Services } from "#renderer/stores/services.tsx";
import { Taught } from "#renderer/stores/taught.ts";
import { createToasts, type Toasts } from "#renderer/stores/toasts.ts";
import type { Notice } from "#shared/loop/turn-end.ts";
import type { SessionSummary } from "#shared/session/summary.ts";
import { err, ok, type Result } from "#shared/lib/result.ts";
import type { Settings } from "#shared/settings/settings.ts";

const REOPEN_MS = 1_000;
const PROBLEMS_TOLD = 2;

/** Services of a running engine; an error in words when it does not answer. */
export async function startServices(client: Client, storage: KeptStorage): Promise<Result<Services, string>> {
  const [facts, settings, sessions] = await Promise.all([client.app.facts({}), client.settings.get({}), client.sessions.list({})]);
  if (!facts.ok) return err(facts.error.message);
  if (!settings.ok) return err(settings.error.message);
  const toasts = createToasts();
  const settingsStore = createStore<Settings>(() => settings.value);
  const list = createStore<readonly SessionSummary[]>(() => (sessions.ok ? sessions.value : []));
  const layout = createKeptStore(storage, "cairn.layout", Layout, Layout.parse({}));
  if (sessions.ok) {
    const known = new Set(sessions.value.map((session) => session.id));
    layout.setState((state) => keepTabs(state, (id) => known.has(id)));
  }
  keepOpen((onGone) => client.settings.follow({}, (next) => settingsStore.setState(next, true), onGone));
  keepOpen((onGone) => client.sessions.followList({}, (next) => list.setState(next, true), onGone));
  const attachments = createKeptStore(storage, "cairn.attachments", Waiting, {});
  void client.attachments.touch({ refs: Object.values(attachments.getState()).flatMap((list) => list.map((one) => one.ref)) });
  const screen = createStore<Screen>(() => ({ kind: "work" }));
  tellProblems(facts.value.problems, toasts, () => screen.setState({ kind: "settings", section: "careful" }, true));
  return ok({
    client,
    facts: facts.value,
    settings: settingsStore,
    list,
    layout,
    drafts: createKeptStore(storage, "cairn.drafts", Drafts, {}),
    models: createKeptStore(storage, "cairn.models", KnownModels, {}),
    taught: createKeptStore(storage, "cairn.taught", Taught, Taught.parse({})),
    attachments,
    review: createKeptStore(storage, "cairn.review", Review, Review.parse({})),
    screen,
    toasts,
    scrollPlaces: new Map(),
    finds: createFinds(),
    seen: createKeptStore(storage, "cairn.seen", Seen, {}),
    sessions: createSessionRegistry({ follow: client.sessions.follow, later, onFrame: onNextFrame }),
  });
}

/** The settings list them all; a window full of messages would be read by nobody. */
function tellProblems(problems: readonly Notice[], toasts: Toasts, openRules: () => void): void {
  const [told, more] = [problems.slice(0, PROBLEMS_TOLD), problems.length - PROBLEMS_TOLD];
  const notices = more > 0 ? [...told, { key: "notices.more_problems", params: { count: more } }] : told;
  for (const notice of notices) toasts.show({ tone: "bad", notice, action: { label: "toast.openRules", run: openRules } });
}

/** A stream of the whole window's life: opened again when the other side ended it. */
function keepOpen(open: (onGone: () => void) => Disposable): void {
  open(() => later(() => keepOpen(open), REOPEN_MS));
}
