// Everything the window can ask of the main process, by domain. Main's handlers must cover it exactly (a test compares the keys).
import { z } from "zod";
import { Attachment } from "#shared/attachments/attachment.ts";
import { Block, Maker } from "#shared/chat/blocks.ts";
import { RollbackFailure, RollbackPick, RollbackPreview, TwoSides } from "#shared/checkpoints/checkpoint.ts";
import { Uncommitted } from "#shared/checkpoints/uncommitted.ts";
import { WindowCommand } from "#shared/commands/window-command.ts";
import { StoredEvent } from "#shared/events/durable.ts";
import { LiveEvent } from "#shared/events/live.ts";
import { CallId, CheckpointId, EntryId, PlanId, QuestionId, Seq, SessionId, TurnId } from "#shared/lib/ids.ts";
import { Notice } from "#shared/loop/turn-end.ts";
import { PermissionMode } from "#shared/permissions/mode.ts";
import { PermissionAnswer } from "#shared/permissions/question.ts";
import { NewRule, RuleChangeFailure, RuleInForce } from "#shared/permissions/rules-in-force.ts";
import { PersonAnswer } from "#shared/questions/question.ts";
import { HookTrust, ProjectHooksState } from "#shared/settings/project-hooks.ts";
import { ProviderId, Settings, SettingsPatch } from "#shared/settings/settings.ts";
import { BackgroundWork } from "#shared/shells/background-work.ts";
import { MAX_QUERY_CHARS, SearchGroup } from "#shared/session/search.ts";
import { Spending } from "#shared/session/spending.ts";
import { SessionSummary } from "#shared/session/summary.ts";
import { FileDiff } from "#shared/tools/card.ts";
import { call, type Contract, job, stream } from "./define.ts";

const nothing = z.null();
/** Of whatever window it was made in: another one has another class of that name. */
const bytes = z.custom<Uint8Array>((value) => Object.prototype.toString.call(value) === "[object Uint8Array]", "not bytes");
const never = z.object({ kind: z.literal("failed"), message: z.string() });

export const FolderProblem = z.object({ kind: z.enum(["missing", "not_a_folder", "unreadable", "home_or_root", "system", "copy_failed"]), path: z.string() });
export type FolderProblem = z.infer<typeof FolderProblem>;

export const KeyState = z.object({ provider: ProviderId, hasKey: z.boolean(), from: z.enum(["store", "memory", "environment", "none"]) });
export type KeyState = z.infer<typeof KeyState>;

export const FolderStorage = z.object({
  folder: z.string(),
  bytes: z.number(),
  checkpoints: z.number(),
  pinned: z.number(),
  /** ms since the epoch */
  oldest: z.number().optional(),
  /** contents found damaged and set apart */
  damaged: z.number(),
  /** files of which an earlier version cannot be brought back for that; shortened */
  damagedPaths: z.array(z.string()),
  /** points that cannot be gone back to, since their record is damaged */
  lostPoints: z.number(),
  /** why nothing can be said about it */
  problem: z.string().optional(),
});
export type FolderStorage = z.infer<typeof FolderStorage>;

const sessionKey = z.object({ session: SessionId });
const noSession = z.object({ kind: z.enum(["no_session", "failed"]), message: z.string() });

