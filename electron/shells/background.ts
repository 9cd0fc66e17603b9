// Commands that go on beside the conversation: short ids per session, a place up to where each was read, and the way from the
// foreground to here (T15).
import type { CallId, SessionId } from "#shared/lib/ids.ts";
import type { BackgroundShell, BackgroundShells, ShellRun, ShellRunner } from "./contract.ts";

/** Ended shells stay readable, but not without end. */
const MAX_ENDED = 50;

/** `endKnown`: the model has seen that it ended. */
type Known = { readonly shell: BackgroundShell; readUpTo: number; reading: Promise<string>; endKnown: boolean };
type Offer = { readonly run: ShellRun; readonly accept: (shell: BackgroundShell) => void };

export function createBackgroundShells(runner: ShellRunner): BackgroundShells {
  const known = new Map<SessionId, Map<string, Known>>();
  const counts = new Map<SessionId, number>();
  const offers = new Map<CallId, Offer>();
  const listeners = new Set<(session: SessionId) => void>();
  const tell = (session: SessionId) => {
    for (const listener of listeners) listener(session);
  };

  const add = (session: SessionId, run: ShellRun): BackgroundShell => {
    const count = (counts.get(session) ?? 0) + 1;
    counts.set(session, count);
    const shell: BackgroundShell = { id: `shell_${count}`, run };
    const own = known.get(session) ?? new Map<string, Known>();
    known.set(session, own);
    own.set(shell.id, { shell, readUpTo: 0, reading: Promise.resolve(""), endKnown: false });
    forgetEnded(own);
    tell(session);
    void run.done.then(() => tell(session));
    return shell;
  };
  return {
    async start(session, request) {
      const started = await runner.start({ ...request, session, input: request.input ?? "terminal" });
      if (started.kind === "failed") return started;
      return { kind: "started", shell: add(session, started.run) };
    },
    find: (session, id) => known.get(session)?.get(id)?.shell,
    list: (session) => [...(known.get(session)?.values() ?? [])].map((one) => one.shell),
    readNew(shell) {
      const one = [...known.values()].map((own) => own.get(shell.id)).find((found) => found?.shell === shell);
      if (one === undefined) return Promise.resolve("");
      // One after the other: two readers at once would both get the same part.
      one.reading = one.reading.then(async () => {
        const { clean, next } = await shell.run.read(one.readUpTo);
        one.readUpTo = next;
        one.endKnown ||= shell.run.result !== undefined;
        return clean;
      });
      return one.reading;
    },
    offer(call, run) {
      const moved = new Promise<BackgroundShell>((accept) => offers.set(call, { run, accept }));
      return { moved, [Symbol.dispose]: () => void offers.delete(call) };
    },
    moveToBackground(call) {
      const offer = offers.get(call);
      if (offer?.run.session === undefined || offer.run.result !== undefined) return false;
      offers.delete(call);
      offer.run.keepGoing();
      offer.accept(add(offer.run.session, offer.run));
      return true;
    },
    takeEnded: (session) => takeEnded([...(known.get(session)?.values() ?? [])]),
    follow(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  };
}

function takeEnded(own: readonly Known[]): readonly BackgroundShell[] {
  const news = own.filter((one) => !one.endKnown && one.shell.run.result !== undefined);
  for (const one of news) one.endKnown = true;
  return news.map((one) => one.shell);
}

function forgetEnded(own: Map<string, Known>): void {
  const ended = [...own.values()].filter((one) => one.shell.run.result !== undefined);
  for (const one of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) own.delete(one.shell.id);
}
