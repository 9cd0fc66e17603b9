// A call that Cairn's own end cut off (S2): what is known of it, and, where nothing is, the question to the person.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import { Button } from "#renderer/ui/button.tsx";
import type { CallView } from "#shared/session/view.ts";
import { isOutcomeAsked } from "#shared/session/unknown-outcome.ts";
import type { Interrupted } from "#shared/tools/recovery.ts";

export function Interruption({ call, interrupted }: { readonly call: CallView; readonly interrupted: Interrupted }) {
  const { t } = useTranslation("cards");
  const asked = useSession((state) => isOutcomeAsked(state.view, call));
  return (
    <div className="grid gap-2 px-3 py-2 text-ui">
      <p>{t(`interrupted.${interrupted}.long`)}</p>
      <div role="status">{call.told !== undefined && <p className="text-ink-2">{t(`interrupted.${call.told}`)}</p>}</div>
      {asked && <OutcomeQuestion call={call} />}
    </div>
  );
}

function OutcomeQuestion({ call }: { readonly call: CallView }) {
  const { t } = useTranslation("cards");
  const { client, toasts } = useServices();
  const session = useSession((state) => state.view.session);
  const [sent, setSent] = useState(false);
  const tell = async (happened: boolean) => {
    setSent(true);
    const result = await client.sessions.tellOutcome({ session, call: call.id, happened });
    setSent(false);
    if (!result.ok) toasts.show({ tone: "bad", notice: { key: "toast.sendFailed" }, detail: result.error.message });
  };
  return (
    <div role="group" aria-label={t("interrupted.ask")} data-testid="outcome-question" className="flex flex-wrap items-center gap-2">
      <p className="basis-full">{t("interrupted.ask")}</p>
      <Button size="small" disabled={sent} onClick={() => void tell(true)}>
        {t("interrupted.yes")}
      </Button>
      <Button size="small" disabled={sent} onClick={() => void tell(false)}>
        {t("interrupted.no")}
      </Button>
    </div>
  );
}
