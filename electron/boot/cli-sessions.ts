// `cairn sessions …`: reads logs only, so it works while the app has them open.
import { join } from "node:path";
import { SessionId } from "#shared/lib/ids.ts";
import { visibleText } from "#shared/lib/text.ts";
import { type SearchGroup, searchWords } from "#shared/session/search.ts";
import { createRipgrep, ripgrepPath } from "#electron/lib/ripgrep.ts";
import { createRedactor } from "#electron/lib/redaction.ts";
import { openKeys } from "#electron/secrets/keys.ts";
import { exportDocument } from "#electron/sessions/export-document.ts";
import { readSessionLog } from "#electron/sessions/log-file.ts";
import { logPath, viewOf } from "#electron/sessions/open-session.ts";
import { searchLogs } from "#electron/sessions/search-logs.ts";
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
    case "search":
      return await search(root, args, io);
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

async function search(root: string, args: SessionsArgs, io: CliIo): Promise<number> {
  const words = searchWords(args.id ?? "");
  const titles = new Map((await readCards(root)).map((card) => [card.id, card.title]));
  const groups: SearchGroup[] = [];
  const { signal } = new AbortController();
  if (titles.size > 0 && words.length > 0) {
    const { more } = await searchLogs(createRipgrep(ripgrepPath()), { root, words, signal }, (group) => void groups.push(group));
    if (more) io.err.write("Only the newest sessions with these words are listed.\n");
  }
  if (args.format !== "text") io.out.write(`${JSON.stringify(groups.map((group) => ({ ...group, title: titles.get(group.session) ?? "" })))}\n`);
  else if (groups.length === 0) io.err.write("No session has these words.\n");
  else for (const { session, hits } of groups) io.out.write([`${session}  ${titles.get(session) ?? ""}`, ...hits.map(lineOf), ""].join("\n"));
  return EXIT.answered;
}

function lineOf({ where, snippet }: SearchGroup["hits"][number]): string {
  return `  ${where}: ${visibleText(snippet)}`;
}

async function exportOne(root: string, args: SessionsArgs, io: CliIo): Promise<number> {
  const id = SessionId.safeParse(args.id);
  const log = id.success ? await readSessionLog(logPath(join(root, id.data))).catch(() => undefined) : undefined;
  if (!id.success || log === undefined) {
    io.err.write(`cairn: There is no session ${args.id ?? ""}; "cairn sessions list" shows them.\n`);
    return EXIT.usage;
  }
  const view = viewOf(id.data, log.events);
  const keys = await openKeys({ file: join(dataFolderFor(args.dataDir, io), "keys.json"), vault: undefined, environment: io.environment });
  const { redact } = createRedactor(keys.values());
  const format = args.exportAs ?? (args.format === "text" ? "md" : "json");
  io.out.write(await exportDocument(view, { format, language: "en", redact }));
  return EXIT.answered;
}
