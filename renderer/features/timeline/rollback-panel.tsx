// What going back would do, file by file, before anything happens (K5, UX 4).
import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "#renderer/stores/services.tsx";
import { useFormat } from "#renderer/i18n/format.ts";
import { causeText } from "#renderer/text/cause-text.ts";
import { Button, IconButton } from "#renderer/ui/button.tsx";
import { ChoiceCards } from "#renderer/ui/choice-cards.tsx";
import { isImeKey } from "#renderer/ui/ime.ts";
import { useDomEvent } from "#renderer/ui/use-dom-event.ts";
import type { Checkpoint, RollbackPreview, RollbackScope } from "#shared/checkpoints/checkpoint.ts";
import type { CheckpointId, TurnId } from "#shared/lib/ids.ts";
import type { TrailNode } from "#shared/session/view.ts";
import { type Choices, chosenFiles, NO_CHOICES, pickOf, takingEarlier, ticking } from "./chosen-files.ts";
import { PlannedFiles } from "./planned-files.tsx";
import { RollbackProblem } from "./rollback-problem.tsx";
import { StoneTools } from "./stone-tools.tsx";
import { type Rollback, useRollback } from "./use-rollback.ts";

const SCOPES: readonly RollbackScope[] = ["both", "files", "conversation"];
type RollbackPanelProps = {
  readonly target: CheckpointId;
  /** only this turn's work goes back, later turns stay */
  readonly turn?: TurnId | undefined;
  readonly onClose: () => void;
  readonly onDone: () => void;
  readonly onCompare: (from: CheckpointId) => void;
  readonly onFork: (at: CheckpointId, isolated: boolean) => void;
};

export function RollbackPanel({ target, turn, onCompare, onFork, ...rest }: RollbackPanelProps) {
  const node = useSession((state) => state.view.trail.find((other) => other.checkpoint.id === target));
  return node === undefined ? null : (
    <Panel
      key={`${target} ${turn ?? ""}`}
      node={node}
      turn={turn}
      onCompare={() => onCompare(target)}
      onFork={(isolated) => onFork(target, isolated)}
      {...rest}
    />
  );
}

type PanelProps = {
  readonly node: TrailNode;
  readonly turn: TurnId | undefined;
  readonly onClose: () => void;
  readonly onDone: () => void;
  readonly onCompare: () => void;
  readonly onFork: (isolated: boolean) => void;
};

function Panel({ node, turn, onClose, onDone, onCompare, onFork }: PanelProps) {
  const { t } = useTranslation("trail");
  const { moment } = useFormat();
  const [scope, setScope] = useState<RollbackScope>(turn === undefined ? "both" : "files");
  const { checkpoint } = node;
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), []);
  useDomEvent(panel, "keydown", (event) => {
    // where a name is typed, Escape takes back what was typed
    if (event.key !== "Escape" || isImeKey(event) || (event.target instanceof HTMLInputElement && event.target.type === "text")) return;
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
          <h3 className="font-strong [overflow-wrap:anywhere]">{turn === undefined ? causeText(t, node) : t("undoTurn.title")}</h3>
          <p className="text-small text-ink-2">{t("panelFacts", { time: moment(checkpoint.at) })}</p>
        </div>
        <IconButton label={t("close")} onClick={onClose}>
          <X size={16} />
        </IconButton>
      </header>
      <div className="grid shrink-0 gap-2 px-4 pb-3">
        {turn === undefined ? <StoneTools node={node} onCompare={onCompare} onFork={onFork} /> : <p className="text-small text-ink-2">{t("undoTurn.text")}</p>}
        {turn === undefined && (
          <ChoiceCards
            label={t("scopeLabel")}
            value={scope}
            onChange={setScope}
            columns={3}
            choices={SCOPES.map((value) => ({ value, title: t(`scope.${value}.name`), testId: `scope-${value}` }))}
          />
        )}
        {turn === undefined && <p className="text-small text-ink-2">{t(`scope.${scope}.text`)}</p>}
      </div>
      <Preview checkpoint={checkpoint} scope={scope} turn={turn} onClose={onClose} onDone={onDone} />
    </section>
  );
}

const NOTHING_YET: Pick<RollbackPreview, "files" | "irreversible"> = { files: [], irreversible: [] };

