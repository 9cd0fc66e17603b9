// The card that asks before a risky step (P10, UX 3). Docked above the composer, takes no focus, is never the default.
import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#renderer/ui/button.tsx";
import { Tag } from "#renderer/ui/chip.tsx";
import { TextInput } from "#renderer/ui/field.tsx";
import { VisibleText } from "#renderer/ui/visible-text.tsx";
import type { Explanation as Explained } from "#shared/permissions/explanation.ts";
import type { EffectTag, PermissionAnswer, PermissionQuestion } from "#shared/permissions/question.ts";
import { Answer, AnswerRow, AskFrame, type Asked, Quote } from "./ask-frame.tsx";
import { AlwaysMenu, canRemember } from "./always-menu.tsx";
import { Explanation, Why } from "./explanation.tsx";
import { QuestionDetail } from "./question-detail.tsx";
import { useArmed } from "./use-armed.ts";
import { useCardKeys } from "./use-card-keys.ts";

type PermissionCardProps = Asked<PermissionAnswer> & { readonly question: PermissionQuestion };

const BAD_TAGS: ReadonlySet<string> = new Set(["cannot_be_undone", "deletes_files"]);

export function PermissionCard({ question, index, of, busy, onAnswer, onNext }: PermissionCardProps) {
  const { t } = useTranslation("permission");
  const card = useRef<HTMLElement>(null);
  const explanationId = useId();
  const [saying, setSaying] = useState(false);
  const [explaining, setExplaining] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const { explanation } = question;
  const { armed, isArmed } = useArmed(question.id, card);
  const answer = (given: PermissionAnswer): void => {
    if (!busy && isArmed()) onAnswer(given);
  };
  useCardKeys(card, {
    y: () => answer({ behavior: "allow" }),
    n: () => answer({ behavior: "deny" }),
    w: () => setSaying(true),
    ...(explanation === undefined ? {} : { e: () => setExplaining(!explaining) }),
    ...(canRemember(question) ? { a: () => setChoosing(isArmed()) } : {}),
  });
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
      {explanation !== undefined && <Explaining id={explanationId} explained={explanation} whole={explaining} />}
      {question.refusals > 0 && <p className="text-small text-ink-2">{t("refusals", { count: question.refusals })}</p>}
      <Tags tags={question.tags} />
      {saying ? (
        <SayWhy onCancel={() => setSaying(false)} onSend={(why) => answer(why === "" ? { behavior: "deny" } : { behavior: "deny", why })} />
      ) : (
        <Answers
          question={question}
          dead={busy || !armed}
          explaining={explanation === undefined ? undefined : explaining}
          explanationId={explanationId}
          choosing={choosing}
          onChoosing={setChoosing}
          onAnswer={answer}
          onSay={() => setSaying(true)}
          onExplain={() => setExplaining(!explaining)}
        />
      )}
    </AskFrame>
  );
}

/** Why one is asked, in a line where it is anything special; the whole explanation on request. */
function Explaining({ id, explained, whole }: { readonly id: string; readonly explained: Explained; readonly whole: boolean }) {
  const { t } = useTranslation("permission");
  return (
    <>
      {explained.why !== "not_allowed_yet" && !whole && (
        <p className="selectable text-small text-ink-2" data-testid="why">
          {t("explain.why")} <Why explained={explained} />
        </p>
      )}
      <div aria-live="polite">{whole && <Explanation id={id} explained={explained} />}</div>
    </>
  );
}

function Tags({ tags }: { readonly tags: readonly EffectTag[] }) {
  const { t } = useTranslation("permission");
  if (tags.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-1.5">
      {tags.map((tag) => (
        <Tag key={tag} tone={BAD_TAGS.has(tag) ? "bad" : "plain"}>
          {t(`tag.${tag}`)}
        </Tag>
      ))}
    </div>
  );
}

type AnswersProps = {
  readonly question: PermissionQuestion;
  readonly dead: boolean;
  /** undefined: there is nothing to explain */
  readonly explaining: boolean | undefined;
  readonly explanationId: string;
  readonly choosing: boolean;
  readonly onChoosing: (open: boolean) => void;
  readonly onAnswer: (answer: PermissionAnswer) => void;
  readonly onSay: () => void;
  readonly onExplain: () => void;
};

/** In the order of harm: what stops comes first, what allows comes last. A question of the loop itself is about going on at all. */
function Answers({ question, dead, explaining, explanationId, choosing, onChoosing, onAnswer, onSay, onExplain }: AnswersProps) {
  const { t } = useTranslation("permission");
  const byLoop = question.detail.kind === "notice";
  return (
    <AnswerRow
      first={
        <>
          <Answer dead={dead} letter={byLoop ? undefined : "N"} onPress={() => onAnswer({ behavior: "deny" })} testId="deny">
            {t(byLoop ? "stopHere" : "no")}
          </Answer>
          {!byLoop && (
            <Answer dead={dead} letter="W" onPress={onSay} testId="deny-why">
              {t("noWhy")}
            </Answer>
          )}
          {explaining !== undefined && (
            <Button
              look="ghost"
              aria-expanded={explaining}
              aria-controls={explaining ? explanationId : undefined}
              aria-keyshortcuts="e"
              title={t("key", { key: "E" })}
              onClick={onExplain}
              data-testid="explain"
            >
              {t(explaining ? "explain.less" : "explain.button")}
            </Button>
          )}
        </>
      }
      last={
        <>
          {canRemember(question) && (
            <AlwaysMenu
              question={question}
              dead={dead}
              open={choosing}
              onOpenChange={onChoosing}
              onPick={(rule, scope) => onAnswer({ behavior: "allow", remember: { rule, scope } })}
            />
          )}
          <Answer dead={dead} primary letter={byLoop ? undefined : "Y"} onPress={() => onAnswer({ behavior: "allow" })} testId="allow-once">
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
