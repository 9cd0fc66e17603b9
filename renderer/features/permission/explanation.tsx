// "Explain": the question in plain words, from what was worked out about the call (UX 3). The call stays pending meanwhile.
import { useTranslation } from "react-i18next";
import { useServices } from "#renderer/stores/services.tsx";
import { Button } from "#renderer/ui/button.tsx";
import { VisibleText } from "#renderer/ui/visible-text.tsx";
import type { ExplainedPart, Explanation as Explained } from "#shared/permissions/explanation.ts";

export function Explanation({ id, explained }: { readonly id: string; readonly explained: Explained }) {
  const { t } = useTranslation("permission");
  const { screen } = useServices();
  return (
    <div
      id={id}
      role="region"
      aria-label={t("explain.title")}
      tabIndex={0}
      className="selectable grid max-h-[260px] gap-2 overflow-y-auto rounded-md border border-line bg-raised px-3 py-2 text-small"
      data-testid="explanation"
    >
      {explained.unread && <p>{t("explain.unread")}</p>}
      {explained.parts.length > 0 && (
        <ol className="grid gap-1.5">
          {explained.parts.map((part, index) => (
            <Part key={index} part={part} />
          ))}
        </ol>
      )}
      {explained.more > 0 && <p className="text-ink-2">{t("explain.more", { count: explained.more })}</p>}
      <Touches explained={explained} />
      <ul className="grid gap-0.5" aria-label={t("explain.undoTitle")}>
        {explained.undo.map((fact) => (
          <li key={fact}>{t(`explain.undo.${fact}`)}</li>
        ))}
      </ul>
      <p>
        {t("explain.why")} <Why explained={explained} />
      </p>
      <Button
        look="link"
        className="justify-self-start"
        onClick={() => screen.setState({ kind: "settings", section: "careful" }, true)}
        data-testid="open-rules"
      >
        {t("explain.rules")}
      </Button>
    </div>
  );
}

/** "A rule of yours asks about it: bash(git push *)" */
export function Why({ explained: { why, about } }: { readonly explained: Explained }) {
  const { t } = useTranslation("permission");
  return (
    <>
      {t(`why.${why}`)}
      {about !== undefined && about !== "" && (
        <>
          {t("explain.about")}
          <code className="font-mono [overflow-wrap:anywhere]">
            <VisibleText text={about} />
          </code>
        </>
      )}
    </>
  );
}

function Part({ part: { text, says, name, doubt } }: { readonly part: ExplainedPart }) {
  const { t } = useTranslation("permission");
  return (
    <li className="grid gap-0.5">
      <code className="font-mono [overflow-wrap:anywhere]">
        <VisibleText text={text} />
      </code>
      <span className="text-ink-2">
        <VisibleText text={t(`explain.says.${says}`, { name })} />
        {doubt !== undefined && <> {t(`explain.doubt.${doubt}`)}</>}
      </span>
    </li>
  );
}

function Touches({ explained }: { readonly explained: Explained }) {
  const { t } = useTranslation("permission");
  const rows = [
    ["deletes", explained.deletes],
    ["writes", explained.writes],
    ["reads", explained.reads],
    ["network", explained.network],
  ] as const;
  if (rows.every(([, targets]) => targets.length === 0)) return null;
  return (
    <dl className="grid gap-0.5">
      {rows.map(([kind, targets]) =>
        targets.length === 0 ? null : (
          <div key={kind} className="[overflow-wrap:anywhere]">
            <dt className="inline text-ink-2">{t(`explain.touches.${kind}`)}</dt>{" "}
            <dd className="inline font-mono">
              <VisibleText text={targets.join(", ")} />
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}
