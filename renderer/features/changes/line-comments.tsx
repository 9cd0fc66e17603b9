// Comments below a line: those that were made, and the one being written (U7). Enter adds, ⌘Enter sends them all.
import { Pencil, Trash2 } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { LineComment } from "#renderer/stores/review.ts";
import { Button, IconButton } from "#renderer/ui/button.tsx";
import { isImeKey, isPlainEnter } from "#renderer/ui/ime.ts";

type CommentBoxProps = {
  readonly line: number;
  readonly initial: string;
  readonly onAdd: (text: string) => void;
  readonly onSendAll: (text: string) => void;
  readonly onLeave: () => void;
};

export function CommentBox({ line, initial, onAdd, onSendAll, onLeave }: CommentBoxProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(initial);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (isImeKey(event)) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.repeat) {
      event.preventDefault();
      onSendAll(text);
    } else if (isPlainEnter(event) && !event.repeat) {
      event.preventDefault();
      onAdd(text);
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      onLeave();
    }
  };
  return (
    <div className="my-1 grid gap-2 border-y border-line bg-raised px-3 py-2 font-sans">
      <textarea
        ref={area}
        rows={2}
        value={text}
        aria-label={t("changes.commentLabel", { line })}
        placeholder={t("changes.commentPlaceholder")}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        className="selectable w-full resize-y rounded-md border border-line bg-paper px-2.5 py-1.5 text-ui focus:border-agent focus:outline-none"
        data-testid="comment-input"
      />
      <div className="flex items-center gap-2">
        <Button size="small" look="primary" disabled={text.trim() === ""} onClick={() => onAdd(text)} data-testid="comment-add">
          {t("changes.commentAdd")}
        </Button>
        <Button size="small" disabled={text.trim() === ""} onClick={() => onSendAll(text)} data-testid="comment-send">
          {t("changes.commentSend")}
        </Button>
        <Button size="small" look="ghost" onClick={onLeave}>
          {t("changes.commentLeave")}
        </Button>
      </div>
    </div>
  );
}

type MadeProps = { readonly comment: LineComment; readonly onEdit: () => void; readonly onRemove: () => void };

export function MadeComment({ comment, onEdit, onRemove }: MadeProps) {
  const { t } = useTranslation();
  return (
    <div className="my-1 flex items-start gap-2 border-y border-you/25 bg-you-soft px-3 py-1.5 font-sans text-ui" data-testid="made-comment">
      <p className="selectable min-w-0 flex-1 whitespace-pre-wrap [overflow-wrap:anywhere]">{comment.text}</p>
      <IconButton label={t("changes.commentEdit")} onClick={onEdit}>
        <Pencil size={13} />
      </IconButton>
      <IconButton label={t("changes.commentRemove")} onClick={onRemove}>
        <Trash2 size={13} />
      </IconButton>
    </div>
  );
}
