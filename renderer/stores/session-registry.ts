// Open sessions by id. A session is followed while something shows it or keeps it in a tab, and let go afterwards.
import type { SessionId } from "#shared/lib/ids.ts";
import { createSessionStore, type SessionStore, type SessionStoreDeps } from "./session-store.ts";

export interface SessionRegistry {
  /** The session's store, if something holds it. */
  peek(id: SessionId): SessionStore | undefined;
  /** Opens it if needed; the answer lets it go. Letting go twice counts once. */
  hold(id: SessionId): { readonly store: SessionStore; readonly release: () => void };
}

export function createSessionRegistry(deps: SessionStoreDeps): SessionRegistry {
  const open = new Map<SessionId, { readonly store: SessionStore; holders: number }>();
  return {
    peek: (id) => open.get(id)?.store,
    hold: (id) => {
      const entry = open.get(id) ?? { store: createSessionStore(deps, id), holders: 0 };
      open.set(id, entry);
      entry.holders += 1;
      let held = true;
      const release = (): void => {
        if (!held) return;
        held = false;
        entry.holders -= 1;
        if (entry.holders > 0) return;
        open.delete(id);
        entry.store[Symbol.dispose]();
      };
      return { store: entry.store, release };
    },
  };
}
