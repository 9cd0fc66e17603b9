// What a stone changed, line by line, while one looks at it (U6): asked for after a moment's rest, given up when one goes on.
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import { DiffView } from "#renderer/text/diff-view.tsx";
import type { FileDiff } from "#shared/tools/card.ts";
import type { Stone } from "./trail-geometry.ts";

/** Passing over the trail asks for nothing. */
const REST_MS = 220;
const FILES_SHOWN = 3;
const LINES_SHOWN = 8;

export function StoneDiff({ stone }: { readonly stone: Stone }) {
  const { t } = useTranslation("trail");
  const diffs = useStoneDiffs(stone);
  if (diffs === undefined) return null;
  const shown = diffs.filter((diff) => diff.binary !== true && diff.hunks.length > 0).map(changedLines);
  if (shown.length === 0) return null;
  return (
    <div className="grid gap-1.5" data-testid="stone-diff">
      {shown.map((diff) => (
        <figure key={diff.path} className="overflow-hidden rounded-md border border-line-soft">
          <figcaption className="truncate border-b border-line-soft bg-sunken/50 px-2 py-0.5 font-mono text-micro text-ink-2">{diff.path}</figcaption>
          <DiffView diff={diff} lines={LINES_SHOWN} more={t("moreLines", { count: Math.max(0, lineCount(diff) - LINES_SHOWN) })} />
        </figure>
      ))}
    </div>
  );
}

function lineCount(diff: FileDiff): number {
  return diff.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
}

/** Around a change there is no room for what did not change. */
function changedLines(diff: FileDiff): FileDiff {
  return { ...diff, hunks: diff.hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.filter((line) => line.kind !== "same") })) };
}

function useStoneDiffs({ node }: Stone): readonly FileDiff[] | undefined {
  const { client } = useServices();
  const session = useSession((state) => state.view.session);
  const [found, setFound] = useState<{ readonly id: string; readonly diffs: readonly FileDiff[] }>();
  const { id, changes } = node.checkpoint;
  const from = node.parent;
  const paths = changes.length === 0 ? undefined : changes.slice(0, FILES_SHOWN).map((change) => change.path);
  const wanted = paths?.join("\0");
  useEffect(() => {
    if (from === undefined || wanted === undefined) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      void client.checkpoints.diff({ session, from, to: id, paths: wanted.split("\0") }, abort.signal).then((result) => {
        if (result.ok && !abort.signal.aborted) setFound({ id, diffs: result.value });
      });
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [client, session, from, id, wanted]);
  return found?.id === id ? found.diffs : undefined;
}
