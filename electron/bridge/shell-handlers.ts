// The shells domain: what goes on beside the conversation. Looked at again while somebody looks on, since processes end unheard.
import type { contract } from "#shared/ipc/contract.ts";
import type { HandlersOf } from "#shared/ipc/define.ts";
import { err, ok } from "#shared/lib/result.ts";
import type { Clock } from "#electron/lib/clock.ts";
import type { BridgeDeps } from "./contract.ts";

const LOOK_AGAIN_MS = 2_000;

export function shellHandlers({ shells }: BridgeDeps, clock: Clock): HandlersOf<typeof contract>["shells"] {
  return {
    follow({ session }, send, signal) {
      let timer: Disposable | undefined;
      let last = "";
      // One look after another, so that an older one never overwrites a newer one.
      let looking: Promise<void> = Promise.resolve();
      const look = () => {
        looking = looking.then(async () => {
          if (signal.aborted) return;
          const work = await shells.list(session);
          const now = JSON.stringify(work);
          if (signal.aborted) return;
          if (now !== last) send(work.map((one) => ({ ...one, processes: [...one.processes] })));
          last = now;
          timer?.[Symbol.dispose]();
          timer = work.length === 0 ? undefined : clock.schedule(LOOK_AGAIN_MS, look);
        });
      };
      const following = shells.follow(session, look);
      signal.addEventListener("abort", () => (timer?.[Symbol.dispose](), following[Symbol.dispose]()), { once: true });
      look();
    },
    async moveToBackground({ call }) {
      return (await shells.moveToBackground(call)) ? ok(null) : err({ kind: "not_running", message: "This command is already over." });
    },
    async stop({ session, id }) {
      const left = await shells.stop(session, id);
      if (left === undefined) return err({ kind: "unknown", message: "It is already over." });
      return left.length === 0 ? ok(null) : err({ kind: "unended", message: left.map(({ pid, name }) => `${name} (${pid})`).join(", ") });
    },
  };
}
