// The card that asks before a risky step (P10, UX 3). Docked above the composer, takes no focus, is never the default.
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#renderer/ui/button.tsx";
import { Tag } from "#renderer/ui/chip.tsx";
import { TextInput } from "#renderer/ui/field.tsx";
import { VisibleText } from "#renderer/ui/visible-text.tsx";
import type { PermissionAnswer, PermissionQuestion } from "#shared/permissions/question.ts";
import { Answer, AnswerRow, AskFrame, type Asked, Quote } from "./ask-frame.tsx";
import { AlwaysMenu, canRemember } from "./always-menu.tsx";
import { QuestionDetail } from "./question-detail.tsx";
import { useArmed } from "./use-armed.ts";
import { useCardKeys } from "./use-card-keys.ts";

type PermissionCardProps = Asked<PermissionAnswer> & { readonly question: PermissionQuestion };

const BAD_TAGS: ReadonlySet<string> = new Set(["cannot_be_undone", "deletes_files"]);

export function PermissionCard({ question, index, of, busy, onAnswer, onNext }: PermissionCardProps) {
  const { t } = useTranslation("permission");
  const card = useRef<HTMLElement>(null);
  const [saying, setSaying] = useState(false);
  const { armed, isArmed } = useArmed(question.id, card);
  const answer = (given: PermissionAnswer): void => {
    if (!busy && isArmed()) onAnswer(given);
  };
  useCardKeys(card, { y: () => answer({ behavior: "allow" }), n: () => answer({ behavior: "deny" }), w: () => setSaying(true) });
  return (
    <AskFrame
      ref={card}
      id={question.id}
      testId="permission-card"
      title={
        <>
          {t(`verb.${question.verb}`)} <Subject question={question} />
        </>
      }
      {...{ index, of, onNext }}
    >
      {question.reason !== undefined && <Quote text={question.reason} />}
      <QuestionDetail detail={question.detail} />
      {question.refusals > 0 && <p className="text-small text-ink-2">{t("refusals", { count: question.refusals })}</p>}
      {question.tags.length > 0 && (
        <div className="flex flex-wrap gap-1.5">
          {question.tags.map((tag) => (
            <Tag key={tag} tone={BAD_TAGS.has(tag) ? "bad" : "plain"}>
              {t(`tag.${tag}`)}
            </Tag>
          ))}
        </div>
      )}
      {saying ? (
        <SayWhy onCancel={() => setSaying(false)} onSend={(why) => answer(why === "" ? { behavior: "deny" } : { behavior: "deny", why })} />
      ) : (
        <Answers question={question} dead={busy || !armed} onAnswer={answer} onSay={() => setSaying(true)} />
      )}
    </AskFrame>
  );
}

type AnswersProps = {
  readonly question: PermissionQuestion;
  readonly dead: boolean;
  readonly onAnswer: (answer: PermissionAnswer) => void;
  readonly onSay: () => void;
};

/** In the order of harm: what stops comes first, what allows comes last. A question of the loop itself is about going on at all. */
function Answers({ question, dead, onAnswer, onSay }: AnswersProps) {
  const { t } = useTranslation("permission");
  const byLoop = question.detail.kind === "notice";
  return (
    <AnswerRow
      first={
        <>
          <Answer dead={dead} onPress={() => onAnswer({ behavior: "deny" })} testId="deny">
            {t(byLoop ? "stopHere" : "no")}
          </Answer>
          {!byLoop && (
            <Answer dead={dead} onPress={onSay} testId="deny-why">
              {t("noWhy")}
            </Answer>
          )}
        </>
      }
      last={
        <>
          {canRemember(question) && (
            <AlwaysMenu question={question} dead={dead} onPick={(rule, scope) => onAnswer({ behavior: "allow", remember: { rule, scope } })} />
          )}
          <Answer dead={dead} primary onPress={() => onAnswer({ behavior: "allow" })} testId="allow-once">
            {t(byLoop ? "goOn" : "allowOnce")}
          </Answer>
        </>
      }
    />
  );
}

/** The title names what it is about, unless the detail below shows it anyway. */
function Subject({ question }: { readonly question: PermissionQuestion }) {
  if (question.detail.kind === "command" || question.detail.kind === "notice") return null;
  return (
    <span className="font-mono text-small font-normal">
      <VisibleText text={question.subject} />
    </span>
  );
}

function SayWhy({ onCancel, onSend }: { readonly onCancel: () => void; readonly onSend: (why: string) => void }) {
  const { t } = useTranslation("permission");
  const [why, setWhy] = useState("");
  return (
    <div className="flex flex-wrap items-center gap-2">
      <TextInput
        autoFocus
        aria-label={t("whyLabel")}
        placeholder={t("whyPlaceholder")}
        value={why}
        maxLength={2_000}
        onChange={(event) => setWhy(event.target.value)}
        onEnter={() => onSend(why.trim())}
        onEscape={onCancel}
        className="min-w-[180px] flex-1"
        data-testid="deny-reason"
      />
      <Button onClick={onCancel}>{t("cancel")}</Button>
      <Button look="primary" onClick={() => onSend(why.trim())} data-testid="deny-send">
        {t("sendNo")}
      </Button>
    </div>
  );
}
