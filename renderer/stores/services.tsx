// Everything a feature can reach: the client and the window's stores. Made once in app/, passed down by context.
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import type { z } from "zod";
import { useStore } from "zustand";
import type { StoreApi } from "zustand/vanilla";
import type { Client } from "#renderer/bridge/client.ts";
import type { contract } from "#shared/ipc/contract.ts";
import type { SessionSummary } from "#shared/session/summary.ts";
import type { SessionId } from "#shared/lib/ids.ts";
import type { Settings } from "#shared/settings/settings.ts";
import type { Waiting } from "./attachments.ts";
import type { Drafts } from "./drafts.ts";
import type { Finds } from "./finds.ts";
import type { Seen } from "./seen.ts";
import type { KeptStore } from "./kept.ts";
import type { KnownModels } from "./known-models.ts";
import type { Layout } from "./layout.ts";
import type { Review } from "./review.ts";
import type { ScrollPlaces } from "./scroll-places.ts";
import type { SessionRegistry } from "./session-registry.ts";
import type { SessionState, SessionStore } from "./session-store.ts";
import type { Taught } from "./taught.ts";
import type { Toasts } from "./toasts.ts";

export type AppFacts = z.infer<typeof contract.app.facts.output>;

export type Screen = { readonly kind: "work" } | { readonly kind: "settings"; readonly section: string | undefined };

export type Services = {
  readonly client: Client;
  readonly facts: AppFacts;
  readonly settings: StoreApi<Settings>;
  readonly list: StoreApi<readonly SessionSummary[]>;
  readonly layout: KeptStore<Layout>;
  readonly drafts: KeptStore<Drafts>;
  readonly models: KeptStore<KnownModels>;
  readonly taught: KeptStore<Taught>;
  readonly review: KeptStore<Review>;
  readonly attachments: KeptStore<Waiting>;
  readonly screen: StoreApi<Screen>;
  readonly toasts: Toasts;
  readonly sessions: SessionRegistry;
  readonly scrollPlaces: ScrollPlaces;
  readonly finds: Finds;
  readonly seen: KeptStore<Seen>;
};

const ServicesContext = createContext<Services | undefined>(undefined);

export function ServicesProvider({ services, children }: { readonly services: Services; readonly children: ReactNode }) {
  return <ServicesContext.Provider value={services}>{children}</ServicesContext.Provider>;
}

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (services === undefined) throw new Error("useServices outside of ServicesProvider");
  return services;
}

export function useSettings<T>(select: (settings: Settings) => T): T {
  return useStore(useServices().settings, select);
}

const SessionContext = createContext<SessionStore | undefined>(undefined);

/** Holds the session while mounted; `children` come once its store is there. */
export function SessionProvider({ id, children }: { readonly id: SessionId; readonly children: ReactNode }) {
  const { sessions } = useServices();
  const [store, setStore] = useState<SessionStore>();
  useEffect(() => {
    const held = sessions.hold(id);
    setStore(() => held.store);
    return () => held.release();
  }, [sessions, id]);
  return store === undefined ? null : <SessionContext.Provider value={store}>{children}</SessionContext.Provider>;
}

export function useSessionStore(): SessionStore {
  const store = useContext(SessionContext);
  if (store === undefined) throw new Error("useSessionStore outside of SessionProvider");
  return store;
}

export function useSession<T>(select: (state: SessionState) => T): T {
  return useStore(useSessionStore(), select);
}
