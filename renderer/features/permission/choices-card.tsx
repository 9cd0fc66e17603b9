// The agent's own questions (T16, U5): one at a time, by number, arrow, Enter or mouse, always with the way to say it in own words.
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ChipButton } from "#renderer/ui/chip.tsx";
import { isImeKey } from "#renderer/ui/ime.ts";
import { TextInput } from "#renderer/ui/field.tsx";
import { useDomEvent } from "#renderer/ui/use-dom-event.ts";
import { VisibleText } from "#renderer/ui/visible-text.tsx";
import { visibleText } from "#shared/lib/text.ts";
import { type AskedItem, type ItemAnswer, MAX_WORDS_CHARS, type PersonAnswer, type PersonQuestion } from "#shared/questions/question.ts";
import { Answer, AnswerRow, AskFrame, type Asked } from "./ask-frame.tsx";
import { useArmed } from "./use-armed.ts";
import { hasModifier } from "./use-card-keys.ts";

type ChoicesCardProps = Asked<PersonAnswer> & { readonly question: Extract<PersonQuestion, { kind: "choices" }> };
type Draft = { readonly picked: readonly string[]; readonly words: string };
const EMPTY: Draft = { picked: [], words: "" };

export function ChoicesCard({ question, index, of, busy, onAnswer, onNext }: ChoicesCardProps) {
  const { t } = useTranslation("permission");
  const card = useRef<HTMLElement>(null);
  const [step, setStep] = useState(0);
  const [drafts, setDrafts] = useState<readonly Draft[]>(() => question.items.map(() => EMPTY));
  const { armed, isArmed } = useArmed(question.id, card);
  const item = question.items[step];
  const draft = drafts[step] ?? EMPTY;
  const last = step === question.items.length - 1;

  const change = (next: Partial<Draft>): void => setDrafts((all) => all.map((one, k) => (k === step ? { ...one, ...next } : one)));
  const pick = (label: string): void => change({ picked: toggled(draft.picked, label, item?.multiSelect ?? false) });
  const goTo = (next: number): void => {
    // What had the focus goes away with the question before.
    const inside = card.current?.contains(document.activeElement) === true;
    setStep(next);
    if (inside) card.current?.focus();
  };
  const answer = (given: PersonAnswer): void => {
    if (!busy && isArmed()) onAnswer(given);
  };
  const goOn = (): void => {
    const open = drafts.findIndex((one, k) => k !== step && !isAnswered(one));
    if (!isAnswered(draft)) return;
    if (!last) goTo(step + 1);
    else if (open >= 0) goTo(open);
    else answer({ kind: "answers", answers: drafts.map(answerOf) });
  };
  const choose = (number: number): void => {
    const choice = item?.choices[number - 1];
    if (choice !== undefined) pick(choice.label);
  };
  useDomEvent(card, "keydown", (event) => {
    const meant = meaningOf(event);
    if (meant === undefined) return;
    event.preventDefault();
    if (event.repeat) return;
    if (meant === "go_on") goOn();
    else if (meant === "first") card.current?.querySelector("input")?.focus();
    else choose(meant);
  });
  if (item === undefined) return null;
  return (
    <AskFrame ref={card} id={question.id} testId="choices-card" title={<VisibleText text={item.question} />} {...{ index, of, onNext }}>
      <Steps items={question.items} drafts={drafts} step={step} onStep={goTo} />
      <Choices key={step} item={item} draft={draft} onPick={pick} />
      <TextInput
        aria-label={t("choices.words")}
        placeholder={t("choices.wordsPlaceholder")}
        value={draft.words}
        maxLength={MAX_WORDS_CHARS}
        onChange={(event) => change({ words: event.target.value })}
        onEnter={goOn}
        onEscape={() => card.current?.focus()}
        data-testid="own-words"
      />
      <AnswerRow
        first={
          <Answer dead={busy || !armed} onPress={() => answer({ kind: "declined" })} testId="decline">
            {t("choices.decline")}
          </Answer>
        }
        last={
          <Answer dead={busy || !armed || !isAnswered(draft)} primary onPress={goOn} testId="send-answer">
            {t(last ? "choices.send" : "choices.next")}
          </Answer>
        }
      />
    </AskFrame>
  );
}

