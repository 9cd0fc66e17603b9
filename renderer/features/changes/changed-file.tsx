// One file of the changes: its difference, and its way back as a whole or hunk by hunk (U7).
import { ExternalLink, Undo2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import { Button, IconButton } from "#renderer/ui/button.tsx";
import { LineCounts } from "#renderer/ui/counts.tsx";
import { VisibleText } from "#renderer/ui/visible-text.tsx";
import type { FileDiff } from "#shared/tools/card.ts";
import type { ChangeRange } from "./change-range.ts";
import { CommentByKeys } from "./comment-by-keys.tsx";
import { FileHistory } from "./file-history.tsx";
import { CommentBox, MadeComment } from "./line-comments.tsx";
import { ReviewDiff } from "./review-diff.tsx";
import { ReviewedTick } from "./reviewed-tick.tsx";
import { isSamePlace, type LinePlace } from "./side-pairs.ts";
import type { Comments } from "./use-comments.ts";
import { type UndoFile, useUndoFile } from "./use-undo-file.ts";

const DIFF_LINES = 60;

type ChangedFileProps = {
  readonly diff: FileDiff;
  readonly range: ChangeRange;
  readonly comments: Comments;
  readonly onUndone: () => void;
  readonly onPoints: (points: Pick<ChangeRange, "from" | "to">) => void;
};

export function ChangedFile({ diff, range, comments, onUndone, onPoints }: ChangedFileProps) {
  const { t } = useTranslation();
  const { client, toasts, review } = useServices();
  const split = useStore(review, (state) => state.split);
  const [writing, setWriting] = useState<LinePlace>();
  const session = useSession((state) => state.view.session);
  const undo = useUndoFile({ path: diff.path, range, onUndone });
  const show = async (): Promise<void> => {
    const result = await client.app.showFile({ session, path: diff.path });
    if (!result.ok) toasts.show({ tone: "bad", notice: { key: "toast.showFailed" }, detail: result.error.message });
  };
  // hunks are counted against the folder as it is
  const byHunk = undo !== undefined && range.to === "folder" && diff.hunks.length > 1;
  const hunkAction = (index: number) => (
    <Button look="ghost" size="small" disabled={undo?.state !== "idle"} onClick={() => void undo?.hunk(index)} data-testid="undo-hunk">
      <Undo2 size={13} aria-hidden /> {t("changes.undoHunk", { number: index + 1 })}
    </Button>
  );
  const own = comments.all.filter((comment) => comment.path === diff.path);
  const below = (place: LinePlace) => {
    const made = own.find((comment) => isSamePlace(comment, place));
    if (isSamePlace(place, writing)) {
      const add = (text: string) => comments.put(diff.path, place, text);
      const leave = () => setWriting(undefined);
      return (
        <CommentBox
          line={place.line}
          initial={made?.text ?? ""}
          onAdd={(text) => (add(text), leave())}
          onSendAll={(text) => (void comments.send(add(text)), leave())}
          onLeave={leave}
        />
      );
    }
    return made === undefined ? null : <MadeComment comment={made} onEdit={() => setWriting(place)} onRemove={() => comments.remove(made.id)} />;
  };
  return (
    <article className="scroll-mt-3 overflow-hidden rounded-lg border border-line bg-raised" data-testid="changed-file" data-path={diff.path}>
      <header className="flex items-center gap-2.5 border-b border-line-soft py-1 pr-1.5 pl-3">
        <h3 className="selectable min-w-0 flex-1 font-mono text-small [overflow-wrap:anywhere]">
          <VisibleText text={diff.path} />
        </h3>
        <LineCounts added={diff.added} removed={diff.removed} />
        <ReviewedTick diff={diff} />
        <CommentByKeys diff={diff} onComment={setWriting} />
        <FileHistory path={diff.path} onPoints={onPoints} />
        {undo !== undefined && (
          <IconButton
            label={t("changes.undoFile", { path: diff.path })}
            disabled={undo.state !== "idle"}
            onClick={() => void undo.file()}
            data-testid="undo-file"
          >
            <Undo2 size={14} />
          </IconButton>
        )}
        <IconButton label={t("changes.open")} onClick={() => void show()}>
          <ExternalLink size={14} />
        </IconButton>
      </header>
      {undo?.state === "asking" && <WhoseStays undo={undo} />}
      <ReviewDiff diff={diff} split={split} lines={DIFF_LINES} {...(byHunk ? { hunkAction } : {})} onComment={setWriting} below={below} />
    </article>
  );
}

/** The person changed the file as well: what is theirs goes only when they say so. */
function WhoseStays({ undo }: { readonly undo: UndoFile }) {
  const { t } = useTranslation();
  return (
    <div role="alert" className="flex flex-wrap items-center gap-2 border-b border-ask-line bg-ask-soft px-3 py-1.5 text-small" data-testid="whose-stays">
      <span className="flex-1">{t("changes.bothChanged")}</span>
      <Button size="small" onClick={undo.keepMine} data-testid="undo-keep-mine">
        {t("trail:choice.mine")}
      </Button>
      <Button size="small" onClick={() => void undo.takeEarlier()} data-testid="undo-take-earlier">
        {t("trail:choice.earlier")}
      </Button>
    </div>
  );
}
