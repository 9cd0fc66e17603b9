// Why a roll-back or a bringing over did not happen, and that nothing was changed.
import { useTranslation } from "react-i18next";
import type { RollbackFailure } from "#shared/checkpoints/checkpoint.ts";
import type { WireError } from "#shared/ipc/define.ts";

export function RollbackProblem({ failure }: { readonly failure: RollbackFailure | WireError }) {
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
