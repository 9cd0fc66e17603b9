// Hooks that the session's folder brings along (H1): shown whole, and run only when the person trusts exactly these. Takes no focus,
// and is dead for a moment like every card that gives away a right.
import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import { Button } from "#renderer/ui/button.tsx";
import { VisibleText } from "#renderer/ui/visible-text.tsx";
import { PROJECT_HOOKS_FILE, type ProjectHook, type ProjectHooksState } from "#shared/settings/project-hooks.ts";
import { useArmed } from "./use-armed.ts";

/** `onAnswered`: focus goes back to where one was writing. */
export function ProjectHooksCard({ onAnswered }: { readonly onAnswered: () => void }) {
  const { t } = useTranslation("permission");
  const { client } = useServices();
  const folder = useSession((state) => state.view.cwd);
  const [state, setState] = useState<ProjectHooksState>();
  useEffect(() => {
    setState(undefined);
    if (folder === "") return undefined;
    const following = client.hooks.follow({ folder }, setState);
    return () => following[Symbol.dispose]();
  }, [client, folder]);
  const asks = state !== undefined && (state.decision === "open" || state.decision === "changed");
  return (
    <>
      <div role="status" className="sr-only" data-testid="project-hooks-status">
        {asks ? t(`projectHooks.${state.decision}`, { count: state.hooks.length }) : ""}
      </div>
      {asks && <Card key={state.hash} state={state} onAnswered={onAnswered} />}
    </>
  );
}

function Card({ state, onAnswered }: { readonly state: ProjectHooksState; readonly onAnswered: () => void }) {
  const { t } = useTranslation("permission");
  const { client, toasts } = useServices();
  const card = useRef<HTMLElement>(null);
  const titleId = useId();
  const [busy, setBusy] = useState(false);
  const { armed, isArmed } = useArmed(state.hash, card);
  const dead = busy || !armed;
  const decide = async (trusted: boolean): Promise<void> => {
    if (busy || !isArmed()) return;
    setBusy(true);
    const decided = await client.hooks.decide({ folder: state.folder, hash: state.hash, trusted });
    setBusy(false);
    if (!decided.ok) return toasts.show({ tone: "bad", notice: { key: "toast.answerFailed" }, detail: decided.error.message });
    onAnswered();
  };
  return (
    <section
      ref={card}
      tabIndex={-1}
      aria-labelledby={titleId}
      data-testid="project-hooks"
      className="rise measure grid gap-2.5 rounded-xl border border-ask-line bg-ask-soft px-[15px] pt-3 pb-3"
    >
      <header className="flex items-start gap-2.5">
        <span aria-hidden className="mt-[7px] size-2 shrink-0 rounded-full bg-ask" />
        <h3 id={titleId} className="min-w-0 flex-1 font-strong">
          {t(`projectHooks.${state.decision === "changed" ? "changed" : "open"}`, { count: state.hooks.length })}
        </h3>
      </header>
      <p className="text-ink-2">{t("projectHooks.text", { file: PROJECT_HOOKS_FILE })}</p>
      <ul tabIndex={0} aria-label={t("projectHooks.list")} className="grid max-h-[220px] gap-px overflow-y-auto rounded-md border border-line bg-line-soft">
        {state.hooks.map((hook, index) => (
          <HookRow key={index} hook={hook} />
        ))}
      </ul>
      {state.problems.length > 0 && (
        <p className="selectable text-small text-ink-2">
          <VisibleText text={state.problems.join("\n")} />
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2" role="group" aria-label={t("answers")}>
        <Button aria-disabled={dead} onClick={() => void decide(false)} data-testid="hooks-decline">
          {t("projectHooks.decline")}
        </Button>
        <Button look="primary" className="ml-auto" aria-disabled={dead} onClick={() => void decide(true)} data-testid="hooks-trust">
          {t("projectHooks.trust", { count: state.hooks.length })}
        </Button>
      </div>
    </section>
  );
}

function HookRow({ hook }: { readonly hook: ProjectHook }) {
  const { t } = useTranslation("permission");
  return (
    <li className="grid gap-0.5 bg-raised px-3 py-1.5 text-small">
      <span className="text-ink-2">
        {t(`projectHooks.event.${hook.event}`, { defaultValue: hook.event })}
        {hook.matcher !== "" && hook.matcher !== "*" && (
          <>
            {" · "}
            <VisibleText text={hook.matcher} />
          </>
        )}
      </span>
      <code className="selectable font-mono whitespace-pre-wrap [overflow-wrap:anywhere]">
        <VisibleText text={hook.command} />
      </code>
      {hook.files.length > 0 && (
        <span className="selectable text-ink-3 [overflow-wrap:anywhere]">
          {t("projectHooks.files")} <VisibleText text={hook.files.join(", ")} />
        </span>
      )}
    </li>
  );
}
