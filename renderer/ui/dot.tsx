// State of a session at a glance. The word is there for screen readers and as tooltip; colour never says it alone.
import { useTranslation } from "react-i18next";
import type { Attention } from "#shared/session/view.ts";
import { cx } from "./class-names.ts";

const LOOKS: Readonly<Record<Attention, string>> = {
  working: "bg-agent-stone pulse-dot",
  needs_you: "bg-ask shadow-[0_0_0_3px_var(--ask-soft)]",
  done: "bg-ok-stone",
  failed: "bg-bad",
  idle: "bg-line-strong opacity-60",
};

export function StateDot({ state, silent = false }: { readonly state: Attention; readonly silent?: boolean }) {
  const { t } = useTranslation();
  const word = t(`state.${state}`);
  return (
    <span className={cx("size-2 shrink-0 rounded-full", LOOKS[state])} title={silent ? undefined : word} data-state={state}>
      {!silent && <span className="sr-only">{word}</span>}
    </span>
  );
}
