// The last line while a turn runs: never silence, and the truth about what is waited for (L19, L20).
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "#renderer/i18n/format.ts";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import { Button } from "#renderer/ui/button.tsx";
import { retryWhy } from "./retry-words.ts";

const TICK_MS = 1_000;

export function Working() {
  const turn = useSession((state) => state.view.turn);
  const asks = useSession((state) => state.view.pending.length > 0);
  if (turn === undefined || asks) return <div className="h-4" />;
  return <WorkingLine startedAt={turn.startedAt} />;
}

function WorkingLine({ startedAt }: { readonly startedAt: number }) {
  const { t } = useTranslation();
  const { duration } = useFormat();
  const now = useNow();
  const waiting = useSession((state) => state.live.waiting);
  const retrying = useSession((state) => state.live.retrying);
  const running = useSession((state) => Object.values(state.live.calls).some((call) => call.state === "running"));
  const words =
    retrying === undefined
      ? waiting === undefined
        ? t(running ? "working.tools" : "working.plain")
        : t(`working.${waiting.what}`, { time: duration(waiting.forMs) })
      : t("working.retrying", {
          why: t(`working.why.${retryWhy(retrying)}`),
          time: duration(Math.min(retrying.inMs, Math.max(0, Math.ceil((retrying.at - now) / 1000) * 1000))),
          attempt: retrying.attempt,
          of: retrying.of,
        });
  return (
    <div className="flex items-center gap-2.5 pb-5 text-ui text-ink-2" data-testid="working">
      <Stones />
      <span className="shimmer" title={retrying?.detail}>
        {words}
      </span>
      {(retrying !== undefined || waiting?.canRetryNow === true) && <RetryNow />}
      <span className="text-small text-ink-3 tabular-nums">{duration(Math.max(0, Math.floor((now - startedAt) / 1000) * 1000))}</span>
    </div>
  );
}

/** Nobody has to sit out a wait (L19). */
function RetryNow() {
  const { t } = useTranslation();
  const { client } = useServices();
  const session = useSession((state) => state.view.session);
  return (
    <Button data-testid="retry-now" onClick={() => void client.sessions.retryNow({ session })}>
      {t("working.retryNow")}
    </Button>
  );
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Three stones that settle: the sign of work going on. */
function Stones() {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden>
      <ellipse cx="8" cy="13" rx="6" ry="2.3" fill="var(--stone)" />
      <ellipse cx="8.4" cy="8.6" rx="4.3" ry="1.9" fill="var(--agent-stone)" className="animate-pulse" />
      <ellipse cx="7.7" cy="5" rx="2.7" ry="1.5" fill="var(--agent-stone)" className="animate-pulse [animation-delay:300ms]" />
    </svg>
  );
}
