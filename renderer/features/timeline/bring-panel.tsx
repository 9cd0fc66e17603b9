// What bringing the copy's work over would do to the person's folder, file by file, before anything happens (K8).
import { X } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import { Button, IconButton } from "#renderer/ui/button.tsx";
import { isImeKey } from "#renderer/ui/ime.ts";
import { useDomEvent } from "#renderer/ui/use-dom-event.ts";
import type { RollbackFailure, RollbackPreview } from "#shared/checkpoints/checkpoint.ts";
import type { CopyOf } from "#shared/events/session.ts";
import type { WireError } from "#shared/ipc/define.ts";
import { type Choices, chosenFiles, NO_CHOICES, pickOf, takingEarlier, ticking } from "./chosen-files.ts";
import { PlannedFiles } from "./planned-files.tsx";
import { RollbackProblem } from "./rollback-problem.tsx";

type State =
  | { readonly kind: "loading" | "busy" }
  | { readonly kind: "ready"; readonly preview: RollbackPreview }
  | { readonly kind: "failed"; readonly failure: RollbackFailure | WireError };

type BringPanelProps = { readonly copyOf: CopyOf; readonly onClose: () => void };

export function BringPanel({ copyOf, onClose }: BringPanelProps) {
  const { t } = useTranslation("trail");
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), []);
  useDomEvent(panel, "keydown", (event) => {
    if (event.key !== "Escape" || isImeKey(event)) return;
    event.preventDefault();
    onClose();
  });
  const { state, bring } = useBringing(onClose);
  const [choices, setChoices] = useState<Choices>(NO_CHOICES);
  const files = state.kind === "ready" ? state.preview.files : [];
  const chosen = chosenFiles(files, choices);
  return (
    <section
      ref={panel}
      tabIndex={-1}
      role="dialog"
      aria-label={t("bring.title")}
      data-testid="bring-preview"
      className="rise absolute right-[66px] bottom-3 z-30 flex max-h-[calc(100%-24px)] w-[400px] max-w-[calc(100%-78px)] flex-col rounded-xl border border-line bg-raised shadow-float focus-visible:outline-none"
    >
      <header className="flex items-start gap-2 px-4 pt-3.5 pb-2">
        <div className="min-w-0 flex-1">
          <h3 className="font-strong">{t("bring.title")}</h3>
          <p className="text-small text-ink-2 [overflow-wrap:anywhere]">{t("bring.into", { folder: copyOf.folder })}</p>
        </div>
        <IconButton label={t("close")} onClick={onClose}>
          <X size={16} />
        </IconButton>
      </header>
      <div className="grid min-h-0 flex-1 content-start gap-3 overflow-y-auto px-4 pb-3">
        {(state.kind === "loading" || state.kind === "busy") && <p className="shimmer text-ui">{t("loading")}</p>}
        {state.kind === "failed" && <RollbackProblem failure={state.failure} />}
        {state.kind === "ready" && (
          <PlannedFiles
            way="over"
            target={copyOf.base}
            plan={state.preview.plan}
            files={files}
            chosen={chosen}
            onTick={(path, ticked) => setChoices(ticking(choices, path, ticked))}
            onEarlier={(path, theirs) => setChoices(takingEarlier(choices, path, theirs))}
          />
        )}
      </div>
      <footer className="flex items-center gap-2 border-t border-line-soft px-4 py-3">
        <span className="flex-1 text-small text-ink-3">{t("canUndo")}</span>
        <Button onClick={onClose}>{t("bring.leave")}</Button>
        <Button
          look="primary"
          disabled={state.kind !== "ready" || chosen.length === 0}
          onClick={() => void bring(pickOf(files, choices))}
          data-testid="bring-over"
        >
          {t("bring.go", { count: chosen.length })}
        </Button>
      </footer>
    </section>
  );
}

type Pick = { readonly files?: readonly string[]; readonly overwrite?: readonly string[] };

function useBringing(onDone: () => void) {
  const { client } = useServices();
  const session = useSession((state) => state.view.session);
  const current = useSession((state) => state.view.current);
  const [state, setState] = useState<State>({ kind: "loading" });
  useEffect(() => {
    const abort = new AbortController();
    setState({ kind: "loading" });
    void client.copies.plan({ session }, abort.signal).then((result) => {
      if (!abort.signal.aborted) setState(result.ok ? { kind: "ready", preview: result.value } : { kind: "failed", failure: result.error });
    });
    return () => abort.abort();
  }, [client, session, current]);
  const bring = useCallback(
    async (some: Pick | undefined): Promise<void> => {
      if (state.kind !== "ready") return;
      setState({ kind: "busy" });
      const picked =
        some === undefined
          ? {}
          : { ...(some.files === undefined ? {} : { files: [...some.files] }), ...(some.overwrite === undefined ? {} : { overwrite: [...some.overwrite] }) };
      const planned = some === undefined ? { ok: true as const, value: state.preview } : await client.copies.plan({ session, ...picked });
      const done = planned.ok ? await client.copies.apply({ session, plan: planned.value.plan }) : planned;
      if (done.ok) onDone();
      else setState({ kind: "failed", failure: done.error });
    },
    [client, session, state, onDone],
  );
  return { state, bring };
}
