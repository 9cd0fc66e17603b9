// What waits in each composer beside the words; the bytes lie with the engine, so it survives a restart (U8).
import { z } from "zod";
import type { StoreApi } from "zustand/vanilla";
import { Attachment, MAX_ATTACHMENTS } from "#shared/attachments/attachment.ts";

export const Waiting = z.record(z.string(), z.array(Attachment));
export type Waiting = z.infer<typeof Waiting>;

const NONE: readonly Attachment[] = [];

export function waitingFor(all: Waiting, tab: string): readonly Attachment[] {
  return all[tab] ?? NONE;
}

export function setWaiting(store: StoreApi<Waiting>, tab: string, attachments: readonly Attachment[]): void {
  const { [tab]: _before, ...others } = store.getState();
  store.setState(attachments.length === 0 ? others : { ...others, [tab]: attachments.slice(0, MAX_ATTACHMENTS) }, true);
}
