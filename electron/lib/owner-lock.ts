// A lock that belongs to a living process, not to an age (DESIGN decision K, case E08). Dead owners are replaced at once.
import { randomUUID } from "node:crypto";
import { link, open, readFile, rename, unlink } from "node:fs/promises";
import { z } from "zod";

const Owner = z.object({ pid: z.number().int().positive(), start: z.string() });
type Owner = z.infer<typeof Owner>;

export type LockOutcome = { readonly kind: "held"; release(): Promise<void> } | { readonly kind: "taken"; readonly pid: number };

const ATTEMPTS = 5;

/** Takes the lock file at `path`. Rejects only when the folder cannot be written. */
export async function takeOwnerLock(path: string): Promise<LockOutcome> {
  const me: Owner = { pid: process.pid, start: await processStart(process.pid) };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await create(path, me)) return { kind: "held", release: () => unlink(path).catch(() => {}) };
    const seen = await readFile(path, "utf8").catch(() => undefined);
    if (seen === undefined) continue;
    const owner = parseOwner(seen);
    if (owner !== undefined && (await isAlive(owner))) return { kind: "taken", pid: owner.pid };
    await removeStale(path, seen);
  }
  return { kind: "taken", pid: 0 };
}

async function create(path: string, owner: Owner): Promise<boolean> {
  // Written aside and linked into place, so that nobody ever reads half a lock.
  const draft = `${path}.${randomUUID()}`;
  const handle = await open(draft, "wx");
  try {
    await handle.writeFile(JSON.stringify(owner));
  } finally {
    await handle.close();
  }
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    await unlink(draft).catch(() => {});
  }
}

// Two starters may find the same dead owner: whoever moves away a lock that is not the stale one puts it back.
async function removeStale(path: string, seen: string): Promise<void> {
  const aside = `${path}.stale-${randomUUID()}`;
  const moved = await rename(path, aside).then(
    () => true,
    () => false,
  );
  if (!moved) return;
  const content = await readFile(aside, "utf8").catch(() => seen);
  if (content !== seen) await link(aside, path).catch(() => {});
  await unlink(aside).catch(() => {});
}

function parseOwner(content: string): Owner | undefined {
  try {
    const parsed = Owner.safeParse(JSON.parse(content));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

async function isAlive(owner: Owner): Promise<boolean> {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if (codeOf(error) !== "EPERM") return false;
  }
  const start = await processStart(owner.pid);
  return owner.start === "" || start === "" || start === owner.start;
}

/** Start time of a process as the system tells it; "" where it does not (then the pid alone decides). */
async function processStart(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
