// What all cards that ask share (U5): docked above the composer, takes no focus, says its place in the queue.
import type { ReactNode, RefObject } from "react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#renderer/ui/button.tsx";
import { VisibleText } from "#renderer/ui/visible-text.tsx";
import type { QuestionId } from "#shared/lib/ids.ts";

/** Where a question stands in the session's queue, and what can be done about it. */
export type Asked<A> = {
  /** place in the queue, from 1 */
  readonly index: number;
  readonly of: number;
  /** an answer is on its way */
  readonly busy: boolean;
  readonly onAnswer: (answer: A) => void;
  readonly onNext: (() => void) | undefined;
};

type AskFrameProps = Pick<Asked<never>, "index" | "of" | "onNext"> & {
  readonly ref: RefObject<HTMLElement | null>;
  readonly id: QuestionId;
  readonly testId: string;
  readonly title: ReactNode;
  readonly children: ReactNode;
};

export function AskFrame({ ref, id, testId, title, index, of, onNext, children }: AskFrameProps) {
  const titleId = useId();
  return (
    <section
      ref={ref}
      tabIndex={-1}
      role="group"
      aria-labelledby={titleId}
      data-asks
      data-testid={testId}
      data-question={id}
      className="rise measure grid gap-2.5 rounded-xl border border-ask-line bg-ask-soft px-[15px] pt-3 pb-3"
    >
      <header className="flex items-start gap-2.5">
        <span aria-hidden className="mt-[7px] size-2 shrink-0 rounded-full bg-ask" />
        <h3 id={titleId} className="selectable min-w-0 flex-1 font-strong [overflow-wrap:anywhere]">
          {title}
        </h3>
        {of > 1 && <Queue index={index} of={of} onNext={onNext} />}
      </header>
      {children}
    </section>
  );
}

function Queue({ index, of, onNext }: Pick<Asked<never>, "index" | "of" | "onNext">) {
  const { t } = useTranslation("permission");
  return (
    <button type="button" className="rounded-sm px-1 text-small text-ink-2 hover:text-ink hover:underline" onClick={onNext} data-testid="question-queue">
      {t("queue", { index, of })}
    </button>
  );
}

type AnswerProps = {
  readonly dead: boolean;
  readonly primary?: boolean;
  /** the key that does the same while the card has the focus */
  readonly letter?: string | undefined;
  readonly onPress: () => void;
  readonly testId: string;
  readonly children: ReactNode;
};

/** Looks and says disabled while dead, but keeps its place and its focus. */
export function Answer({ dead, primary = false, letter, onPress, testId, children }: AnswerProps) {
  const { t } = useTranslation("permission");
  return (
    <Button
      look={primary ? "primary" : "plain"}
      aria-disabled={dead}
      aria-keyshortcuts={letter?.toLowerCase()}
      title={letter === undefined ? undefined : t("key", { key: letter })}
      onClick={onPress}
      data-testid={testId}
    >
      {children}
    </Button>
  );
}

/** The buttons of a card: what stops or leaves it comes first, what goes on comes last. */
export function AnswerRow({ first, last }: { readonly first: ReactNode; readonly last: ReactNode }) {
  const { t } = useTranslation("permission");
  return (
    <div className="flex flex-wrap items-center gap-2" role="group" aria-label={t("answers")}>
      {first}
      <span className="ml-auto flex flex-wrap justify-end gap-2">{last}</span>
    </div>
  );
}

/** The model's words in quotes, nothing in them hidden. */
export function Quote({ text }: { readonly text: string }) {
  return (
    <p className="selectable text-ink-2">
      “<VisibleText text={text} />”
    </p>
  );
}
