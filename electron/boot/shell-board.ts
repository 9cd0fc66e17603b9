// What goes on in the background of a session, for the person: seen, sent there, ended (T15, UX 1: a surface of its own with its own Stop).
import type { BackgroundWork } from "#shared/shells/background-work.ts";
import type { SessionId } from "#shared/lib/ids.ts";
import { oneLine } from "#shared/lib/text.ts";
import type { ShellBoard } from "#electron/bridge/contract.ts";
import type { BackgroundShells, ShellRunner } from "#electron/shells/contract.ts";
import type { Shells } from "./shells.ts";

const COMMAND_CHARS = 2_000;

export type ShellBoardDeps = { readonly shells: Pick<Shells, "runner" | "started" | "onStarted">; redact(text: string): string };

/** Starts nothing by itself: where no command ever ran, there is nothing to see. */
export function createShellBoard({ shells, redact }: ShellBoardDeps): ShellBoard {
  return {
    async list(session) {
      const made = shells.started();
      return made === undefined ? [] : await workOf(made, session, redact);
    },
    follow(session, listener) {
      let following: Disposable | undefined;
      let ended = false;
      const waiting = shells.onStarted(({ background }) => {
        if (ended) return;
        following = background.follow((whose) => {
          if (whose === session) listener();
        });
      });
      return {
        [Symbol.dispose]() {
          ended = true;
          waiting[Symbol.dispose]();
          following?.[Symbol.dispose]();
        },
      };
    },
    async moveToBackground(call) {
      return shells.started()?.background.moveToBackground(call) ?? false;
    },
    async stop(session, id) {
      const made = shells.started();
      const own = made === undefined ? [] : await workOf(made, session, redact);
      if (made === undefined || own.every((work) => work.id !== id)) return undefined;
      return await made.runner.end(id);
    },
  };
}

type Made = { readonly runner: ShellRunner; readonly background: BackgroundShells };

/** Background commands that run, and what commands left running although they ended. A call in the foreground has its card. */
async function workOf({ runner, background }: Made, session: SessionId, redact: (text: string) => string): Promise<readonly BackgroundWork[]> {
  const named = new Map(background.list(session).map((shell) => [shell.run.id, shell.id]));
  const living = await runner.living();
  return living
    .filter((shell) => shell.session === session && (named.has(shell.id) || shell.ended))
    .map(({ id, command, startedAt, ended, processes }) => ({
      id,
      command: redact(oneLine(command, COMMAND_CHARS)),
      startedAt,
      ended,
      processes: processes.map(({ pid, name }) => ({ pid, name: redact(name) })),
    }));
}
