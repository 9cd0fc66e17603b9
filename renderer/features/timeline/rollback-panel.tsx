// What going back would do, file by file, before anything happens (K5, UX 4).
import { X } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "#renderer/stores/services.tsx";
import { useFormat } from "#renderer/i18n/format.ts";
import { Button, IconButton } from "#renderer/ui/button.tsx";
import { ChoiceCards } from "#renderer/ui/choice-cards.tsx";
import { isImeKey } from "#renderer/ui/ime.ts";
import type { Checkpoint, PlannedFile, RollbackPreview, RollbackScope } from "#shared/checkpoints/checkpoint.ts";
import type { CheckpointId } from "#shared/lib/ids.ts";
import { PlannedFiles } from "./planned-files.tsx";
import { causeText } from "./cause-text.ts";
import { useRollback } from "./use-rollback.ts";

const SCOPES: readonly RollbackScope[] = ["both", "files", "conversation"];
/** These stay as they are whatever one ticks. */
const UNTOUCHED: ReadonlySet<PlannedFile["action"]> = new Set(["kept", "unavailable"]);

type RollbackPanelProps = { readonly target: CheckpointId; readonly onClose: () => void; readonly onDone: () => void };

export function RollbackPanel({ target, onClose, onDone }: RollbackPanelProps) {
  const node = useSession((state) => state.view.trail.find((other) => other.checkpoint.id === target));
  return node === undefined ? null : <Panel key={target} checkpoint={node.checkpoint} onClose={onClose} onDone={onDone} />;
}

function Panel({ checkpoint, onClose, onDone }: { readonly checkpoint: Checkpoint; readonly onClose: () => void; readonly onDone: () => void }) {
  const { t } = useTranslation("trail");
  const { moment } = useFormat();
  const [scope, setScope] = useState<RollbackScope>("both");
  const [unticked, setUnticked] = useState<ReadonlySet<string>>(new Set());
  const panel = useRef<HTMLElement>(null);
  const { state, applying, apply } = useRollback(checkpoint.id, scope);
  useEffect(() => panel.current?.focus(), []);

  const preview = state.kind === "ready" ? state.preview : undefined;
  const movable = (preview?.files ?? []).filter((file) => !UNTOUCHED.has(file.action)).map((file) => file.path);
  const ticked = movable.filter((path) => !unticked.has(path));
  const go = async (): Promise<void> => {
    if (await apply(ticked.length === movable.length ? undefined : ticked)) onDone();
  };
  const toggle = (path: string): void => {
    const next = new Set(unticked);
    if (!next.delete(path)) next.add(path);
    setUnticked(next);
  };
  const nothing = preview !== undefined && scope === "files" && ticked.length === 0;
  return (
    <section
      ref={panel}
      tabIndex={-1}
      role="dialog"
      aria-label={t("panelLabel")}
      data-testid="rollback-preview"
      className="rise absolute top-3 right-[66px] bottom-3 z-30 flex w-[380px] max-w-[calc(100%-78px)] flex-col self-end rounded-xl border border-line bg-raised shadow-float"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || isImeKey(event)) return;
        event.preventDefault();
        onClose();
      }}
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
      <div className="grid min-h-0 flex-1 content-start gap-3 overflow-y-auto px-4 pb-3">
        <ChoiceCards label={t("scopeLabel")} value={scope} onChange={setScope} columns={3} choices={SCOPES.map((value) => ({ value, title: t(`scope.${value}.name`), testId: `scope-${value}` }))} />
        <p className="text-small text-ink-2">{t(`scope.${scope}.text`)}</p>
        {state.kind === "loading" && <p className="shimmer text-ui">{t("loading")}</p>}
        {state.kind === "failed" && <RollbackProblem kind={state.failure.kind} message={state.failure.message} paths={"paths" in state.failure ? state.failure.paths : []} />}
        {preview !== undefined && scope !== "conversation" && <PlannedFiles target={checkpoint.id} files={preview.files} unticked={unticked} onToggle={toggle} />}
        {preview !== undefined && <Irreversible items={preview.irreversible} />}
      </div>
      <footer className="flex items-center gap-2 border-t border-line-soft px-4 py-3">
        <span className="flex-1 text-small text-ink-3">{t("canUndo")}</span>
        <Button onClick={onClose}>{t("stay")}</Button>
        <Button look="primary" disabled={preview === undefined || nothing || applying !== undefined} onClick={() => void go()} data-testid="go-back">
          {applying === undefined ? goWords(t, scope, ticked.length) : t("goingBack", { done: applying.done, of: applying.of })}
        </Button>
      </footer>
    </section>
  );
}

function goWords(t: (key: string, options: Record<string, unknown>) => string, scope: RollbackScope, count: number): string {
  return scope === "conversation" || count === 0 ? t("goBack", {}) : t("goBackFiles", { count });
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

export function RollbackProblem({ kind, message, paths }: { readonly kind: string; readonly message: string; readonly paths: readonly string[] }) {
  const { t } = useTranslation("trail");
  return (
    <div role="alert" className="grid gap-1 rounded-md border border-bad/35 bg-bad-soft px-3 py-2 text-ui" data-testid="rollback-problem">
      <p className="font-firm">{t([`problem.${kind}`, "problem.io"])}</p>
      {paths.length > 0 && <p className="selectable font-mono text-small [overflow-wrap:anywhere]">{paths.join("\n")}</p>}
      <p className="selectable text-small text-ink-2 [overflow-wrap:anywhere]">{message}</p>
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
