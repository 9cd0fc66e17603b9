// The hooks domain: what a folder brings along is shown, and the person decides; nothing here runs a hook.
import type { contract } from "#shared/ipc/contract.ts";
import type { HandlersOf } from "#shared/ipc/define.ts";
import { err, ok } from "#shared/lib/result.ts";
import type { BridgeDeps } from "./contract.ts";

export function hookHandlers({ hookTrust }: BridgeDeps): HandlersOf<typeof contract>["hooks"] {
  return {
    follow({ folder }, send, signal) {
      const following = hookTrust.follow(folder, send);
      signal.addEventListener("abort", () => following[Symbol.dispose](), { once: true });
    },
    async decide(decision) {
      try {
        const decided = await hookTrust.decide(decision);
        return decided.ok ? decided : err({ kind: "changed", message: "The hooks of this folder have changed since they were shown. Look at them again." });
      } catch (error) {
        return err({ kind: "failed", message: messageOf(error) });
      }
    },
    decisions: async () => ok([...(await hookTrust.decisions())]),
    forget: ({ folder }) =>
      hookTrust.forget(folder).then(
        () => ok(null),
        (error: unknown) => err({ kind: "failed", message: messageOf(error) }),
      ),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
