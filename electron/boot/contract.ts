// What the composition root makes for window and headless command alike (DESIGN decision I).
import type { BridgeDeps } from "#electron/bridge/contract.ts";
import type { KeyVault } from "#electron/secrets/contract.ts";
import type { SessionView } from "#shared/session/view.ts";
import type { ProviderId } from "#shared/settings/settings.ts";
import type { Spent } from "#electron/loop/spend.ts";
import type { Report } from "./report.ts";

/** Who is there: a person at a window, or nobody. Limits and overrides of a headless run come with it. */
export type Face = { readonly kind: "window" } | { readonly kind: "headless"; readonly run: HeadlessRun };
export type HeadlessRun = {
  readonly maxSteps: number;
  /** of this run alone, in dollars or in tokens */
  readonly maxSpend: Partial<Spent> | undefined;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly baseUrl: string | undefined;
  readonly fallbackModel: string | undefined;
  readonly appendSystem: string | undefined;
  readonly provider: ProviderId;
  /** the hooks of the folder run as they are at the start, for this run alone (H1) */
  readonly trustProjectHooks: boolean;
  /** members of a settings file given on the command line; they win over the stored ones */
  readonly settings: Readonly<Record<string, unknown>>;
};

export type ServiceFacts = {
  readonly dataDir: string;
  /** the built files: workers, grammar, sample project */
  readonly out: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly platform: string;
  readonly face: Face;
  readonly vault: KeyVault | undefined;
  readonly fetch: typeof globalThis.fetch | undefined;
  readonly report: Report;
};

export type Services = Omit<BridgeDeps, "facts" | "desktop"> & {
  readonly keyStore: "secure" | "memory_only";
  /** US dollars of a session's replies so far; undefined when a price is not known */
  costOf(view: SessionView): number | undefined;
  close(): Promise<void>;
};
