// Sessions by folder, newest first. Pure.
import type { SessionSummary } from "#shared/session/summary.ts";

export type FolderGroup = { readonly cwd: string; readonly name: string; readonly sessions: readonly SessionSummary[] };

export function folderName(cwd: string): string {
  return cwd.split(/[\\/]/).findLast((part) => part !== "") ?? cwd;
}

/** A copy belongs to the folder it is a copy of. */
function homeOf({ cwd, copyOf }: SessionSummary): string {
  return copyOf ?? cwd;
}

export function matching(sessions: readonly SessionSummary[], query: string): readonly SessionSummary[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return sessions;
  return sessions.filter((session) => {
    const text = `${session.title} ${homeOf(session)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Folders in order of their newest session. Folders of one name are told apart by their parent. */
export function byFolder(sessions: readonly SessionSummary[]): readonly FolderGroup[] {
  const groups = new Map<string, SessionSummary[]>();
  for (const session of [...sessions].sort((a, b) => b.updatedAt - a.updatedAt)) {
    const group = groups.get(homeOf(session));
    if (group === undefined) groups.set(homeOf(session), [session]);
    else group.push(session);
  }
  const names = [...groups.keys()].map(folderName);
  return [...groups].map(([cwd, own]) => {
    const name = folderName(cwd);
    const twice = names.filter((other) => other === name).length > 1;
    return {
      cwd,
      name: twice
        ? cwd
            .split(/[\\/]/)
            .filter((part) => part !== "")
            .slice(-2)
            .join("/")
        : name,
      sessions: own,
    };
  });
}

export type ListGroup =
  | { readonly kind: "pinned" | "archived" | "today" | "yesterday" | "week" | "older"; readonly sessions: readonly SessionSummary[] }
  | ({ readonly kind: "folder" } & FolderGroup);

/** The library in order: what is pinned, what is in use, what was put away. */
export function groupsOf(sessions: readonly SessionSummary[], by: "folder" | "time", now: number): readonly ListGroup[] {
  const newest = [...sessions].sort((a, b) => b.updatedAt - a.updatedAt);
  const archived = newest.filter((session) => session.archived === true);
  const pinned = newest.filter((session) => session.pinned === true && session.archived !== true);
  const others = newest.filter((session) => session.pinned !== true && session.archived !== true);
  const middle = by === "time" ? byTime(others, now) : byFolder(others).map((group): ListGroup => ({ kind: "folder", ...group }));
  const all: readonly ListGroup[] = [{ kind: "pinned", sessions: pinned }, ...middle, { kind: "archived", sessions: archived }];
  return all.filter((group) => group.sessions.length > 0);
}

const WEEK_DAYS = 7;

/** By the days of the person's calendar, not by hours passed. */
function byTime(sessions: readonly SessionSummary[], now: number): readonly ListGroup[] {
  const daysAgo = (days: number): number => {
    const day = new Date(now);
    return new Date(day.getFullYear(), day.getMonth(), day.getDate() - days).getTime();
  };
  const [today, yesterday, week] = [daysAgo(0), daysAgo(1), daysAgo(WEEK_DAYS)];
  const kindOf = (at: number) => (at >= today ? "today" : at >= yesterday ? "yesterday" : at >= week ? "week" : "older");
  return (["today", "yesterday", "week", "older"] as const).map((kind) => ({ kind, sessions: sessions.filter((one) => kindOf(one.updatedAt) === kind) }));
}
