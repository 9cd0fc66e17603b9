// What the person was asked and said, as it stays readable in the conversation (U5).
import { Check } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { blocksOf } from "#renderer/text/block-stream.ts";
import { MarkdownBlock } from "#renderer/text/markdown.tsx";
import { VisibleText } from "#renderer/ui/visible-text.tsx";
import { visibleText } from "#shared/lib/text.ts";
import type { CardView } from "#shared/tools/card.ts";

export function Answers({ view }: { readonly view: Extract<CardView, { kind: "answers" }> }) {
  const { t } = useTranslation("cards");
  return (
    <dl className="selectable grid gap-2.5 px-3.5 py-2.5 text-ui [overflow-wrap:anywhere]" data-testid="answers">
      {view.items.map((item, k) => (
        <div key={k} className="grid gap-1">
          <dt className="text-ink-2">
            <VisibleText text={item.question} />
          </dt>
          {item.picked.map((label) => (
            <dd key={label} className="flex items-start gap-2 font-firm">
              <Check size={14} aria-hidden className="mt-[3px] shrink-0 text-you" />
              <span>
                <VisibleText text={label} />
              </span>
            </dd>
          ))}
          {item.words !== undefined && <OwnWords label={t("answers.words")} words={item.words} />}
          {item.picked.length === 0 && item.words === undefined && <dd className="text-ink-3">{t(view.declined ? "answers.declined" : "answers.none")}</dd>}
        </div>
      ))}
    </dl>
  );
}

function OwnWords({ label, words }: { readonly label: string; readonly words: string }) {
  return (
    <dd className="rounded-md bg-you-soft px-2.5 py-1.5 whitespace-pre-wrap">
      <span className="sr-only">{label}: </span>
      <VisibleText text={words} />
    </dd>
  );
}

export function Plan({ view }: { readonly view: Extract<CardView, { kind: "plan" }> }) {
  const { t } = useTranslation("cards");
  const blocks = useMemo(() => blocksOf(visibleText(view.plan)), [view.plan]);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2.5 px-3.5 py-2.5" data-testid="plan" data-decision={view.decision}>
      <div className="grid max-h-[360px] grid-cols-[minmax(0,1fr)] gap-2.5 overflow-y-auto" tabIndex={0} role="region" aria-label={t("tool.plan_exit.done")}>
        {blocks.map((block, k) => (
          <MarkdownBlock key={k} text={block} />
        ))}
      </div>
      {view.words !== undefined && (
        <p className="selectable rounded-md bg-you-soft px-2.5 py-1.5 text-ui whitespace-pre-wrap [overflow-wrap:anywhere]">
          <span className="sr-only">{t("plan.words")}: </span>
          <VisibleText text={view.words} />
        </p>
      )}
    </div>
  );
}
