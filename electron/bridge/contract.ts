// What the handlers of the window need: the engine's services and the few powers only the app has.
import type { RollbackFailure, RollbackPreview, TwoSides } from "#shared/checkpoints/checkpoint.ts";
import type { Attachment } from "#shared/attachments/attachment.ts";
import type { Block } from "#shared/chat/blocks.ts";
import type { CopyOf } from "#shared/events/session.ts";
import type { WindowCommand } from "#shared/commands/window-command.ts";
import type { Uncommitted } from "#shared/checkpoints/uncommitted.ts";
import type { FolderStorage } from "#shared/ipc/contract.ts";
import type { Result } from "#shared/lib/result.ts";
import type { Notice } from "#shared/loop/turn-end.ts";
import type { NewRule, RuleChangeFailure, RuleInForce } from "#shared/permissions/rules-in-force.ts";
import type { CallId, CheckpointId, PlanId, SessionId } from "#shared/lib/ids.ts";
import type { BackgroundWork } from "#shared/shells/background-work.ts";
import type { ProviderId, Settings } from "#shared/settings/settings.ts";
import type { CheckpointStores } from "#electron/checkpoints/contract.ts";
import type { ProjectTrust } from "#electron/hooks/contract.ts";
import type { Keys } from "#electron/secrets/contract.ts";
import type { SettingsStore } from "#electron/settings/contract.ts";
import type { SearchGroup } from "#shared/session/search.ts";
import type { Spending } from "#shared/session/spending.ts";
import type { SessionView } from "#shared/session/view.ts";
import type { SessionActor } from "#electron/sessions/contract.ts";
import type { Sessions } from "#electron/sessions/directory.ts";

export type ConnectionProbe = {
  readonly provider: ProviderId;
  readonly key: string | undefined;
  readonly baseUrl: string | undefined;
  readonly model: string | undefined;
};
export type ConnectionFailure = { readonly kind: "auth" | "network" | "model_not_found" | "quota" | "other"; readonly message: string };

/** Powers of the desktop; tests give fakes. */
export interface Desktop {
  /** undefined: the person closed the dialog */
  pickFolder(): Promise<string | undefined>;
  /** where to save a file; undefined: the person closed the dialog */
  pickSave(name: string): Promise<string | undefined>;
  openExternal(url: string): Promise<void>;
  showFile(path: string): Promise<void>;
  /** what the page wrote to its storage goes to the disk */
  keepWindowData(): void;
  /** what the menu, a notification or a link asks of the window */
  followCommands(listener: (command: WindowCommand) => void): Disposable;
}

/** What a notification can be about; each can be switched off. */
export type NewsKind = keyof Settings["notifications"];
export type News = { readonly session: SessionId; readonly kind: NewsKind; readonly title: string };

/** The desktop, as far as attention goes. */
export interface AttentionDesktop {
  /** whether the person is looking at the window */
  focused(): boolean;
  notify(news: News): void;
  /** the session no longer needs what was told of it */
  withdraw(session: SessionId): void;
  badge(count: number): void;
  stayAwake(wanted: boolean): void;
}

export type AppFacts = {
  readonly platform: string;
  readonly version: string;
  readonly electron: string;
  readonly systemLanguage: string;
  readonly keyStore: "secure" | "memory_only";
  readonly home: string;
  readonly dataFolder: string;
};

/** What the points of each folder need on the disk (K9). */
export interface CheckpointStorage {
  list(): Promise<readonly FolderStorage[]>;
  /** Forgets the oldest until the folder's points need half as much, and never more than the settings allow. */
  freeUp(folder: string): Promise<Result<{ readonly freedBytes: number; readonly removed: number }, RollbackFailure>>;
}

/** Every rule in force, and the ways to add and take back those that are the person's (P5). */
export interface RulesBoard {
  list(): Promise<readonly RuleInForce[]>;
  /** Tells of every change but those in the files of folders, which are read anew each time. */
  follow(listener: () => void): Disposable;
  revoke(id: string): Promise<Result<null, RuleChangeFailure>>;
  add(rule: NewRule): Promise<Result<null, RuleChangeFailure>>;
}

/** Commands that go on beside the conversation (T15). */
export interface ShellBoard {
  list(session: SessionId): Promise<readonly BackgroundWork[]>;
  /** Tells when something came to the background or ended there. */
  follow(session: SessionId, listener: () => void): Disposable;
  /** Sends a running call there; false when it is over or no command. */
  moveToBackground(call: CallId): Promise<boolean>;
  /** Ends it with all it started; answers what could not be ended, undefined when there is no such work. */
  stop(session: SessionId, id: string): Promise<readonly { readonly pid: number; readonly name: string }[] | undefined>;
}

