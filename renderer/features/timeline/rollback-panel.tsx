// What going back would do, file by file, before anything happens (K5, UX 4).
import { X } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "#renderer/stores/services.tsx";
import { useFormat } from "#renderer/i18n/format.ts";
import { Button, IconButton } from "#renderer/ui/button.tsx";
import { ChoiceCards } from "#renderer/ui/choice-cards.tsx";
import { isImeKey } from "#renderer/ui/ime.ts";
import { useDomEvent } from "#renderer/ui/use-dom-event.ts";
import type { Checkpoint, RollbackFailure, RollbackPreview, RollbackScope } from "#shared/checkpoints/checkpoint.ts";
import type { WireError } from "#shared/ipc/define.ts";
import type { CheckpointId } from "#shared/lib/ids.ts";
import { chosenFiles, isDefault } from "./chosen-files.ts";
import { PlannedFiles } from "./planned-files.tsx";
import { causeText } from "./cause-text.ts";
import { type Rollback, useRollback } from "./use-rollback.ts";

const SCOPES: readonly RollbackScope[] = ["both", "files", "conversation"];
type RollbackPanelProps = { readonly target: CheckpointId; readonly onClose: () => void; readonly onDone: () => void };

export function RollbackPanel({ target, onClose, onDone }: RollbackPanelProps) {
  const node = useSession((state) => state.view.trail.find((other) => other.checkpoint.id === target));
  return node === undefined ? null : <Panel key={target} checkpoint={node.checkpoint} onClose={onClose} onDone={onDone} />;
}

type PanelProps = { readonly checkpoint: Checkpoint; readonly onClose: () => void; readonly onDone: () => void };

function Panel({ checkpoint, onClose, onDone }: PanelProps) {
  const { t } = useTranslation("trail");
  const { moment } = useFormat();
  const [scope, setScope] = useState<RollbackScope>("both");
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), []);
  useDomEvent(panel, "keydown", (event) => {
    if (event.key !== "Escape" || isImeKey(event)) return;
    event.preventDefault();
    onClose();
  });
  return (
    <section
      ref={panel}
      tabIndex={-1}
      role="dialog"
      aria-label={t("panelLabel")}
      data-testid="rollback-preview"
      className="rise absolute right-[66px] bottom-3 z-30 flex max-h-[calc(100%-24px)] w-[380px] max-w-[calc(100%-78px)] flex-col rounded-xl border border-line bg-raised shadow-float focus-visible:outline-none"
    >
      <header className="flex items-start gap-2 px-4 pt-3.5 pb-2">
        <div className="min-w-0 flex-1">
          <h3 className="font-strong [overflow-wrap:anywhere]">{causeText(t, checkpoint.cause)}</h3>
          <p className="text-small text-ink-2">{t("panelFacts", { time: moment(checkpoint.at) })}</p>
        </div>
        <IconButton label={t("close")} onClick={onClose}>
          <X size={16} />
        </IconButton>
      </header>
      <div className="grid shrink-0 gap-2 px-4 pb-3">
        <ChoiceCards
          label={t("scopeLabel")}
          value={scope}
          onChange={setScope}
          columns={3}
          choices={SCOPES.map((value) => ({ value, title: t(`scope.${value}.name`), testId: `scope-${value}` }))}
        />
        <p className="text-small text-ink-2">{t(`scope.${scope}.text`)}</p>
      </div>
      <Preview target={checkpoint.id} scope={scope} onClose={onClose} onDone={onDone} />
    </section>
  );
}

const NOTHING_YET: Pick<RollbackPreview, "files" | "irreversible"> = { files: [], irreversible: [] };

type PreviewProps = { readonly target: CheckpointId; readonly scope: RollbackScope; readonly onClose: () => void; readonly onDone: () => void };

function Preview({ target, scope, onClose, onDone }: PreviewProps) {
  const { t } = useTranslation("trail");
  const { state, applying, apply } = useRollback(target, scope);
  const [ticks, setTicks] = useState<ReadonlyMap<string, boolean>>(new Map());
  const preview = state.kind === "ready" ? state.preview : NOTHING_YET;
  const { files, irreversible } = preview;
  const chosen = chosenFiles(files, ticks);
  const go = async (): Promise<void> => {
    if (await apply(isDefault(files, chosen) ? undefined : chosen)) onDone();
  };
  const ready = state.kind === "ready" && applying === undefined && (scope !== "files" || chosen.length > 0);
  return (
    <>
      <div className="grid min-h-0 flex-1 content-start gap-3 overflow-y-auto px-4 pb-3">
        {state.kind === "loading" && <p className="shimmer text-ui">{t("loading")}</p>}
        {state.kind === "failed" && <RollbackProblem failure={state.failure} />}
        {state.kind === "ready" && scope !== "conversation" && (
          <PlannedFiles target={target} files={files} chosen={chosen} onTick={(path, ticked) => setTicks(new Map(ticks).set(path, ticked))} />
        )}
        <Irreversible items={irreversible} />
      </div>
      <footer className="flex items-center gap-2 border-t border-line-soft px-4 py-3">
        <span className="flex-1 text-small text-ink-3">{t("canUndo")}</span>
        <Button onClick={onClose}>{t("stay")}</Button>
        <Button look="primary" disabled={!ready} onClick={() => void go()} data-testid="go-back">
          <GoWords applying={applying} count={scope === "conversation" ? 0 : chosen.length} />
        </Button>
      </footer>
    </>
  );
}

function GoWords({ applying, count }: { readonly applying: Rollback["applying"]; readonly count: number }) {
  const { t } = useTranslation("trail");
  if (applying !== undefined) return t("goingBack", { done: applying.done, of: applying.of });
  return count === 0 ? t("goBack") : t("goBackFiles", { count });
}

function Irreversible({ items }: { readonly items: RollbackPreview["irreversible"] }) {
  const { t } = useTranslation("trail");
  if (items.length === 0) return null;
  return (
    <Note title={t("irreversible.title")}>
      <ul className="grid gap-0.5">
        {items.map((item, index) => (
          <li key={index} className="[overflow-wrap:anywhere]">
            {t(`irreversible.${item.kind}`, { detail: item.detail })}
          </li>
        ))}
      </ul>
    </Note>
  );
}

function RollbackProblem({ failure }: { readonly failure: RollbackFailure | WireError }) {
  const { t } = useTranslation("trail");
  const paths = "paths" in failure ? failure.paths : [];
  return (
    <div role="alert" className="grid gap-1 rounded-md border border-bad/35 bg-bad-soft px-3 py-2 text-ui" data-testid="rollback-problem">
      <p className="font-firm">{t([`problem.${failure.kind}`, "problem.io"])}</p>
      {paths.length > 0 && <p className="selectable font-mono text-small [overflow-wrap:anywhere]">{paths.join("\n")}</p>}
      <p className="selectable text-small text-ink-2 [overflow-wrap:anywhere]">{failure.message}</p>
    </div>
  );
}

function Note({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="rounded-md border border-ask-line bg-ask-soft px-3 py-2 text-small">
      <p className="font-firm">{title}</p>
      {children}
    </div>
  );
}
