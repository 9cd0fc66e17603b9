// Lines that differ because of the session, for the chip in its head. The trail knows them until some of the work was taken back:
// which lines that were stands in the files alone, so then they are compared like in the changes view (U7).
import { useEffect, useMemo, useState } from "react";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import type { TrailNode } from "#shared/session/view.ts";

export type ChangedLines = { readonly added: number; readonly removed: number };

export function useChangedLines(): ChangedLines {
  const { client } = useServices();
  const session = useSession((state) => state.view.session);
  const trail = useSession((state) => state.view.trail);
  const takenBack = useSession((state) => state.view.rows.filter((row) => row.kind === "rolled_back").length);
  const partly = useSession((state) => state.view.rows.some((row) => row.kind === "rolled_back" && row.partial));
  const told = useMemo(() => linesOf(trail), [trail]);
  const [compared, setCompared] = useState<ChangedLines>();
  const from = trail[0]?.checkpoint.id;
  useEffect(() => {
    if (!partly || from === undefined) return setCompared(undefined);
    const abort = new AbortController();
    void client.checkpoints.diff({ session, from, to: "folder" }, abort.signal).then((result) => {
      if (!abort.signal.aborted) setCompared(result.ok ? sumOf(result.value) : undefined);
    });
    return () => abort.abort();
  }, [client, session, from, trail, takenBack, partly]);
  return partly ? (compared ?? { added: 0, removed: 0 }) : told;
}

/** Lines the agent changed on the path that counts. */
function linesOf(trail: readonly TrailNode[]): ChangedLines {
  const nodes = trail.filter((node) => !node.left && node.checkpoint.cause.kind !== "rollback");
  return sumOf(nodes.flatMap((node) => node.checkpoint.changes.filter((change) => change.by !== "person")));
}

function sumOf(changes: readonly ChangedLines[]): ChangedLines {
  return { added: changes.reduce((sum, change) => sum + change.added, 0), removed: changes.reduce((sum, change) => sum + change.removed, 0) };
}
