// `cairn checkpoints …`: the folder's points, and going back without a window (DESIGN 7). Files only; conversations stay.
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Checkpoint, RollbackFailure, RollbackPreview } from "#shared/checkpoints/checkpoint.ts";
import { type Catalogue, say } from "#shared/i18n/say.ts";
import { CheckpointId, SessionId } from "#shared/lib/ids.ts";
import { err, ok, type Result } from "#shared/lib/result.ts";
import type { FileDiff } from "#shared/tools/card.ts";
import type { CheckpointStore } from "#electron/checkpoints/contract.ts";
import type { CheckpointsArgs } from "./cli-args.ts";
import type { CliIo } from "./cli-io.ts";
import { EXIT } from "./cli-output.ts";
import { noticeOf } from "#electron/sessions/session-checkpoints.ts";
import { dataFolderFor, workFolder } from "./cli-setup.ts";
import { openCheckpointStores } from "./open-checkpoints.ts";

const SHORT_ID_CHARS = 4;
const COMMAND_SESSION = SessionId.parse("command-line");

export async function runCheckpoints(args: CheckpointsArgs, io: CliIo, texts: Catalogue): Promise<number> {
  const cwd = await workFolder(args.cwd, io);
  if (!cwd.ok) return fail(io, cwd.error, EXIT.usage);
  const stores = openCheckpointStores({ dataDir: dataFolderFor(args.dataDir, io), out: io.outFolder, home: io.home, platform: io.platform });
  try {
    const store = await stores.open(cwd.value);
    if (!store.ok) return fail(io, store.error.message, EXIT.failed);
    for (const news of await store.value.news()) io.err.write(`cairn: ${say(texts, noticeOf(news))}\n`);
    return await runVerb(store.value, args, io);
  } finally {
    await stores.close();
  }
}

function fail(io: CliIo, message: string, code: number): number {
  io.err.write(`cairn: ${message}\n`);
  return code;
}

async function runVerb(store: CheckpointStore, args: CheckpointsArgs, io: CliIo): Promise<number> {
  switch (args.verb) {
    case "list":
      return print(io, args, (await store.list()).map(listed), (all) => all.map(line).join(""));
    case "show":
      return withCheckpoint(store, args, io, async (checkpoint) =>
        print(
          io,
          args,
          { ...listed(checkpoint), changes: checkpoint.changes, uncovered: checkpoint.uncovered, uncoveredCount: checkpoint.uncoveredCount },
          () => shown(checkpoint),
        ),
      );
    case "diff":
      return withCheckpoint(store, args, io, async (checkpoint) => {
        const diffs = await store.diff(checkpoint.id, "folder", args.files);
        return diffs.ok ? print(io, args, diffs.value, (all) => all.map(patch).join("")) : fail(io, diffs.error.message, EXIT.failed);
      });
    case "restore":
      return withCheckpoint(store, args, io, (checkpoint) => goBack(store, checkpoint.id, args, io));
    case "undo": {
      const last = [...(await store.list())].reverse().find((checkpoint) => checkpoint.cause.kind === "rollback");
      return last === undefined ? fail(io, "There is no going back to undo.", EXIT.failed) : goBack(store, last.id, args, io);
    }
  }
}

/** The id, or the beginning of it as long as only one has it. */
async function withCheckpoint(store: CheckpointStore, args: CheckpointsArgs, io: CliIo, act: (checkpoint: Checkpoint) => Promise<number>): Promise<number> {
  const id = CheckpointId.safeParse(args.id);
  const exact = id.success ? await store.get(id.data) : undefined;
  if (exact !== undefined) return act(exact);
  const short = args.id ?? "";
  const fitting = short.length < SHORT_ID_CHARS ? [] : (await store.list()).filter((checkpoint) => checkpoint.id.startsWith(short));
  const [only, ...others] = fitting;
  if (only === undefined) return fail(io, `There is no checkpoint ${short} of this folder; "cairn checkpoints list" shows them.`, EXIT.usage);
  return others.length > 0 ? fail(io, `${fitting.length} checkpoints begin with ${short}; give more of the id.`, EXIT.usage) : act(only);
}