export type CopyFailure = { readonly kind: "failed"; readonly message: string };

/** Copies of folders, each of one session's own (K8). */
export interface FolderCopies {
  /** `at`: with the files as they were at that point of the folder */
  make(folder: string, at?: CheckpointId): Promise<Result<{ readonly path: string; readonly copyOf: CopyOf }, CopyFailure>>;
  /** What bringing the copy's work over would do; nothing is changed. */
  plan(
    view: SessionView,
    pick: { readonly files?: readonly string[]; readonly overwrite?: readonly string[] },
  ): Promise<Result<RollbackPreview, RollbackFailure>>;
  bothSides(view: SessionView, plan: PlanId, path: string): Promise<Result<TwoSides, RollbackFailure>>;
  apply(actor: SessionActor, plan: PlanId): Promise<Result<{ readonly before: CheckpointId; readonly files: readonly string[] }, RollbackFailure>>;
  /** Takes the newest bringing over back. */
  undo(actor: SessionActor): Promise<Result<{ readonly before: CheckpointId; readonly files: readonly string[] }, RollbackFailure>>;
  /** Never rejects; does nothing for a session without a copy. */
  discard(view: Pick<SessionView, "cwd" | "copyOf">): Promise<void>;
}

/** Tells every session with these words as it is found; the answer ends the search. */
export type SessionSearch = (
  query: string,
  found: (group: SearchGroup) => void,
  signal: AbortSignal,
) => Promise<Result<{ readonly more: boolean }, { readonly kind: "failed"; readonly message: string }>>;
export type AttachmentFailure = { readonly kind: "too_big" | "not_a_picture" | "gone" | "failed"; readonly message: string };

/** Pictures and long texts that go along with messages (U8). Refs are names of bytes; get answers base64. */
export interface Attachments {
  put(given: { readonly bytes: Uint8Array; readonly mediaType: string; readonly name: string }): Promise<Result<Attachment, AttachmentFailure>>;
  get(ref: string): Promise<string | undefined>;
  /** The pictures of a message become the session's own before it is sent. */
  adopt(blocks: readonly Block[], sessionFolder: string): Promise<Result<null, AttachmentFailure>>;
  ofSession(sessionFolder: string, ref: string): Promise<string | undefined>;
  /** These still wait in a composer; what nobody has asked for in weeks is forgotten. */
  touch(refs: readonly string[]): Promise<void>;
}

export interface FileFinder {
  /** Paths below the folder, `/` between their parts, best first; `total`: of all files there. */
  find(cwd: string, query: string, signal: AbortSignal): Promise<{ readonly paths: readonly string[]; readonly total: number }>;
  /** base64 of a picture below the folder; undefined: there is none that may be shown */
  picture(folder: string, path: string): Promise<string | undefined>;
}

export type BridgeDeps = {
  readonly facts: AppFacts;
  readonly desktop: Desktop;
  readonly sessions: Sessions;
  readonly settings: SettingsStore;
  readonly keys: Keys;
  readonly checkpoints: CheckpointStores;
  readonly storage: CheckpointStorage;
  readonly hookTrust: ProjectTrust;
  readonly rules: RulesBoard;
  readonly shells: ShellBoard;
  /** what a session costs and how full its window is */
  spendingOf(view: SessionView): Promise<Spending>;
  readonly copies: FolderCopies;
  readonly searchSessions: SessionSearch;
  /** masks keys in what leaves the machine (R3) */
  redact(text: string): string;
  readonly attachments: Attachments;
  readonly files: FileFinder;
  /** where a session keeps its own data */
  sessionFolder(id: SessionId): string;
  /** what of a folder is not committed (U7); only reads */
  uncommitted(folder: string): Promise<Result<Uncommitted, { readonly kind: "no_repository" | "failed"; readonly message: string }>>;
  /** what was damaged or has no effect, found at the start (R4) */
  readonly problems: readonly Notice[];
  testConnection(probe: ConnectionProbe): Promise<Result<{ readonly models: readonly string[] }, ConnectionFailure>>;
  /** copies the sample project into a new folder of the person's and answers its path */
  makeSample(): Promise<string>;
  /** what a new session of this folder starts with */
  defaultMaker(): { readonly provider: string; readonly model: string };
};
