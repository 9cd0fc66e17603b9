// What the person should hear of, kept in the store until a session asks: it may have been found when no session was open (K9).
import { z } from "zod";
import type { Db } from "./database.ts";
import { readMeta, writeMeta } from "./parts.ts";
import { StoreNews } from "./verbs.ts";

const KEY = "untold";
const MOST = 20;
const All = z.array(StoreNews);

export function keepUntold(db: Db, news: StoreNews): void {
  writeMeta(db, KEY, JSON.stringify([...readUntold(db), news].slice(-MOST)));
}

/** Each is handed out once. */
export function takeUntold(db: Db): StoreNews[] {
  const all = readUntold(db);
  if (all.length > 0) writeMeta(db, KEY, undefined);
  return all;
}

function readUntold(db: Db): StoreNews[] {
  try {
    return All.safeParse(JSON.parse(readMeta(db, KEY) ?? "[]")).data ?? [];
  } catch {
    return [];
  }
}
