// `cairn sessions …`: reads logs only, so it works while the app has them open.
import { join } from "node:path";
import { SessionId } from "#shared/lib/ids.ts";
import { createRedactor, redactAll } from "#electron/lib/redaction.ts";
import { openKeys } from "#electron/secrets/keys.ts";
import { toJson, toMarkdown } from "#electron/sessions/export.ts";
import { readSessionLog } from "#electron/sessions/log-file.ts";
import { logPath, viewOf } from "#electron/sessions/open-session.ts";
import { readCards } from "#electron/sessions/session-index.ts";
import type { SessionsArgs } from "./cli-args.ts";
import type { CliIo } from "./cli-io.ts";
import { EXIT } from "./cli-output.ts";
import { dataFolderFor } from "./cli-setup.ts";

export async function runSessions(args: SessionsArgs, io: CliIo): Promise<number> {
  const root = join(dataFolderFor(args.dataDir, io), "sessions");
  switch (args.verb) {
    case "list":
      return await list(root, args, io);
    case "export":
      return await exportOne(root, args, io);
    case "fork":
    case "merge": {
      const { runOnSession } = await import("./cli-copies.ts");
      return await runOnSession(args, io);
    }
  }
}

async function list(root: string, args: SessionsArgs, io: CliIo): Promise<number> {
  const cards = await readCards(root);
  if (args.format !== "text") io.out.write(`${JSON.stringify(cards)}\n`);
  else if (cards.length === 0) io.err.write("There are no sessions yet.\n");
  else
    for (const card of cards)
      io.out.write(`${card.id}  ${new Date(card.updatedAt).toISOString()}  ${card.title}  (${card.cwd})${card.damaged ? "  damaged" : ""}\n`);
  return EXIT.answered;
}

async function exportOne(root: string, args: SessionsArgs, io: CliIo): Promise<number> {
  const id = SessionId.safeParse(args.id);
  const log = id.success ? await readSessionLog(logPath(join(root, id.data))).catch(() => undefined) : undefined;
  if (!id.success || log === undefined) {
    io.err.write(`cairn: There is no session ${args.id ?? ""}; "cairn sessions list" shows them.\n`);
    return EXIT.usage;
  }
  const view = viewOf(id.data, log.events);
  // An export leaves the machine: older sessions may hold what today would have been masked on its way in (R3).
  const keys = await openKeys({ file: join(dataFolderFor(args.dataDir, io), "keys.json"), vault: undefined, environment: io.environment });
  const { redact } = createRedactor(keys.values());
  io.out.write(args.format === "text" ? redact(toMarkdown(view)) : `${JSON.stringify(redactAll(toJson(view), redact))}\n`);
  return EXIT.answered;
}