type StepsProps = {
  readonly items: readonly AskedItem[];
  readonly drafts: readonly Draft[];
  readonly step: number;
  readonly onStep: (step: number) => void;
};

/** What each question is about; with more than one, also the way between them. */
function Steps({ items, drafts, step, onStep }: StepsProps) {
  const { t } = useTranslation("permission");
  return (
    <div className="flex flex-wrap gap-1.5" role="group" aria-label={t("choices.steps")}>
      {items.map((item, k) => (
        <ChipButton key={k} aria-pressed={k === step} aria-current={k === step ? "step" : undefined} onClick={() => onStep(k)} data-testid="question-step">
          <VisibleText text={item.header} />
          {isAnswered(drafts[k] ?? EMPTY) && (
            <>
              <span aria-hidden>✓</span>
              <span className="sr-only">{t("choices.answered")}</span>
            </>
          )}
        </ChipButton>
      ))}
    </div>
  );
}

function Choices({ item, draft, onPick }: { readonly item: AskedItem; readonly draft: Draft; readonly onPick: (label: string) => void }) {
  const { t } = useTranslation("permission");
  return (
    <div
      role={item.multiSelect ? "group" : "radiogroup"}
      aria-label={visibleText(item.question)}
      className="grid max-h-[38vh] gap-1.5 overflow-y-auto p-px"
      data-testid="choices"
    >
      {item.multiSelect && <p className="text-small text-ink-2">{t("choices.several")}</p>}
      {item.choices.map((choice, k) => (
        <label
          key={choice.label}
          className="flex items-start gap-2.5 rounded-lg border border-line bg-raised px-3 py-2 hover:border-line-strong has-[:checked]:border-agent has-[:checked]:shadow-[0_0_0_1px_var(--agent)] has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-agent"
        >
          <input
            type={item.multiSelect ? "checkbox" : "radio"}
            name={item.multiSelect ? undefined : "choice"}
            checked={draft.picked.includes(choice.label)}
            onChange={() => onPick(choice.label)}
            // A second press takes a choice back: who answers in own words wants none of them.
            onClick={() => !item.multiSelect && draft.picked.includes(choice.label) && onPick(choice.label)}
            className="mt-[3px] shrink-0 accent-(--agent)"
            data-testid="choice"
          />
          <span className="selectable grid min-w-0 flex-1 gap-0.5 [overflow-wrap:anywhere]">
            <span className="text-ui font-firm">
              <VisibleText text={choice.label} />
            </span>
            {choice.description !== "" && (
              <span className="text-small text-ink-2">
                <VisibleText text={choice.description} />
              </span>
            )}
          </span>
          <kbd aria-hidden className="shrink-0 text-micro text-ink-3 tabular-nums">
            {k + 1}
          </kbd>
        </label>
      ))}
    </div>
  );
}

function toggled(picked: readonly string[], label: string, several: boolean): readonly string[] {
  if (picked.includes(label)) return picked.filter((other) => other !== label);
  return several ? [...picked, label] : [label];
}

function isAnswered({ picked, words }: Draft): boolean {
  return picked.length > 0 || words.trim() !== "";
}

function answerOf({ picked, words }: Draft): ItemAnswer {
  const own = words.trim();
  return { picked: [...picked], ...(own === "" ? {} : { words: own }) };
}

/** A number is a choice, from 1. Writing is left alone, and on a button Enter presses that. */
function meaningOf(event: KeyboardEvent): number | "go_on" | "first" | undefined {
  if (isImeKey(event) || hasModifier(event) || isTyping(event.target)) return undefined;
  if (/^[1-9]$/.test(event.key)) return Number(event.key);
  if (event.key === "Enter") return event.target instanceof HTMLButtonElement ? undefined : "go_on";
  return event.key === "ArrowDown" && event.target === event.currentTarget ? "first" : undefined;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.type === "text";
}
