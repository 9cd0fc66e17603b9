// Full-text search over all sessions' logs (S3). Runs in a thread of its own: ripgrep passes over the files, newest first, and only lines
// that hold the rarest-looking word are parsed. No index, so nothing can be stale, and words of any script are found.
import { basename, dirname } from "node:path";
import { contentText, plainText } from "#shared/chat/blocks.ts";
import type { SessionEvent } from "#shared/events/durable.ts";
import { StoredEvent } from "#shared/events/durable.ts";
import { SessionId } from "#shared/lib/ids.ts";
import { wellFormed } from "#shared/lib/text.ts";
import { type SearchGroup, type SearchHit, wordPattern } from "#shared/session/search.ts";
import type { Ripgrep, RipgrepEnd } from "#electron/lib/ripgrep.ts";

const HITS_PER_SESSION = 5;
const MAX_SESSIONS = 100;
const BEFORE_CHARS = 48;
const AFTER_CHARS = 120;
/** Told again by this event, so that words which were taken back are not found (L22). */
const WITHDRAWN = '"type":"reply_withdrawn"';

export type SearchLogs = { readonly root: string; readonly words: readonly string[]; readonly signal: AbortSignal };
/** `more`: there are further sessions with these words. */
export type SearchEnd = { readonly more: boolean };

/** Tells each session's places as soon as its log was read. Rejects when the logs cannot be searched. */
export async function searchLogs(ripgrep: Ripgrep, { root, words, signal }: SearchLogs, tell: (group: SearchGroup) => void): Promise<SearchEnd> {
  const patterns = words.map((word) => wordPattern(word));
  const longest = [...words].sort((a, b) => b.length - a.length)[0];
  if (longest === undefined) return { more: false };
  let told = 0;
  let open: Collector | undefined;
  const close = () => {
    const group = open?.group();
    open = undefined;
    if (group === undefined) return;
    told += 1;
    tell(group);
  };
  const end = await ripgrep.run({
    args: argsFor(longest),
    cwd: root,
    separator: 10,
    signal,
    onRecord(record) {
      const cut = record.indexOf("\0");
      const session = SessionId.safeParse(basename(dirname(record.slice(0, cut))));
      if (!session.success) return true;
      if (open?.session !== session.data) close();
      if (told >= MAX_SESSIONS) return false;
      open ??= createCollector(session.data, patterns);
      open.add(record.slice(cut + 1));
      return true;
    },
  });
  close();
  return { more: isOver(end) && told >= MAX_SESSIONS };
}

function isOver(end: RipgrepEnd): boolean {
  // Code 2 is a file that could not be read beside others that could.
  if (end.kind === "failed") throw new Error(end.message);
  return end.kind === "enough";
}

/** The word as it stands in a line of JSON. */
function argsFor(word: string): readonly string[] {
  const escaped = JSON.stringify(word).slice(1, -1);
  const files = ["--no-ignore", "--hidden", "--text", "--glob", "*/log.jsonl", "--sortr", "modified"];
  return ["--fixed-strings", "--ignore-case", "--no-line-number", "--with-filename", "--null", ...files, "-e", escaped, "-e", WITHDRAWN, "."];
}

type Collector = { readonly session: SessionId; add(line: string): void; group(): SearchGroup | undefined };

function createCollector(session: SessionId, patterns: readonly RegExp[]): Collector {
  const found: { readonly hit: SearchHit; readonly reply: string | undefined }[] = [];
  const withdrawn = new Set<string>();
  return {
    session,
    add(line) {
      const stored = parseLine(line);
      if (stored === undefined) return;
      const { event } = stored;
      if (event.type === "reply_withdrawn") return void withdrawn.add(event.reply);
      const place = placeOf(event);
      const spot = place === undefined ? undefined : spotIn(place.text, patterns);
      if (place === undefined || spot === undefined) return;
      const { where, call } = place;
      const hit: SearchHit = { seq: stored.seq, where, at: stored.at, ...spot, ...(call === undefined ? {} : { call }) };
      found.push({ hit, reply: event.type === "reply_completed" ? event.reply : undefined });
    },
    group() {
      const hits = found.flatMap(({ hit, reply }) => (reply !== undefined && withdrawn.has(reply) ? [] : [hit]));
      if (hits.length === 0) return undefined;
      return { session, hits: hits.slice(0, HITS_PER_SESSION), more: Math.max(0, hits.length - HITS_PER_SESSION) };
    },
  };
}

function parseLine(line: string): StoredEvent | undefined {
  try {
    const parsed = StoredEvent.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined; // a damaged line; opening the session says so
  }
}

type Place = { readonly where: SearchHit["where"]; readonly text: string; readonly call?: string };

/** Only what a person can read in the conversation; field names and what is sent to the model beside it are not found. */
function placeOf(event: SessionEvent): Place | undefined {
  switch (event.type) {
    case "prompt_submitted":
    case "steer_added":
      return { where: "prompt", text: plainText(event.blocks) };
    case "reply_completed":
      return { where: "reply", text: plainText(event.blocks) };
    case "call_settled":
      return { where: "result", text: contentText(event.outcome.forModel), call: event.call };
    default:
      return undefined;
  }
}

/** Around the first word, if all words are there. Line ends become spaces, one for one, so that places stay. */
function spotIn(text: string, patterns: readonly RegExp[]): Pick<SearchHit, "snippet" | "from" | "to"> | undefined {
  const places = patterns.map((pattern) => pattern.exec(text));
  const [first] = places;
  if (first === undefined || first === null || places.includes(null)) return undefined;
  const start = Math.max(0, first.index - BEFORE_CHARS);
  const stop = Math.min(text.length, first.index + first[0].length + AFTER_CHARS);
  const [lead, trail] = [start > 0 ? "…" : "", stop < text.length ? "…" : ""];
  const from = first.index - start + lead.length;
  const snippet = wellFormed(`${lead}${text.slice(start, stop).replace(/\s/g, " ")}${trail}`);
  return { snippet, from, to: from + first[0].length };
}
