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
