// A lock that belongs to a living process, not to an age (DESIGN decision K, case E08). Dead owners are replaced at once.
import { createHash, randomUUID } from "node:crypto";
import { link, open, readFile, unlink } from "node:fs/promises";
import { z } from "zod";

const Owner = z.object({ pid: z.number().int().positive(), start: z.string() });
type Owner = z.infer<typeof Owner>;

export type LockOutcome = { readonly kind: "held"; release(): Promise<void> } | { readonly kind: "taken"; readonly pid: number };

const ATTEMPTS = 5;
const CLAIM_CHARS = 16;

/** Takes the lock file at `path`. Rejects only when the folder cannot be written. */
export async function takeOwnerLock(path: string): Promise<LockOutcome> {
  const me: Owner = { pid: process.pid, start: await processStart(process.pid) };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await create(path, me)) return { kind: "held", release: () => unlink(path).catch(() => {}) };
    const seen = await readFile(path, "utf8").catch(() => undefined);
    if (seen === undefined) continue;
    const owner = parseOwner(seen);
    if (owner !== undefined && (await isAlive(owner))) return { kind: "taken", pid: owner.pid };
    await removeStale(path, seen, me);
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

// Many may find the same dead owner. Only who holds the claim to these very bytes may remove them, and nobody else changes them meanwhile:
// so a lock that was taken since is never removed for the one that was seen.
async function removeStale(path: string, seen: string, me: Owner): Promise<void> {
  const claim = `${path}.claim-${createHash("sha256").update(seen).digest("hex").slice(0, CLAIM_CHARS)}`;
  if (!(await create(claim, me))) return await dropDeadClaim(claim);
  try {
    if ((await readFile(path, "utf8").catch(() => undefined)) === seen) await unlink(path).catch(() => {});
  } finally {
    await unlink(claim).catch(() => {});
  }
}

/** Who died with a claim must not keep the lock from everybody for ever. */
async function dropDeadClaim(claim: string): Promise<void> {
  const content = await readFile(claim, "utf8").catch(() => undefined);
  if (content === undefined) return;
  const claimer = parseOwner(content);
  if (claimer === undefined || !(await isAlive(claimer))) await unlink(claim).catch(() => {});
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
