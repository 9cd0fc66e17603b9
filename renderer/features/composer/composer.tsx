// Where one writes: several lines, safe with input methods, a draft that survives everything (U8, G01).
import { ArrowUp, Square } from "lucide-react";
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { setWaiting, waitingFor } from "#renderer/stores/attachments.ts";
import { setDraft } from "#renderer/stores/drafts.ts";
import { useServices } from "#renderer/stores/services.tsx";
import { Button } from "#renderer/ui/button.tsx";
import { isImeKey, isPlainEnter } from "#renderer/ui/ime.ts";
import type { Attachment } from "#shared/attachments/attachment.ts";
import { isBlank } from "#shared/lib/text.ts";
import { AttachmentRow } from "./attachment-row.tsx";
import { type SlashCommand, useSuggest } from "./suggest.tsx";
import { type Attach, PASTED_MAX_CHARS, useAttach } from "./use-attach.ts";
import { useDrop } from "./use-drop.ts";

type ComposerProps = {
  readonly draftKey: string;
  readonly placeholder: string;
  readonly running: boolean;
  /** Stop was pressed and the turn has not ended yet: said at once, so that nobody presses again (L17) */
  readonly stopping?: boolean;
  /** pickers at the left of the bar */
  readonly children: ReactNode;
  /** facts at the right of the bar */
  readonly facts?: ReactNode;
  readonly input: RefObject<HTMLTextAreaElement | null>;
  /** False gives the words back to the composer. */
  readonly onSend: (text: string, attachments: readonly Attachment[]) => Promise<boolean>;
  /** whose files are offered after @ */
  readonly cwd: string | undefined;
  /** what is offered after / */
  readonly commands: readonly SlashCommand[];
  readonly onStop: () => void;
  /** the last message sent, for the arrow key */
  readonly lastSent?: () => string | undefined;
};

const MAX_HEIGHT_PX = 260;
/** Beyond this measuring the text costs more than it gives. */
const MEASURED_MAX_CHARS = 20_000;

export function Composer({ draftKey, placeholder, running, stopping = false, children, facts, input, cwd, commands, onSend, onStop, lastSent }: ComposerProps) {
  const { t } = useTranslation();
  const { drafts, attachments } = useServices();
  const attach = useAttach(draftKey, t("composer.pastedText"));
  const text = useStore(drafts, (all) => all[draftKey] ?? "");
  const write = (next: string): void => setDraft(drafts, draftKey, next);

  useLayoutEffect(() => fitHeight(input.current, text.length), [input, text]);
  useEffect(() => refitOnWidth(input.current), [input]);
  useEffect(() => () => drafts.flush(), [drafts]);
  const suggest = useSuggest({ text, input, cwd, commands, write });
  const empty = isBlank(text) && attach.list.length === 0;

  const send = async (): Promise<void> => {
    if (empty) return;
    const sent = attach.list;
    write("");
    setWaiting(attachments, draftKey, []);
    if (await onSend(text, sent)) return;
    if ((drafts.getState()[draftKey] ?? "") === "") write(text);
    setWaiting(attachments, draftKey, [...sent, ...waitingFor(attachments.getState(), draftKey)]);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (suggest.onKeyDown(event)) return;
    if (isPlainEnter(event)) {
      event.preventDefault();
      if (!event.repeat) void send();
    } else if (running && isStopKey(event)) {
      event.preventDefault();
      if (!stopping) onStop();
    } else if (event.key === "ArrowUp" && !isImeKey(event)) {
      recall(event, text === "" ? lastSent?.() : undefined, write);
    }
  };
  const box = useRef<HTMLDivElement>(null);
  useDrop(box, attach);
  return (
    <div
      ref={box}
      className="measure relative grid gap-1.5 rounded-xl border border-line bg-raised px-3 pt-2.5 pb-2 shadow-lift focus-within:border-line-strong"
    >
      {suggest.list}
      <AttachmentRow list={attach.list} onRemove={attach.remove} />
      <textarea
        ref={input}
        rows={1}
        value={text}
        placeholder={placeholder}
        aria-label={t("composer.label")}
        data-testid="composer-input"
        spellCheck
        {...suggest.aria}
        onChange={(event) => (write(event.target.value), suggest.look())}
        onSelect={suggest.look}
        onPaste={(event) => paste(event, attach)}
        onKeyDown={onKeyDown}
        className="selectable block w-full resize-none bg-transparent px-0.5 py-0.5 text-body text-ink focus-visible:outline-none"
      />
      <div className="flex min-w-0 items-center gap-1.5">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-1.5">{children}</div>
        <div className="flex shrink-0 items-center gap-2.5 text-small text-ink-2">
          {facts}
          {running && (
            <Button
              size="small"
              onClick={stopping ? undefined : onStop}
              aria-disabled={stopping}
              data-testid="stop"
              data-state={stopping ? "stopping" : "running"}
              title={t("composer.stopHint")}
            >
              <Square size={11} fill="currentColor" aria-hidden /> <span aria-live="polite">{t(stopping ? "composer.stopping" : "composer.stop")}</span>
            </Button>
          )}
          <Button
            size="square"
            look="primary"
            disabled={empty}
            aria-label={running ? t("composer.queue") : t("composer.send")}
            title={running ? t("composer.queue") : t("composer.send")}
            onClick={() => void send()}
            data-testid="send"
          >
            <ArrowUp size={16} aria-hidden />
          </Button>
        </div>
      </div>
    </div>
  );
}

function isStopKey(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
  return event.key === "Escape" && !event.repeat && !isImeKey(event);
}

/** Pictures and words too long for the field go along with the message instead. */
function paste(event: ClipboardEvent<HTMLTextAreaElement>, attach: Attach): void {
  const files = [...event.clipboardData.files];
  const words = event.clipboardData.getData("text/plain");
  if (files.length > 0) void attach.addFiles(files);
  else if (words.length > PASTED_MAX_CHARS) void attach.addText(words);
  else return;
  event.preventDefault();
}

/** Arrow up in an empty composer brings the last message back, to change and send again. */
function recall(event: KeyboardEvent<HTMLTextAreaElement>, last: string | undefined, write: (text: string) => void): void {
  if (last === undefined) return;
  event.preventDefault();
  write(last);
}

// A pane that is just being laid out has no width, and a pane made narrower wraps the words anew: both change the height.
function refitOnWidth(area: HTMLTextAreaElement | null): (() => void) | undefined {
  if (area === null) return undefined;
  let width = -1;
  let frame = 0;
  const observer = new ResizeObserver(() => {
    if (area.clientWidth === width) return;
    width = area.clientWidth;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => fitHeight(area, area.value.length));
  });
  observer.observe(area);
  return () => {
    cancelAnimationFrame(frame);
    observer.disconnect();
  };
}

// Chromium 114 has no `field-sizing`: the height follows the content by hand.
function fitHeight(area: HTMLTextAreaElement | null, chars: number): void {
  if (area === null) return;
  if (chars > MEASURED_MAX_CHARS) {
    area.style.height = `${MAX_HEIGHT_PX}px`;
    return;
  }
  area.style.height = "auto";
  area.style.height = `${Math.min(area.scrollHeight, MAX_HEIGHT_PX)}px`;
}
