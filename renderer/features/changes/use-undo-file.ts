// Takes back one file or one hunk through a preview and its plan; what the person made stays until they choose (K5, K6).
import { useState } from "react";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import type { PlannedFile, RollbackPick } from "#shared/checkpoints/checkpoint.ts";
import type { ChangeRange } from "./change-range.ts";

export type UndoFile = {
  readonly state: "idle" | "busy" | "asking";
  readonly file: () => Promise<void>;
  readonly hunk: (index: number) => Promise<void>;
  readonly takeEarlier: () => Promise<void>;
  readonly keepMine: () => void;
};

type Wish = { readonly path: string; readonly range: ChangeRange; readonly onUndone: () => void };

const HELD: ReadonlySet<PlannedFile["action"]> = new Set(["conflict", "kept", "unavailable"]);

/** Undefined where there is nothing that could be taken back: between two points of the past. */
export function useUndoFile({ path, range, onUndone }: Wish): UndoFile | undefined {
  const { client, toasts } = useServices();
  const session = useSession((state) => state.view.session);
  const [state, setState] = useState<UndoFile["state"]>("idle");
  const { from, to, turn } = range;
  if (from === undefined || (to !== "folder" && turn === undefined)) return undefined;

  const fail = (detail: string): void => {
    setState("idle");
    toasts.show({ tone: "bad", notice: { key: "toast.takeBackFailed" }, detail });
  };
  const goBack = async (pick: Omit<RollbackPick, "scope">): Promise<void> => {
    setState("busy");
    const planned = await client.checkpoints.plan({ session, target: from, scope: "files", ...pick });
    if (!planned.ok) return fail(planned.error.message);
    const { files, plan } = planned.value;
    if (files.length > 0 && files.every((file) => HELD.has(file.action)) && pick.overwrite === undefined) {
      const [only] = files;
      return only?.action === "unavailable" ? fail(only.path) : setState("asking");
    }
    const done = await client.checkpoints.apply({ session, plan }, () => undefined);
    if (!done.ok) return fail(done.error.message);
    setState("idle");
    onUndone();
  };
  const files = { files: [path], ...(turn === undefined ? {} : { turns: [turn] }) };
  return {
    state,
    file: () => goBack(files),
    hunk: (index) => goBack({ hunks: [{ path, hunks: [index] }] }),
    takeEarlier: () => goBack({ ...files, overwrite: [path] }),
    keepMine: () => setState("idle"),
  };
}
