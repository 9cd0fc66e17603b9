// How full the model's window is, and what was spent (UX 9): a ring with the money beside it; on a press, where it all went.
import { Popover } from "radix-ui";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "#renderer/i18n/format.ts";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import { cx } from "#renderer/ui/class-names.ts";
import type { SessionView } from "#shared/session/view.ts";
import type { Spending } from "#shared/session/spending.ts";
import { shareBySource } from "./window-share.ts";

const SIZE = 16;
const RADIUS = 6;
const CIRCUMFERENCE = 2 * Math.PI * RADIUS;
/** Many requests in a row are asked about once. */
const REST_MS = 400;

export function SpendingRing() {
  const { t } = useTranslation();
  const { count, money } = useFormat();
  const used = useSession((state) => state.view.windowUsed);
  const spending = useSpending();
  if (used < 1_000 || spending === undefined) return null;
  const share = spending.window === null ? undefined : Math.min(1, used / Math.max(1, spending.window));
  const cost = spending.usd === null ? t("spending.unknown") : money(spending.usd);
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <button
          type="button"
          className="flex items-center gap-1.5 rounded-sm px-1 py-0.5 text-ink-3 tabular-nums hover:bg-sunken hover:text-ink"
          aria-label={share === undefined ? t("spending.openMoney", { money: cost }) : t("spending.open", { percent: Math.round(share * 100), money: cost })}
          data-testid="spending"
          data-level={levelOf(share ?? 0)}
        >
          {share !== undefined && <Ring share={share} />}
          {spending.usd === null ? t("composer.tokens", { thousands: count(Math.round(used / 1000)) }) : money(spending.usd)}
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          side="top"
          align="end"
          sideOffset={8}
          collisionPadding={8}
          aria-label={t("spending.title")}
          className="rise z-40 grid w-[340px] gap-3 rounded-lg border border-line bg-raised p-4 text-ui text-ink shadow-float"
          data-testid="spending-details"
        >
          <Details spending={spending} used={used} share={share} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function levelOf(share: number): "low" | "high" | "full" {
  return share >= 0.9 ? "full" : share >= 0.7 ? "high" : "low";
}

const COLOURS = { low: "var(--agent)", high: "var(--ask)", full: "var(--bad)" } as const;

function Ring({ share }: { readonly share: number }) {
  return (
    <svg width={SIZE} height={SIZE} viewBox="0 0 16 16" aria-hidden className="-rotate-90">
      <circle cx="8" cy="8" r={RADIUS} fill="none" stroke="var(--line)" strokeWidth="2.5" />
      <circle
        cx="8"
        cy="8"
        r={RADIUS}
        fill="none"
        stroke={COLOURS[levelOf(share)]}
        strokeWidth="2.5"
        strokeDasharray={`${share * CIRCUMFERENCE} ${CIRCUMFERENCE}`}
      />
    </svg>
  );
}

function Details({ spending, used, share }: { readonly spending: Spending; readonly used: number; readonly share: number | undefined }) {
  const { t } = useTranslation();
  const { count, money } = useFormat();
  const view = useSession((state) => state.view);
  const { usd, tokens, today, cacheShare, window, limits, pricesAsOf } = spending;
  return (
    <>
      <section className="grid gap-1">
        <h3 className="font-strong">{t("spending.title")}</h3>
        <Fact
          name={t("spending.conversation")}
          value={usd === null ? t("spending.unknown") : limited(money(usd), limits.sessionUsd, money)}
          hint={t("spending.tokens", { count: count(tokens) })}
        />
        <Fact name={t("spending.today")} value={limited(money(today.usd), limits.dayUsd, money)} hint={t("spending.tokens", { count: count(today.tokens) })} />
        {cacheShare !== null && <Fact name={t("spending.cache")} value={`${Math.round(cacheShare * 100)} %`} />}
        <p className="text-micro text-ink-3">{t("spending.prices", { date: pricesAsOf })}</p>
      </section>
      <section className="grid gap-1">
        <h3 className="font-strong">{share === undefined ? t("spending.windowUnknown") : t("spending.window", { percent: Math.round(share * 100) })}</h3>
        <p className="text-small text-ink-2">
          {window === null ? t("spending.usedText", { used: count(used) }) : t("spending.windowText", { used: count(used), window: count(window) })}
        </p>
        <Shares view={view} used={used} />
      </section>
    </>
  );
}

function limited(value: string, limit: number, money: (dollars: number) => string): string {
  return limit === 0 ? value : `${value} / ${money(limit)}`;
}

function Fact({ name, value, hint }: { readonly name: string; readonly value: string; readonly hint?: string }) {
  return (
    <p className="flex items-baseline gap-2">
      <span className="flex-1 text-ink-2">{name}</span>
      {hint !== undefined && <span className="shrink-0 text-small text-ink-3">{hint}</span>}
      <span className="shrink-0 tabular-nums">{value}</span>
    </p>
  );
}

function Shares({ view, used }: { readonly view: SessionView; readonly used: number }) {
  const { t } = useTranslation();
  const shares = shareBySource(view, used);
  return (
    <ul className="grid gap-1">
      {shares.map(({ source, share }) => (
        <li key={source} className="grid gap-0.5 text-small">
          <span className="flex justify-between gap-2 text-ink-2">
            <span>{t(`spending.source.${source}`)}</span>
            <span className="tabular-nums">{Math.round(share * 100)} %</span>
          </span>
          <span aria-hidden className="block h-1 overflow-hidden rounded-full bg-line-soft">
            <span className={cx("block h-full rounded-full", source === "you" ? "bg-you" : "bg-agent")} style={{ width: `${share * 100}%` }} />
          </span>
        </li>
      ))}
      <li className="text-micro text-ink-3">{t("spending.estimate")}</li>
    </ul>
  );
}

/** Asked anew after each request. */
function useSpending(): Spending | undefined {
  const { client } = useServices();
  const session = useSession((state) => state.view.session);
  const usage = useSession((state) => state.view.usage);
  const [found, setFound] = useState<Spending>();
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(() => {
      void client.sessions.spending({ session }, abort.signal).then((result) => {
        if (result.ok && !abort.signal.aborted) setFound(result.value);
      });
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [client, session, usage]);
  return found;
}
