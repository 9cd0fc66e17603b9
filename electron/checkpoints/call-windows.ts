// The calls that may be writing, kept in the database so that a crash in the middle of one, and another process working on the
// same folder, are still attributed (K5).
import { z } from "zod";
import type { CallWindow } from "./attribution.ts";
import type { Db } from "./database.ts";

export type NewWindow = Omit<CallWindow, "closed">;

export interface CallWindows {
  /** Opens, or says more about, the window of a call. */
  open(window: NewWindow): void;
  close(call: string, at: number): void;
  /** All that may have written since the last look. */
  all(): readonly CallWindow[];
  /** After a look: forgets those that had ended before it began, and those whose process is dead. */
  forget(lookedAt: number): void;
  /** A call seen only through its checkpoint has no end of its own: the next checkpoint of its session ends it. */
  forgetImplied(session: string, except: string | undefined): void;
  /** Opens a window for a call of which only the checkpoint before it is known, unless calls are announced here. */
  imply(window: NewWindow): void;
}

const Declared = z.array(z.string());

/** What cannot be read was not declared: then it counts as done while the call ran. */
function readDeclared(text: string): readonly string[] | undefined {
  try {
    return Declared.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export function createCallWindows(deps: { readonly db: Db; readonly pid: number; readonly isAlive: (pid: number) => boolean }): CallWindows {
  const { db, pid } = deps;
  const implied = new Set<string>();
  let announced = false;
  const put = (one: NewWindow) => {
    const declared = one.declared === undefined ? null : JSON.stringify(one.declared);
    const params = [one.call, one.session, one.turn ?? null, declared, one.background ? 1 : 0, one.opened, pid];
    db.run("INSERT OR REPLACE INTO calls(call, session, turn, declared, background, opened, closed, owner) VALUES(?,?,?,?,?,?,NULL,?)", params);
  };
  return {
    open(window) {
      announced = true;
      implied.delete(window.call);
      put(window);
    },
    close: (call, at) => void db.run("UPDATE calls SET closed = ? WHERE call = ? AND closed IS NULL", [at, call]),
    all: () =>
      db.all("SELECT call, session, turn, declared, background, opened, closed FROM calls").map((row) => ({
        call: row.text(0),
        session: row.text(1),
        turn: row.isNull(2) ? undefined : row.text(2),
        declared: row.isNull(3) ? undefined : readDeclared(row.text(3)),
        background: row.number(4) !== 0,
        opened: row.number(5),
        closed: row.isNull(6) ? undefined : row.number(6),
      })),
    forget(lookedAt) {
      db.run("DELETE FROM calls WHERE closed IS NOT NULL AND closed <= ?", [lookedAt]);
      for (const row of db.all("SELECT DISTINCT owner FROM calls WHERE owner <> ?", [pid])) {
        if (!deps.isAlive(row.number(0))) db.run("DELETE FROM calls WHERE owner = ?", [row.number(0)]);
      }
    },
    forgetImplied(session, except) {
      for (const call of implied) {
        if (call === except) continue;
        if (db.run("DELETE FROM calls WHERE call = ? AND session = ?", [call, session]).changed > 0) implied.delete(call);
      }
    },
    imply(window) {
      if (announced) return;
      implied.add(window.call);
      put(window);
    },
  };
}
