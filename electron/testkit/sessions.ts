// Sessions on a real disk with a scripted turn instead of a loop.
import { randomUUID } from "node:crypto";
import { mkdtemp, mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "#shared/chat/blocks.ts";
import { NO_USAGE } from "#shared/chat/usage.ts";
import { ReplyId } from "#shared/lib/ids.ts";
import { err } from "#shared/lib/result.ts";
import type { TurnEnd } from "#shared/loop/turn-end.ts";
import { createSystemClock } from "#electron/lib/clock.ts";
import { createScope } from "#electron/lib/scope.ts";
import type { LoopEvent } from "#electron/loop/contract.ts";
import type { OpenTurn } from "#electron/sessions/contract.ts";
import { createSessions, type DirectoryDeps, type Sessions } from "#electron/sessions/directory.ts";

export const MAKER = { provider: "demo", model: "demo" };
export const ANSWERED: TurnEnd = { why: "answered", steps: 1, requests: 1, lostSteps: 0 };

export function replyEvent(words: string): LoopEvent {
  return {
    type: "reply",
    step: 1,
    partial: false,
    reply: { id: ReplyId.parse(randomUUID()), blocks: [text(words)], stop: { kind: "end_turn" }, usage: NO_USAGE, by: MAKER },
  };
}

/** A turn that answers with one text. */
export const answering: OpenTurn = async () =>
  async function* () {
    yield replyEvent("hello");
    return ANSWERED;
  };

const noStore: DirectoryDeps["openStore"] = async () => err({ kind: "io", paths: [], message: "no checkpoints in this test" });

export type SessionsFixture = {
  readonly dataDir: string;
  readonly cwd: string;
  readonly sessions: Sessions;
  open(openTurn?: OpenTurn): Sessions;
  end(): Promise<void>;
};

export async function sessionsFixture(openTurn: OpenTurn = answering, openStore: DirectoryDeps["openStore"] = noStore): Promise<SessionsFixture> {
  const dataDir = await mkdtemp(join(tmpdir(), "cairn-sessions-"));
  const cwd = join(dataDir, "project");
  await mkdir(cwd);
  const opened: Sessions[] = [];
  const open = (turn: OpenTurn = openTurn) => {
    const deps: DirectoryDeps = {
      root: join(dataDir, "sessions"),
      bin: join(dataDir, "bin"),
      clock: createSystemClock(),
      newId: () => randomUUID(),
      project: () => [],
      stopGraceMs: 200,
      openStore,
      scopeFor: (id) => createScope(`session:${id}`),
      redact: (text) => text.replaceAll("sk-secret", "[secret]"),
      ended: async () => {},
      removed: async () => {},
      openTurnFor: () => turn,
    };
    const sessions = createSessions(deps);
    opened.push(sessions);
    return sessions;
  };
  return {
    dataDir,
    cwd,
    open,
    sessions: open(),
    async end() {
      await Promise.all(opened.map((each) => each.close()));
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
