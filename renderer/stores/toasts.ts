// Short messages at the window's edge: what failed, and what can be done about it.
import type { Notice } from "#shared/loop/turn-end.ts";
import { createStore, type StoreApi } from "zustand/vanilla";

export type Toast = {
  readonly id: number;
  readonly tone: "plain" | "bad";
  /** i18n key with parameters */
  readonly notice: Notice;
  /** the other side's own words, shown below */
  readonly detail: string | undefined;
  readonly action: { readonly label: string; readonly run: () => void } | undefined;
};
export type NewToast = Partial<Omit<Toast, "id" | "notice">> & Pick<Toast, "notice">;

const TOASTS_KEPT = 4;

export interface Toasts {
  readonly store: StoreApi<readonly Toast[]>;
  show(toast: NewToast): void;
  dismiss(id: number): void;
}

export function createToasts(): Toasts {
  const store = createStore<readonly Toast[]>(() => []);
  let lastId = 0;
  return {
    store,
    show: (toast) => {
      const next: Toast = { tone: "plain", detail: undefined, action: undefined, ...toast, id: ++lastId };
      store.setState([...store.getState(), next].slice(-TOASTS_KEPT), true);
    },
    dismiss: (id) =>
      store.setState(
        store.getState().filter((toast) => toast.id !== id),
        true,
      ),
  };
}
