// Unsent words by tab. They survive navigation, crash and restart (UX 2).
import { z } from "zod";
import type { StoreApi } from "zustand/vanilla";

export const Drafts = z.record(z.string(), z.string());
export type Drafts = z.infer<typeof Drafts>;

export function setDraft(store: StoreApi<Drafts>, tab: string, text: string): void {
  const { [tab]: _before, ...others } = store.getState();
  store.setState(text === "" ? others : { ...others, [tab]: text }, true);
}

/** Moves a draft to another tab, if that one has none. */
export function moveDraft(store: StoreApi<Drafts>, from: string, to: string): void {
  const { [from]: text, ...others } = store.getState();
  if (text !== undefined) store.setState({ ...others, [to]: others[to] ?? text }, true);
}
