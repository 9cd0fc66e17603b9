// `cairn sessions fork` and `cairn sessions merge` (K8): a session that goes on from a point, and a copy's work brought over.
import { join } from "node:path";
import type { RollbackPreview } from "#shared/checkpoints/checkpoint.ts";
import { CheckpointId, SessionId } from "#shared/lib/ids.ts";
import { visibleText } from "#shared/lib/text.ts";
import type { SessionActor } from "#electron/sessions/contract.ts";
import type { SessionsArgs } from "./cli-args.ts";
import type { CliIo } from "./cli-io.ts";
import { EXIT } from "./cli-output.ts";
import { dataFolderFor } from "./cli-setup.ts";
import type { HeadlessRun, Services } from "./contract.ts";
import { readyDataFolder } from "./ready-folder.ts";
import { createReporter } from "./report.ts";

/** No model is asked here. */
const NO_RUN: HeadlessRun = {
  maxSteps: 1,
  maxSpend: undefined,
  allow: [],
  deny: [],
  baseUrl: undefined,
  fallbackModel: undefined,
  appendSystem: undefined,
  provider: "demo",
  trustProjectHooks: false,
  settings: {},
};

export async function runOnSession(args: SessionsArgs, io: CliIo): Promise<number> {
  const id = SessionId.safeParse(args.id);
  if (!id.success) return fail(io, `"${args.id ?? ""}" is not the id of a session; "cairn sessions list" shows them.`, EXIT.usage);
  const dataDir = dataFolderFor(args.dataDir, io);
  const folder = await readyDataFolder(dataDir);
  if (!folder.ok) return fail(io, folder.error, EXIT.usage);
  const { createServices } = await import("./services.ts");
  const face = { kind: "headless", run: NO_RUN } as const;
  const report = createReporter(join(dataDir, "logs", "headless.log"), io.home);
  const { environment, home, platform, outFolder: out } = io;
  const services = await createServices({ dataDir, out, environment, home, platform, face, vault: undefined, fetch: undefined, report });
  try {
    if (args.verb === "fork") return await fork(services, id.data, args, io);
    const opened = await services.sessions.open(id.data);
    return opened.ok ? await merge(services, opened.value, args, io) : fail(io, opened.error.message, EXIT.usage);
  } finally {
    await services.close();
    await io.out.flushed();
    await io.err.flushed();
  }
}

async function fork({ sessions }: Services, id: SessionId, { at, format }: SessionsArgs, io: CliIo): Promise<number> {
  const checkpoint = CheckpointId.safeParse(at);
  if (at !== undefined && !checkpoint.success) return fail(io, `"${at}" is not the id of a checkpoint.`, EXIT.usage);
  const forked = await sessions.fork(id, checkpoint.success ? { kind: "checkpoint", id: checkpoint.data } : { kind: "end" });
  if (!forked.ok) return fail(io, forked.error.message, EXIT.usage);
  const { view } = forked.value.actor;
  io.out.write(format === "text" ? `${view.session}\n` : `${JSON.stringify({ session: view.session, from: id, title: view.title, cwd: view.cwd })}\n`);
  return EXIT.answered;
}

async function merge(services: Services, actor: SessionActor, args: SessionsArgs, io: CliIo): Promise<number> {
  const { copyOf } = actor.view;
  if (copyOf === undefined) return fail(io, "This session works in the folder itself, not in a copy: there is nothing to bring over.", EXIT.usage);
  const planned = await services.copies.plan(actor.view, args.files === undefined ? {} : { files: args.files });
  return planned.ok ? await bring({ services, actor, folder: copyOf.folder, preview: planned.value }, args, io) : fail(io, planned.error.message, EXIT.failed);
}

type Bringing = { readonly services: Services; readonly actor: SessionActor; readonly folder: string; readonly preview: RollbackPreview };

async function bring({ services: { copies }, actor, folder, preview }: Bringing, { dryRun, format }: SessionsArgs, io: CliIo): Promise<number> {
  const { files: all, plan } = preview;
  const open = all.filter((file) => file.action === "conflict" || file.action === "unavailable");
  const goes = all.filter((file) => !open.includes(file));
  const lines = all.map(({ path, action }) => `${action}  ${visibleText(path)}\n`).join("");
  if (dryRun || goes.length === 0) {
    const nothing = all.length === 0 ? "Nothing to bring over.\n" : "";
    io.out.write(format === "text" ? `${nothing}${lines}` : `${JSON.stringify(preview)}\n`);
    return open.length > 0 && !dryRun ? EXIT.failed : EXIT.answered;
  }
  const done = await copies.apply(actor, plan);
  if (!done.ok) return fail(io, done.error.message, EXIT.failed);
  const left = open.map(({ path, action }) => ({ path, action }));
  const said = `Brought ${done.value.files.length} over into ${visibleText(folder)}. "cairn checkpoints undo" there takes it back.\n${lines}`;
  io.out.write(format === "text" ? said : `${JSON.stringify({ brought: done.value.files, left, before: done.value.before })}\n`);
  if (open.length > 0) io.err.write(`cairn: ${open.length} were changed in both places or cannot be brought over; choose in the window.\n`);
  return EXIT.answered;
}

function fail(io: CliIo, message: string, code: number): number {
  io.err.write(`cairn: ${message}\n`);
  return code;
}
