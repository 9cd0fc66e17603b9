// A file that the agent and somebody else changed: both versions, and whose stays. Never guessed (K5).
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import { VisibleText } from "#renderer/ui/visible-text.tsx";
import type { TwoSides } from "#shared/checkpoints/checkpoint.ts";
import type { PlanId } from "#shared/lib/ids.ts";

const MOST_CHARS = 20_000;

type ConflictChoiceProps = { readonly way: "back" | "over"; readonly path: string; readonly earlier: boolean; readonly onChoose: (earlier: boolean) => void };

export function ConflictChoice({ way, path, earlier, onChoose }: ConflictChoiceProps) {
  const { t } = useTranslation("trail");
  return (
    <div
      role="radiogroup"
      aria-label={t("choice.label", { path })}
      className="flex flex-wrap gap-x-4 gap-y-1 px-2.5 pb-2 text-small"
      data-testid="conflict-choice"
    >
      {[false, true].map((value) => (
        <label key={String(value)} className="flex items-center gap-1.5">
          <input
            type="radio"
            name={`whose ${path}`}
            checked={earlier === value}
            onChange={() => onChoose(value)}
            className="size-3.5 accent-agent"
            data-testid={value ? "take-earlier" : "keep-mine"}
          />
          {t(value ? (way === "over" ? "bring.theirs" : "choice.earlier") : "choice.mine")}
        </label>
      ))}
    </div>
  );
}

/** The file as it is and as it was. */
export function BothSides({ way, plan, path }: { readonly way: "back" | "over"; readonly plan: PlanId; readonly path: string }) {
  const { t } = useTranslation("trail");
  const { client } = useServices();
  const session = useSession((state) => state.view.session);
  const [sides, setSides] = useState<TwoSides | "failed">();
  useEffect(() => {
    const abort = new AbortController();
    const asked = way === "over" ? client.copies.threeWay : client.checkpoints.threeWay;
    void asked({ session, plan, path }, abort.signal).then((result) => {
      if (!abort.signal.aborted) setSides(result.ok ? result.value : "failed");
    });
    return () => abort.abort();
  }, [client, session, way, plan, path]);
  if (sides === undefined) return <p className="px-3 pb-2 text-small text-ink-3">{t("loading")}</p>;
  if (sides === "failed" || sides.binary) return <p className="px-3 pb-2 text-small text-ink-3">{t("noDiff")}</p>;
  return (
    <div className="grid gap-2 border-t border-line-soft px-2.5 py-2" data-testid="both-sides">
      <Side title={t("choice.now")} text={sides.now} />
      <Side title={t(way === "over" ? "bring.inTheCopy" : "choice.then")} text={sides.target} />
    </div>
  );
}

function Side({ title, text }: { readonly title: string; readonly text: string | undefined }) {
  const { t } = useTranslation("trail");
  return (
    <section aria-label={title} className="grid gap-1">
      <h4 className="text-micro font-firm text-ink-2">{title}</h4>
      {text === undefined ? (
        <p className="text-small text-ink-3">{t("choice.absent")}</p>
      ) : (
        <pre tabIndex={0} className="selectable max-h-40 overflow-auto rounded-sm bg-sunken px-2 py-1 font-mono text-small whitespace-pre-wrap">
          <VisibleText text={text.slice(0, MOST_CHARS)} />
          {text.length > MOST_CHARS && "…"}
        </pre>
      )}
    </section>
  );
}
