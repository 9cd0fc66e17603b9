// Preview and apply of a roll-back as the panel needs them. A preview always comes first; applying takes only its plan (K5).
import { useCallback, useEffect, useMemo, useState } from "react";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import type { RollbackFailure, RollbackPick, RollbackPreview, RollbackScope } from "#shared/checkpoints/checkpoint.ts";
import type { WireError } from "#shared/ipc/define.ts";
import type { CheckpointId, TurnId } from "#shared/lib/ids.ts";

type Failure = RollbackFailure | WireError;
export type PreviewState =
  | { readonly kind: "loading" }
  | { readonly kind: "ready"; readonly preview: RollbackPreview }
  | { readonly kind: "failed"; readonly failure: Failure };

export type Rollback = {
  readonly state: PreviewState;
  /** there is a preview, and nothing is on its way */
  readonly isIdle: boolean;
  readonly applying: { readonly done: number; readonly of: number } | undefined;
  /** Goes back; undefined = all that the preview offers. True when it is done. */
  readonly apply: (some: Pick<RollbackPick, "files" | "overwrite"> | undefined) => Promise<boolean>;
};

export type RollbackWish = {
  readonly target: CheckpointId;
  readonly scope: RollbackScope;
  /** only this turn's work; later turns stay */
  readonly turn: TurnId | undefined;
  /** also what the person and others changed */
  readonly exact: boolean;
};

export function useRollback({ target, scope, turn, exact }: RollbackWish): Rollback {
  const { client } = useServices();
  const session = useSession((state) => state.view.session);
  const current = useSession((state) => state.view.current);
  const [state, setState] = useState<PreviewState>({ kind: "loading" });
  const [applying, setApplying] = useState<Rollback["applying"]>();
  const wish = useMemo(
    () => ({ session, target, scope, ...(turn === undefined ? {} : { turns: [turn] }), ...(exact ? { exact } : {}) }),
    [session, target, scope, turn, exact],
  );

  useEffect(() => {
    const abort = new AbortController();
    setState({ kind: "loading" });
    void client.checkpoints.plan(wish, abort.signal).then((result) => {
      if (!abort.signal.aborted) setState(result.ok ? { kind: "ready", preview: result.value } : { kind: "failed", failure: result.error });
    });
    return () => abort.abort();
    // A new checkpoint makes the plan stale: it is asked for again.
  }, [client, wish, current]);

  const apply = useCallback<Rollback["apply"]>(
    async (some) => {
      if (state.kind !== "ready") return false;
      setApplying({ done: 0, of: 0 });
      const planned = some === undefined ? { ok: true as const, value: state.preview } : await client.checkpoints.plan({ ...wish, ...some });
      const result = planned.ok ? await client.checkpoints.apply({ session, plan: planned.value.plan }, setApplying) : planned;
      setApplying(undefined);
      if (!result.ok) setState({ kind: "failed", failure: result.error });
      return result.ok;
    },
    [client, session, wish, state],
  );
  return { state, isIdle: state.kind === "ready" && applying === undefined, applying, apply };
}