type PreviewProps = {
  readonly checkpoint: Checkpoint;
  readonly scope: RollbackScope;
  readonly turn: TurnId | undefined;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

function Preview({ checkpoint, scope, turn, onClose, onDone }: PreviewProps) {
  const { t } = useTranslation("trail");
  const [exact, setExact] = useState(false);
  const target = checkpoint.id;
  const withFiles = scope !== "conversation";
  const { state, isIdle, applying, apply } = useRollback({ target, scope, turn, exact });
  const [choices, setChoices] = useState<Choices>(NO_CHOICES);
  const preview = state.kind === "ready" ? state.preview : NOTHING_YET;
  const { files, irreversible } = preview;
  const chosen = chosenFiles(files, choices);
  const go = async (): Promise<void> => {
    if (await apply(pickOf(files, choices))) onDone();
  };
  const ready = isIdle && (scope !== "files" || chosen.length > 0);
  return (
    <>
      <div className="grid min-h-0 flex-1 content-start gap-3 overflow-y-auto px-4 pb-3">
        {state.kind === "loading" && <p className="shimmer text-ui">{t("loading")}</p>}
        {state.kind === "failed" && <RollbackProblem failure={state.failure} />}
        {state.kind === "ready" && withFiles && (
          <PlannedFiles
            way="back"
            target={target}
            plan={state.preview.plan}
            files={files}
            chosen={chosen}
            onTick={(path, ticked) => setChoices(ticking(choices, path, ticked))}
            onEarlier={(path, earlier) => setChoices(takingEarlier(choices, path, earlier))}
          />
        )}
        {withFiles && turn === undefined && <ExactOption exact={exact} onChange={setExact} />}
        <Irreversible items={irreversible} />
        <Uncovered checkpoint={withFiles ? checkpoint : undefined} />
      </div>
      <footer className="flex items-center gap-2 border-t border-line-soft px-4 py-3">
        <span className="flex-1 text-small text-ink-3">{t("canUndo")}</span>
        <Button onClick={onClose}>{t("stay")}</Button>
        <Button look="primary" disabled={!ready} onClick={() => void go()} data-testid="go-back">
          <GoWords applying={applying} count={chosen.length} scope={scope} />
        </Button>
      </footer>
    </>
  );
}

type GoWordsProps = { readonly applying: Rollback["applying"]; readonly count: number; readonly scope: RollbackScope };

/** Names all that goes back, not the files alone. */
function GoWords({ applying, count, scope }: GoWordsProps) {
  const { t } = useTranslation("trail");
  if (applying !== undefined) return t("goingBack", { done: applying.done, of: applying.of });
  if (scope === "files") return t("goBackFiles", { count });
  return count === 0 || scope === "conversation" ? t("goBackChat") : t("goBackBoth", { count });
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

/** Never ticked by itself: what the person made goes away with it. */
function ExactOption({ exact, onChange }: { readonly exact: boolean; readonly onChange: (exact: boolean) => void }) {
  const { t } = useTranslation("trail");
  const id = useId();
  return (
    <div className="flex items-start gap-2 text-small">
      <input
        id={id}
        aria-describedby={`${id}-text`}
        type="checkbox"
        checked={exact}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-3.5 accent-agent"
        data-testid="take-back-mine"
      />
      <div>
        <label htmlFor={id}>{t("exact.name")}</label>
        <p id={`${id}-text`} className="text-ink-3">
          {t("exact.text")}
        </p>
      </div>
    </div>
  );
}

const UNCOVERED_SHOWN = 8;

function Uncovered({ checkpoint }: { readonly checkpoint: Checkpoint | undefined }) {
  const { t } = useTranslation("trail");
  if (checkpoint === undefined || checkpoint.uncoveredCount === 0) return null;
  const { uncovered, uncoveredCount } = checkpoint;
  const shown = uncovered.slice(0, UNCOVERED_SHOWN);
  return (
    <details className="text-small text-ink-2" data-testid="uncovered">
      <summary>{t("uncovered", { count: uncoveredCount })}</summary>
      <ul className="grid gap-0.5 pt-1">
        {shown.map(({ path, why }) => (
          <li key={path} className="[overflow-wrap:anywhere]">
            {t(`why.${why}`, { path })}
          </li>
        ))}
        {uncoveredCount > shown.length && <li>{t("moreFiles", { count: uncoveredCount - shown.length })}</li>}
      </ul>
    </details>
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
