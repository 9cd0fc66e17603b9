// What is being looked for in which conversation: by its find bar, by keys, or because a search over all of them led here.
import { createStore, type StoreApi } from "zustand/vanilla";

/** The event that holds the words; `call`: they are in this call's result. */
export type FindPlace = { readonly seq: number; readonly call?: string };
export type Finding = {
  readonly query: string;
  /** which of the places; undefined: the first one from where the reader is, or `place` */
  readonly at: number | undefined;
  /** also in what is folded away: results of tools, thoughts, paths that were left */
  readonly folded: boolean;
  readonly place: FindPlace | undefined;
  /** steps asked for by keys of the window, since the bar knows how many places there are */
  readonly steps: { readonly by: number; readonly count: number };
  /** grows when the bar is asked for anew, so that it takes the keyboard again */
  readonly asked: number;
};
export type Finds = StoreApi<Readonly<Record<string, Finding>>>;

const NOTHING: Finding = { query: "", at: undefined, folded: false, place: undefined, steps: { by: 0, count: 0 }, asked: 0 };

export function createFinds(): Finds {
  return createStore<Readonly<Record<string, Finding>>>(() => ({}));
}

/** Opens the bar, or goes back to it with the words it had. */
export function openFind(finds: Finds, session: string): void {
  change(finds, session, (before) => ({ ...before, asked: before.asked + 1 }));
}

/** Opens the bar at a place that a search over all conversations found. */
export function findPlace(finds: Finds, session: string, words: string, place: FindPlace): void {
  change(finds, session, (before) => ({ ...before, query: words, at: undefined, folded: place.call !== undefined, place, asked: before.asked + 1 }));
}

export function findStep(finds: Finds, session: string, by: 1 | -1): void {
  change(finds, session, (before) => ({ ...before, steps: { by, count: before.steps.count + 1 } }));
}

export function setFind(finds: Finds, session: string, next: Partial<Finding>): void {
  change(finds, session, (before) => ({ ...before, ...next }));
}

export function closeFind(finds: Finds, session: string): void {
  const { [session]: _closed, ...others } = finds.getState();
  finds.setState(others, true);
}

function change(finds: Finds, session: string, next: (before: Finding) => Finding): void {
  const all = finds.getState();
  finds.setState({ ...all, [session]: next(all[session] ?? NOTHING) }, true);
}
