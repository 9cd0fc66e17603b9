// What all sessions of this run share: settings, keys, stores, shells, the grammar. Made once by `services.ts`.
import type { Provider, ProviderConfig } from "#electron/providers/contract.ts";
import type { Settings } from "#shared/settings/settings.ts";
import type { CheckpointStore } from "#electron/checkpoints/contract.ts";
import type { RollbackFailure } from "#shared/checkpoints/checkpoint.ts";
import type { SessionId } from "#shared/lib/ids.ts";
import type { Result } from "#shared/lib/result.ts";
import type { Clock } from "#electron/lib/clock.ts";
import type { Redactor } from "#electron/lib/redaction.ts";
import type { HookRunner, ProjectTrust } from "#electron/hooks/contract.ts";
import type { RememberedRules } from "#electron/permissions/remember.ts";
import type { KeyedLock } from "#electron/scheduler/keyed-lock.ts";
import type { Keys } from "#electron/secrets/contract.ts";
import type { Trace } from "#electron/trace/contract.ts";
import type { UsageLedger } from "#electron/trace/usage-ledger.ts";
import type { ServiceFacts } from "./contract.ts";
import type { Media } from "./media.ts";
import type { Shells } from "./shells.ts";

export interface Engine {
  readonly facts: ServiceFacts;
  readonly clock: Clock;
  readonly keys: Keys;
  readonly redactor: Redactor;
  readonly remembered: RememberedRules;
  readonly hooks: HookRunner;
  /** what the person said about hooks that folders bring along (H1) */
  readonly hookTrust: ProjectTrust;
  /** sessions whose start hooks were told of in this run */
  readonly begun: Set<SessionId>;
  readonly trace: Trace;
  readonly ledger: UsageLedger;
  /** in force now, a headless run's overrides included */
  settings(): Settings;
  /** a rule was given or taken back, in the settings or by an answer */
  onRulesChanged(listener: () => void): Disposable;
  newId(): string;
  openStore(folder: string): Promise<Result<CheckpointStore, RollbackFailure>>;
  /** conflict keys of one folder, shared by its sessions (T6) */
  locksOf(folder: string): KeyedLock;
  readonly shells: Shells;
  readonly media: Media;
  /** one client per configuration */
  provider(id: ProviderConfig["id"]): Promise<Provider>;
}
