// The plan and what the person says to it (P2, U5): go on with or without changes, or keep planning. Nothing is the default.
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { blocksOf } from "#renderer/text/block-stream.ts";
import { MarkdownBlock } from "#renderer/text/markdown.tsx";
import { TextInput } from "#renderer/ui/field.tsx";
import { visibleText } from "#shared/lib/text.ts";
import { MAX_WORDS_CHARS, type ModeAfterPlan, type PersonAnswer, type PersonQuestion } from "#shared/questions/question.ts";
import { Answer, AnswerRow, AskFrame, type Asked } from "./ask-frame.tsx";
import { useArmed } from "./use-armed.ts";
import { useCardKeys } from "./use-card-keys.ts";

type PlanCardProps = Asked<PersonAnswer> & { readonly question: Extract<PersonQuestion, { kind: "plan" }> };

export function PlanCard({ question, index, of, busy, onAnswer, onNext }: PlanCardProps) {
  const { t } = useTranslation("permission");
  const card = useRef<HTMLElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [words, setWords] = useState("");
  const { armed, isArmed } = useArmed(question.id, card);
  const said = words.trim();
  const own = said === "" ? {} : { words: said };
  const answer = (given: PersonAnswer): void => {
    if (!busy && isArmed()) onAnswer(given);
  };
  const approve = (mode: ModeAfterPlan): void => answer({ kind: "approved", mode, ...own });
  const reject = (): void => answer({ kind: "rejected", ...own });
  useCardKeys(card, { y: () => approve("default"), e: () => approve("acceptEdits"), n: reject, w: () => input.current?.focus() });
  const dead = busy || !armed;
  return (
    <AskFrame ref={card} id={question.id} testId="plan-card" title={t("plan.title")} {...{ index, of, onNext }}>
      <Plan plan={question.plan} />
      <TextInput
        ref={input}
        aria-label={t("plan.words")}
        placeholder={t("plan.wordsPlaceholder")}
        value={words}
        maxLength={MAX_WORDS_CHARS}
        onChange={(event) => setWords(event.target.value)}
        onEscape={() => card.current?.focus()}
        data-testid="plan-words"
      />
      <AnswerRow
        first={
          <Answer dead={dead} onPress={reject} testId="plan-reject">
            {t(said === "" ? "plan.reject" : "plan.rejectWords")}
          </Answer>
        }
        last={
          <>
            <Answer dead={dead} onPress={() => approve("acceptEdits")} testId="plan-approve-edits">
              {t(said === "" ? "plan.approveEdits" : "plan.approveEditsWords")}
            </Answer>
            <Answer dead={dead} primary onPress={() => approve("default")} testId="plan-approve">
              {t(said === "" ? "plan.approve" : "plan.approveWords")}
            </Answer>
          </>
        }
      />
    </AskFrame>
  );
}

/** As Markdown, and with nothing hidden in it: the person decides on what they see. */
function Plan({ plan }: { readonly plan: string }) {
  const { t } = useTranslation("permission");
  const blocks = useMemo(() => blocksOf(visibleText(plan)), [plan]);
  return (
    <div
      className="selectable grid max-h-[min(44vh,460px)] grid-cols-[minmax(0,1fr)] gap-2.5 overflow-y-auto rounded-md border border-line bg-raised px-3.5 py-2.5"
      tabIndex={0}
      role="region"
      aria-label={t("plan.region")}
      data-testid="plan-text"
    >
      {blocks.map((block, at) => (
        <MarkdownBlock key={at} text={block} />
      ))}
    </div>
  );
}
