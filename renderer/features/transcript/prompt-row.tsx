// What you said. It can be said otherwise: then the conversation goes on from there, and files stay as they are (U3).
import { GitFork, Pencil } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "#renderer/i18n/format.ts";
import { setDraft } from "#renderer/stores/drafts.ts";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import { SessionPicture } from "#renderer/stores/session-picture.tsx";
import { CopyButton } from "#renderer/text/code-block.tsx";
import { Button, IconButton } from "#renderer/ui/button.tsx";
import { isImeKey, isPlainEnter } from "#renderer/ui/ime.ts";
import { plainText } from "#shared/chat/blocks.ts";
import { isBlank } from "#shared/lib/text.ts";
import type { RowOf } from "./items.ts";
import type { TranscriptActions } from "./actions.ts";
import { turnChanges } from "./turn-changes.ts";

const LONG_PROMPT_CHARS = 1_200;

type PromptRowProps = { readonly row: RowOf<"prompt">; readonly actions: Pick<TranscriptActions, "onResend" | "onUndoTurn" | "onFork"> };

export function PromptRow({ row, actions }: PromptRowProps) {
  const { drafts } = useServices();
  const session = useSession((state) => state.view.session);
  const editKey = `edit ${session} ${row.entry}`;
  // A row that scrolls out of sight is taken down: what was being written in it is kept with the other drafts.
  const [editing, setEditing] = useState(() => drafts.getState()[editKey] !== undefined);
  const pencil = useRef<HTMLButtonElement>(null);
  const [returned, setReturned] = useState(false);
  useEffect(() => {
    if (returned) pencil.current?.focus();
  }, [returned]);
  if (!editing)
    return <PromptBubble row={row} pencil={pencil} onFork={() => actions.onFork(row.entry)} onEdit={() => (setReturned(false), setEditing(true))} />;
  const close = (): void => {
    setDraft(drafts, editKey, "");
    setEditing(false);
    setReturned(true);
  };
  return <PromptEditor row={row} editKey={editKey} actions={actions} onClose={close} />;
}

type BubbleProps = {
  readonly row: RowOf<"prompt">;
  readonly pencil: React.RefObject<HTMLButtonElement | null>;
  readonly onFork: () => void;
  readonly onEdit: () => void;
};

function PromptBubble({ row, pencil, onFork, onEdit }: BubbleProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [open, setOpen] = useState(false);
  // What was said while it worked belongs to that turn: it cannot be taken out of the middle.
  const own = useSession((state) => state.view.entries[row.entry]?.kind === "prompt");
  const text = plainText(row.blocks);
  const long = text.length > LONG_PROMPT_CHARS && !open;
  return (
    <div className="group flex items-start justify-end gap-1" data-testid="prompt">
      <span className="flex items-center pt-1.5 opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100">
        <span className="pr-1 text-micro text-ink-3 tabular-nums">{format.moment(row.at)}</span>
        {own && (
          <IconButton ref={pencil} label={t("transcript.edit")} onClick={onEdit} data-testid="edit-prompt">
            <Pencil size={14} />
          </IconButton>
        )}
        {own && (
          <IconButton label={t("transcript.fork")} onClick={onFork} data-testid="fork-prompt">
            <GitFork size={14} />
          </IconButton>
        )}
        <CopyButton text={text} label={t("code.copyMessage")} />
      </span>
      <h3 className="sr-only">{t("transcript.you")}</h3>
      <div className="selectable max-w-[88%] rounded-[14px] rounded-br-[4px] bg-you-soft px-3.5 py-2 whitespace-pre-wrap [overflow-wrap:anywhere]">
        {row.blocks.map((block, index) => (block.type === "image" ? <SessionPicture key={index} picture={block.ref} mediaType={block.mediaType} /> : null))}
        {long ? `${text.slice(0, LONG_PROMPT_CHARS)}…` : text}
        {long && (
          <button type="button" className="mt-1 block text-small text-you hover:underline" onClick={() => setOpen(true)}>
            {t("transcript.showAll")}
          </button>
        )}
      </div>
    </div>
  );
}

type EditorProps = PromptRowProps & { readonly editKey: string; readonly onClose: () => void };

function PromptEditor({ row, editKey, actions, onClose }: EditorProps) {
  const { t } = useTranslation();
  const { drafts } = useServices();
  const [sending, setSending] = useState(false);
  const trail = useSession((state) => state.view.trail);
  const { start } = turnChanges(trail, row.turn);
  const input = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => drafts.getState()[editKey] ?? plainText(row.blocks));
  useEffect(() => {
    const area = input.current;
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }, []);
  const send = async (): Promise<void> => {
    if (isBlank(text) || sending) return;
    setSending(true);
    const taken = await actions.onResend(row.entry, text);
    setSending(false);
    if (taken) setDraft(drafts, editKey, "");
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (isPlainEnter(event)) {
      event.preventDefault();
      if (!event.repeat) void send();
    } else if (event.key === "Escape" && !isImeKey(event)) {
      event.preventDefault();
      event.stopPropagation();
      onClose();
    }
  };
  return (
    <div className="grid gap-2 rounded-xl border border-line-strong bg-raised px-3 pt-2.5 pb-2" data-testid="prompt-editor">
      <textarea
        ref={input}
        rows={Math.min(12, Math.max(2, text.split("\n").length))}
        value={text}
        aria-label={t("transcript.editLabel")}
        aria-describedby={`${editKey} hint`}
        spellCheck
        onChange={(event) => {
          setText(event.target.value);
          setDraft(drafts, editKey, event.target.value);
        }}
        onKeyDown={onKeyDown}
        className="selectable block w-full resize-none bg-transparent px-0.5 py-0.5 text-body text-ink focus-visible:outline-none"
        data-testid="prompt-editor-input"
      />
      <div className="flex items-end gap-2">
        <span id={`${editKey} hint`} className="min-w-0 flex-1 text-small text-ink-2">
          {t("transcript.editHint")}{" "}
          {start !== undefined && (
            <Button look="link" onClick={() => actions.onUndoTurn(start, row.turn)}>
              {t("transcript.editFiles")}
            </Button>
          )}
        </span>
        <Button size="small" onClick={onClose}>
          {t("transcript.editCancel")}
        </Button>
        <Button size="small" look="primary" disabled={isBlank(text) || sending} onClick={() => void send()} data-testid="prompt-editor-send">
          {t("transcript.editSend")}
        </Button>
      </div>
    </div>
  );
}
