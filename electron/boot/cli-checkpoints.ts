// `cairn checkpoints …`: the folder's points, and going back without a window (DESIGN 7). Files only; conversations stay.
import type { Checkpoint, RollbackFailure, RollbackPreview } from "#shared/checkpoints/checkpoint.ts";
import { CheckpointId, SessionId } from "#shared/lib/ids.ts";
import { err, ok, type Result } from "#shared/lib/result.ts";
import type { FileDiff } from "#shared/tools/card.ts";
import type { CheckpointStore } from "#electron/checkpoints/contract.ts";
import type { CheckpointsArgs } from "./cli-args.ts";
import type { CliIo } from "./cli-io.ts";
import { EXIT } from "./cli-output.ts";
import { dataFolderFor, workFolder } from "./cli-setup.ts";
import { openCheckpointStores } from "./open-checkpoints.ts";

const COMMAND_SESSION = SessionId.parse("command-line");

export async function runCheckpoints(args: CheckpointsArgs, io: CliIo): Promise<number> {
  const cwd = await workFolder(args.cwd, io);
  if (!cwd.ok) return fail(io, cwd.error, EXIT.usage);
  const stores = openCheckpointStores({ dataDir: dataFolderFor(args.dataDir, io), out: io.outFolder, home: io.home, platform: io.platform });
  try {
    const store = await stores.open(cwd.value);
    if (!store.ok) return fail(io, store.error.message, EXIT.failed);
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

async function withCheckpoint(store: CheckpointStore, args: CheckpointsArgs, io: CliIo, act: (checkpoint: Checkpoint) => Promise<number>): Promise<number> {
  const id = CheckpointId.safeParse(args.id);
  const found = id.success ? await store.get(id.data) : undefined;
  return found === undefined
    ? fail(io, `There is no checkpoint ${args.id ?? ""} of this folder; "cairn checkpoints list" shows them.`, EXIT.usage)
    : act(found);
}

async function goBack(store: CheckpointStore, target: CheckpointId, args: CheckpointsArgs, io: CliIo): Promise<number> {
  const plan = await store.plan(target, { scope: "files", session: "any", exact: args.exact, ...(args.files === undefined ? {} : { files: args.files }) });
  if (!plan.ok) return fail(io, failureText(plan.error), EXIT.failed);
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
      `Went back: ${done.value.files.length} files changed${kept.length > 0 ? `, ${kept.length} left as they are` : ""}. "cairn checkpoints undo" takes it back.\n${planned(plan.value)}`,
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
const line = ({ id, at, cause, files }: ReturnType<typeof listed>) =>
  `${id}  ${new Date(at).toISOString()}  ${cause.kind}  ${files.length} files  ${cause.label}\n`;
const shown = ({ changes }: Checkpoint) =>
  changes.map(({ path, change, by, added, removed }) => `${change}  ${path}  +${added} -${removed}  (${by})\n`).join("");
const planned = ({ files, irreversible }: RollbackPreview) =>
  [...files.map(({ path, action }) => `${action}  ${path}\n`), ...irreversible.map(({ kind, detail }) => `cannot be undone (${kind}): ${detail}\n`)].join("");
const failureText = ({ message, paths }: RollbackFailure) => (paths.length > 0 ? `${message} (${paths.join(", ")})` : message);

function patch({ path, hunks, binary }: FileDiff): string {
  if (binary === true) return `Binary file ${path} differs\n`;
  const sign = { same: " ", add: "+", del: "-" } as const;
  const body = hunks.map((hunk) => `@@ -${hunk.oldStart} +${hunk.newStart} @@\n${hunk.lines.map(({ kind, text }) => `${sign[kind]}${text}\n`).join("")}`);
  return `--- a/${path}\n+++ b/${path}\n${body.join("")}`;
}