async function goBack(store: CheckpointStore, target: CheckpointId, args: CheckpointsArgs, io: CliIo): Promise<number> {
  const plan = await store.plan(target, { scope: "files", session: "any", exact: args.exact, ...(args.files === undefined ? {} : { files: args.files }) });
  if (!plan.ok) return fail(io, failureText(plan.error), EXIT.failed);
  const unknown = await unknownFiles(store, target, args.files ?? []);
  if (unknown.length > 0) return fail(io, `Neither that checkpoint nor the folder has ${unknown.join(", ")}.`, EXIT.usage);
  if (plan.value.files.length === 0)
    return print(
      io,
      args,
      args.dryRun ? plan.value : { restored: [], kept: [], irreversible: plan.value.irreversible },
      () => "Nothing to do: the files are as they were then.\n",
    );
  if (args.dryRun) return print(io, args, plan.value, planned);
  const done = await apply(store, plan.value);
  if (!done.ok) return fail(io, failureText(done.error), EXIT.failed);
  const kept = plan.value.files.filter((file) => file.action === "kept" || file.action === "conflict" || file.action === "unavailable");
  const result = {
    restored: done.value.files,
    kept: kept.map(({ path, action }) => ({ path, action })),
    before: done.value.before,
    irreversible: plan.value.irreversible,
  };
  return print(
    io,
    args,
    result,
    () =>
      `${args.verb === "undo" ? "Took the last going back back" : "Went back"}: ${counted(done.value.files.filter((file) => !file.endsWith("/")).length)} changed${kept.length > 0 ? `, ${kept.length} left as they are` : ""}. "cairn checkpoints undo" ${args.verb === "undo" ? "goes back again" : "takes it back"}.\n${planned(plan.value)}`,
  );
}

/** Paths that were asked for and that nothing has: a slip of the pen must not look like success. */
async function unknownFiles(store: CheckpointStore, target: CheckpointId, files: readonly string[]): Promise<readonly string[]> {
  if (files.length === 0) return [];
  const missing: string[] = [];
  for (const file of files) {
    if (await isThere(join(store.folder, file))) continue;
    const diffs = await store.diff(target, "folder", [file]);
    if (diffs.ok && diffs.value.length === 0) missing.push(file);
  }
  return missing;
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function apply(
  store: CheckpointStore,
  preview: RollbackPreview,
): Promise<Result<{ readonly before: string; readonly files: readonly string[] }, RollbackFailure>> {
  const done = await store.apply(preview.plan, COMMAND_SESSION, new AbortController().signal);
  return done.ok ? ok({ before: done.value.before.id, files: done.value.files }) : err(done.error);
}

function print<T>(io: CliIo, args: CheckpointsArgs, value: T, asText: (value: T) => string): number {
  io.out.write(args.format === "text" ? asText(value) : `${JSON.stringify(value)}\n`);
  return EXIT.answered;
}

const listed = ({ id, at, cause, changes, bytes, files }: Checkpoint) => ({
  id,
  at,
  cause,
  files: changes.map((change) => change.path),
  protectedFiles: files,
  bytes,
});
const CAUSES: Readonly<Record<Checkpoint["cause"]["kind"], string>> = {
  turn_start: "before a turn",
  turn_end: "after a turn",
  before_call: "before a step",
  rollback: "before going back",
  person: "named",
};
const counted = (files: number) => (files === 1 ? "1 file" : `${files} files`);
const localTime = (at: number) => new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 19).replace("T", " ");
const line = ({ id, at, cause, files }: ReturnType<typeof listed>) =>
  `${id}  ${localTime(at)}  ${CAUSES[cause.kind]}  ${counted(files.length)}  ${plain(cause.label)}\n`;
const shown = (checkpoint: Checkpoint) => `${line(listed(checkpoint))}${changesOf(checkpoint)}`;
const changesOf = ({ changes }: Checkpoint) =>
  changes.length === 0
    ? "Nothing had changed since the point before.\n"
    : changes.map(({ path, change, by, added, removed }) => `${change}  ${plain(path)}  +${added} -${removed}  (${by})\n`).join("");
const planned = ({ files, irreversible }: RollbackPreview) =>
  [
    ...files.map(({ path, action }) => `${action}  ${plain(path)}\n`),
    ...irreversible.map(({ kind, detail }) => `cannot be undone (${kind}): ${plain(detail)}\n`),
  ].join("");
const failureText = ({ message, paths }: RollbackFailure) => (paths.length > 0 ? `${message} (${paths.join(", ")})` : message);

/** What a terminal would obey, or a reader not see, is written out: names and prompts come from anywhere. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`);
}

function patch({ path: name, hunks, binary }: FileDiff): string {
  const path = plain(name);
  if (binary === true) return `Binary file ${path} differs\n`;
  const sign = { same: " ", add: "+", del: "-" } as const;
  const body = hunks.map((hunk) => `@@ -${hunk.oldStart} +${hunk.newStart} @@\n${hunk.lines.map(({ kind, text }) => `${sign[kind]}${text}\n`).join("")}`);
  return `--- a/${path}\n+++ b/${path}\n${body.join("")}`;
}
