// The list of sessions without reading their logs: a small card beside each log, made again from the log when it is missing or damaged (S3).
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { SessionId } from "#shared/lib/ids.ts";
import { isPermission } from "#shared/questions/question.ts";
import { SessionSummary } from "#shared/session/summary.ts";
import type { SessionView } from "#shared/session/view.ts";
import type { Clock } from "#electron/lib/clock.ts";
import { replaceFile } from "#electron/lib/replace-file.ts";
import { logPath, viewOf } from "./open-session.ts";
import { readSessionLog } from "./log-file.ts";

const CARD = "card.json";
const WRITE_AFTER_MS = 250;

export function cardOf(view: SessionView, damaged: boolean): SessionSummary {
  const { session: id, title, cwd, updatedAt, attention, copyOf, filed } = view;
  const [asking] = attention === "needs_you" ? view.pending : [];
  return {
    id,
    title,
    cwd,
    ...(copyOf === undefined ? {} : { copyOf: copyOf.folder }),
    updatedAt,
    ...(filed.pinned ? { pinned: true } : {}),
    ...(filed.archived ? { archived: true } : {}),
    ...(asking === undefined ? {} : { asks: isPermission(asking) ? "approve" : "answer" }),
    attention,
    damaged,
  };
}

/** Newest first. A folder that is no session is passed over; one that cannot be read is listed as damaged. */
export async function readCards(root: string): Promise<readonly SessionSummary[]> {
  const names = await readdir(root).catch(() => []);
  const cards = await Promise.all(names.map((name) => readCard(join(root, name), name)));
  return cards.flatMap((card) => (card === undefined ? [] : [card])).sort((a, b) => b.updatedAt - a.updatedAt);
}

async function readCard(folder: string, name: string): Promise<SessionSummary | undefined> {
  const id = SessionId.safeParse(name);
  if (!id.success) return undefined;
  const kept = await readFile(join(folder, CARD), "utf8").then(parseCard, () => undefined);
  if (kept?.id === id.data) return kept;
  const log = await readSessionLog(logPath(folder)).catch(() => undefined);
  if (log === undefined || (log.events.length === 0 && log.damage.badLines === 0)) return undefined;
  return cardOf(viewOf(id.data, log.events), log.damage.badLines > 0 || log.damage.tornBytes > 0);
}

function parseCard(text: string): SessionSummary | undefined {
  try {
    const parsed = SessionSummary.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

export interface CardWriter {
  /** Writes soon; many changes in a row cost one write. */
  note(card: SessionSummary): void;
  flush(): Promise<void>;
}

export function createCardWriter(folder: string, clock: Clock): CardWriter {
  let latest: SessionSummary | undefined;
  let timer: Disposable | undefined;
  let writing: Promise<void> = Promise.resolve();
  const write = () => {
    timer?.[Symbol.dispose]();
    timer = undefined;
    const card = latest;
    latest = undefined;
    // The card is only a shortcut: if it cannot be written, the list is made from the log.
    if (card !== undefined) writing = writing.then(() => replaceFile(join(folder, CARD), JSON.stringify(card))).catch(() => {});
    return writing;
  };
  return {
    note(card) {
      latest = card;
      timer ??= clock.schedule(WRITE_AFTER_MS, () => void write());
    },
    flush: write,
  };
}
