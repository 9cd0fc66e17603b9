// Going on from a point in a conversation of its own, beside the one that is shown (K8).
import { setDraft } from "#renderer/stores/drafts.ts";
import { splitWith } from "#renderer/stores/layout.ts";
import { useServices } from "#renderer/stores/services.tsx";
import { plainText } from "#shared/chat/blocks.ts";
import type { CheckpointId, EntryId, SessionId } from "#shared/lib/ids.ts";

export type ForkAt =
  | { readonly kind: "checkpoint"; readonly id: CheckpointId }
  | { readonly kind: "prompt"; readonly entry: EntryId }
  | { readonly kind: "end" };
export type ForkFrom = (session: SessionId, point: ForkAt, isolated: boolean) => Promise<void>;

export function useFork(): ForkFrom {
  const { client, layout, drafts, toasts } = useServices();
  return async (session, point, isolated) => {
    const forked = await client.sessions.fork({ session, point, isolated });
    if (!forked.ok) return toasts.show({ tone: "bad", notice: { key: "toast.forkFailed" }, detail: forked.error.message });
    const { session: id, prompt } = forked.value;
    if (prompt !== null) setDraft(drafts, id, plainText(prompt));
    layout.setState((state) => splitWith(state, { kind: "session", id }));
  };
}