export const contract = {
  app: {
    facts: call({
      input: z.object({}),
      output: z.object({
        platform: z.string(),
        version: z.string(),
        electron: z.string(),
        systemLanguage: z.string(),
        keyStore: z.enum(["secure", "memory_only"]),
        home: z.string(),
        dataFolder: z.string(),
        /** settings, approvals or rules that were damaged or have no effect: the person is told once (R4) */
        problems: z.array(Notice),
      }),
      error: never,
    }),
    pickFolder: call({ input: z.object({}), output: z.object({ path: z.string().nullable() }), error: never }),
    checkFolder: call({
      input: z.object({ path: z.string() }),
      output: z.object({ path: z.string(), name: z.string(), empty: z.boolean(), git: z.boolean() }),
      error: FolderProblem,
    }),
    makeSample: call({ input: z.object({}), output: z.object({ path: z.string() }), error: never }),
    openExternal: call({
      input: z.object({ url: z.string().max(4096) }),
      output: nothing,
      error: z.object({ kind: z.literal("refused"), message: z.string() }),
    }),
    /** What the window keeps for itself is put on the disk now. */
    keepWindowData: call({ input: z.object({}), output: nothing, error: never }),
    followCommands: stream({ key: z.object({}), item: WindowCommand }),
    showFile: call({
      input: z.object({ session: SessionId, path: z.string() }),
      output: nothing,
      error: z.object({ kind: z.enum(["refused", "missing"]), message: z.string() }),
    }),
  },
  settings: {
    get: call({ input: z.object({}), output: Settings, error: never }),
    set: call({ input: z.object({ patch: SettingsPatch }), output: Settings, error: never }),
    follow: stream({ key: z.object({}), item: Settings }),
  },
  keys: {
    list: call({ input: z.object({}), output: z.array(KeyState), error: never }),
    set: call({
      input: z.object({ provider: ProviderId, key: z.string().min(1).max(4096) }),
      output: z.object({ kept: z.enum(["secure", "memory_only"]) }),
      error: never,
    }),
    remove: call({ input: z.object({ provider: ProviderId }), output: nothing, error: never }),
    /** One tiny real request; the failure carries the provider's own words. */
    test: call({
      input: z.object({
        provider: ProviderId,
        key: z.string().max(4096).optional(),
        baseUrl: z.string().max(2048).optional(),
        model: z.string().max(200).optional(),
      }),
      output: z.object({ models: z.array(z.string()) }),
      error: z.object({ kind: z.enum(["auth", "network", "model_not_found", "quota", "other"]), message: z.string() }),
    }),
  },
  sessions: {
    list: call({ input: z.object({}), output: z.array(SessionSummary), error: never }),
    followList: stream({ key: z.object({}), item: z.array(SessionSummary) }),
    /** `isolated`: in a copy of the folder of its own (K8) */
    create: call({ input: z.object({ cwd: z.string(), isolated: z.boolean().exactOptional() }), output: sessionKey, error: FolderProblem }),
    /** A new session that goes on from a point of this one (K8). `isolated`: in a copy, with the files as they were at that stone. */
    fork: call({
      input: z.object({
        session: SessionId,
        point: z.discriminatedUnion("kind", [
          z.object({ kind: z.literal("checkpoint"), id: CheckpointId }),
          z.object({ kind: z.literal("prompt"), entry: EntryId }),
          z.object({ kind: z.literal("end") }),
        ]),
        isolated: z.boolean(),
      }),
      output: z.object({ session: SessionId, prompt: z.array(Block).nullable() }),
      error: z.object({ kind: z.enum(["no_session", "no_point", "failed"]), message: z.string() }),
    }),
    prompt: call({
      input: z.object({ session: SessionId, blocks: z.array(Block).min(1) }),
      output: z.object({ turn: TurnId.nullable(), queued: z.boolean() }),
      error: z.object({ kind: z.enum(["no_session", "folder_gone", "read_only", "picture_gone", "failed"]), message: z.string() }),
    }),
    /** Says an earlier prompt otherwise, or has it answered anew when no blocks are given; files stay. */
    resend: call({
      input: z.object({ session: SessionId, entry: EntryId, blocks: z.array(Block).min(1).exactOptional() }),
      output: z.object({ turn: TurnId }),
      error: z.object({ kind: z.enum(["no_session", "unknown_prompt", "folder_gone", "read_only", "failed"]), message: z.string() }),
    }),
    /** ends the wait before the next try of a request (L19) */
    retryNow: call({ input: sessionKey, output: nothing, error: noSession }),
    stop: call({ input: sessionKey, output: nothing, error: noSession }),
    editQueue: call({ input: z.object({ session: SessionId, kind: z.enum(["delete", "send_now"]), id: z.string() }), output: nothing, error: noSession }),
    /** whether an interrupted call took effect (S2) */
    tellOutcome: call({
      input: z.object({ session: SessionId, call: CallId, happened: z.boolean() }),
      output: nothing,
      error: z.object({ kind: z.enum(["no_session", "not_asked", "failed"]), message: z.string() }),
    }),
    setMode: call({ input: z.object({ session: SessionId, mode: PermissionMode }), output: nothing, error: noSession }),
    setModel: call({ input: z.object({ session: SessionId, maker: Maker }), output: nothing, error: noSession }),
    rename: call({ input: z.object({ session: SessionId, title: z.string().min(1).max(200) }), output: nothing, error: noSession }),
    /** On top of the list, or out of the way (S3). */
    file: call({
      input: z.object({ session: SessionId, pinned: z.boolean().exactOptional(), archived: z.boolean().exactOptional() }),
      output: nothing,
      error: noSession,
    }),
    /** What is lost with it, before it is deleted. */
    losses: call({
      input: sessionKey,
      output: z.object({ points: z.number(), named: z.number(), working: z.boolean() }),
      error: noSession,
    }),
    /** Full-text search over all of them; groups come as they are found, newest first. `more`: not all are listed. */
    search: job({
      input: z.object({ query: z.string().max(MAX_QUERY_CHARS) }),
      progress: SearchGroup,
      output: z.object({ more: z.boolean() }),
      error: never,
    }),
    /** Saves it where the person says; null: the dialog was closed. */
    exportTo: call({
      input: z.object({ session: SessionId, format: z.enum(["md", "html", "json"]) }),
      output: z.object({ path: z.string().nullable() }),
      error: noSession,
    }),
    spending: call({ input: sessionKey, output: Spending, error: noSession }),
    remove: call({ input: sessionKey, output: nothing, error: noSession }),
    moveFolder: call({
      input: z.object({ session: SessionId, cwd: z.string() }),
      output: nothing,
      error: z.object({ kind: z.enum(["no_session", "folder_gone", "failed"]), message: z.string() }),
    }),
    /** Stored events after `from`, then everything new; a `stored` item's `seq` grows by one each, so that gaps show. */
    follow: stream({
      key: z.object({ session: SessionId, from: Seq }),
      item: z.array(
        z.discriminatedUnion("kind", [
          z.object({ kind: z.literal("stored"), stored: StoredEvent }),
          z.object({ kind: z.literal("live"), event: LiveEvent }),
          z.object({ kind: z.literal("unavailable"), message: z.string() }),
        ]),
      ),
    }),
  },
  permissions: {
    answer: call({
      input: z.object({ session: SessionId, question: QuestionId, answer: PermissionAnswer }),
      output: nothing,
      error: z.object({ kind: z.enum(["no_session", "unknown_question"]), message: z.string() }),
    }),
    /** Every rule and remembered answer in force, now and after each change (P5). */
    followRules: stream({ key: z.object({}), item: z.array(RuleInForce) }),
    /** Takes back a rule of the person's; at once in sessions that run. A folder's own rules are refused. */
    revokeRule: call({ input: z.object({ id: z.string().max(20_000) }), output: nothing, error: RuleChangeFailure }),
    addRule: call({ input: NewRule, output: nothing, error: RuleChangeFailure }),
  },
  questions: {
    /** `unfit`: it answers another question than this one */
    answer: call({
      input: z.object({ session: SessionId, question: QuestionId, answer: PersonAnswer }),
      output: nothing,
      error: z.object({ kind: z.enum(["no_session", "unknown_question", "unfit"]), message: z.string() }),
    }),
  },
  /** Pictures and long texts on their way to a message (U8). */
  attachments: {
    put: call({
      input: z.object({ bytes, mediaType: z.string().max(100), name: z.string().max(400) }),
      output: Attachment,
      error: z.object({ kind: z.enum(["too_big", "not_a_picture", "gone", "failed"]), message: z.string() }),
    }),
    /** base64 of one that waits in a composer */
    get: call({ input: z.object({ ref: Attachment.shape.ref }), output: z.object({ base64: z.string().nullable() }), error: never }),
    /** base64 of a picture of the conversation */
    ofSession: call({ input: z.object({ session: SessionId, ref: Attachment.shape.ref }), output: z.object({ base64: z.string().nullable() }), error: never }),
    touch: call({ input: z.object({ refs: z.array(Attachment.shape.ref).max(2_000) }), output: nothing, error: never }),
  },
  /** Files of a folder by a few letters of their path (U8). */
  files: {
    find: call({
      input: z.object({ cwd: z.string(), query: z.string().max(200) }),
      output: z.object({ paths: z.array(z.string()), total: z.number() }),
      error: FolderProblem,
    }),
    /** base64 of a picture that an answer names in the session's folder; null: there is none that may be shown */
    picture: call({
      input: z.object({ session: SessionId, path: z.string().max(4_096) }),
      output: z.object({ base64: z.string().nullable() }),
      error: never,
    }),
  },
  /** The copy of its folder in which a session works (K8). */
  copies: {
    /** what bringing the work over would do */
    plan: call({
      input: z.object({ session: SessionId, files: z.array(z.string()).exactOptional(), overwrite: z.array(z.string()).exactOptional() }),
      output: RollbackPreview,
      error: RollbackFailure,
    }),
    threeWay: call({ input: z.object({ session: SessionId, plan: PlanId, path: z.string() }), output: TwoSides, error: RollbackFailure }),
    apply: call({
      input: z.object({ session: SessionId, plan: PlanId }),
      output: z.object({ before: CheckpointId, files: z.array(z.string()) }),
      error: RollbackFailure,
    }),
    undo: call({ input: sessionKey, output: z.object({ files: z.array(z.string()) }), error: RollbackFailure }),
  },
  /** Commands that go on beside the conversation (T15). */
  shells: {
    /** all of a session's, now and after each change */
    follow: stream({ key: sessionKey, item: z.array(BackgroundWork) }),
    moveToBackground: call({
      input: z.object({ session: SessionId, call: CallId }),
      output: nothing,
      error: z.object({ kind: z.literal("not_running"), message: z.string() }),
    }),
    stop: call({
      input: z.object({ session: SessionId, id: z.string().max(200) }),
      output: nothing,
      /** `unended`: some of it could not be ended, `message` names it */
      error: z.object({ kind: z.enum(["unknown", "unended"]), message: z.string() }),
    }),
  },
  /** Hooks that folders bring along (H1). */
  hooks: {
    /** the state now, and whenever it is found changed */
    follow: stream({ key: z.object({ folder: z.string() }), item: ProjectHooksState }),
    /** `hash`: of what the person saw; `changed` when the folder holds something else by now */
    decide: call({
      input: z.object({ folder: z.string(), hash: z.string().min(1), trusted: z.boolean() }),
      output: ProjectHooksState,
      error: z.object({ kind: z.enum(["changed", "failed"]), message: z.string() }),
    }),
    decisions: call({ input: z.object({}), output: z.array(HookTrust), error: never }),
    forget: call({ input: z.object({ folder: z.string() }), output: nothing, error: never }),
  },
  checkpoints: {
    diff: call({
      input: z.object({ session: SessionId, from: CheckpointId, to: z.union([CheckpointId, z.literal("folder")]), paths: z.array(z.string()).optional() }),
      output: z.array(FileDiff),
      error: RollbackFailure,
    }),
    /** what is not committed in a git repository; the folder is compared with its last commit (U7) */
    uncommitted: call({
      input: sessionKey,
      output: Uncommitted,
      error: z.object({ kind: z.enum(["no_session", "no_repository", "failed"]), message: z.string() }),
    }),
    plan: call({
      input: z.object({ session: SessionId, target: CheckpointId, ...RollbackPick.shape }),
      output: RollbackPreview,
      error: RollbackFailure,
    }),
    /** of a file in a preview: as it is, and as it was */
    threeWay: call({ input: z.object({ session: SessionId, plan: PlanId, path: z.string() }), output: TwoSides, error: RollbackFailure }),
    apply: job({
      input: z.object({ session: SessionId, plan: PlanId }),
      progress: z.object({ done: z.number(), of: z.number() }),
      output: z.object({ before: CheckpointId, files: z.array(z.string()) }),
      error: RollbackFailure,
    }),
    /** The person's name for a stone ("" takes it away), and whether it is kept whatever the bounds say (K9). */
    mark: call({
      input: z.object({ session: SessionId, checkpoint: CheckpointId, name: z.string().max(120).exactOptional(), pinned: z.boolean().exactOptional() }),
      output: nothing,
      error: RollbackFailure,
    }),
    /** What each folder's points need on the disk (K9). */
    storage: call({ input: z.object({}), output: z.array(FolderStorage), error: never }),
    /** Forgets the oldest points of a folder as far as the settings allow. */
    freeUp: call({
      input: z.object({ folder: z.string() }),
      output: z.object({ freedBytes: z.number(), removed: z.number() }),
      error: RollbackFailure,
    }),
  },
} as const satisfies Contract;
