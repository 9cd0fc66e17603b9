// What goes on beside the conversation, each with its own Stop: Esc stops the turn and nothing of this (UX 1).
import { ChevronRight, SquareTerminal } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "#renderer/i18n/format.ts";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import { Button } from "#renderer/ui/button.tsx";
import { cx } from "#renderer/ui/class-names.ts";
import { VisibleText } from "#renderer/ui/visible-text.tsx";
import type { SessionId } from "#shared/lib/ids.ts";
import type { BackgroundWork } from "#shared/shells/background-work.ts";

const REOPEN_MS = 1_000;

export function BackgroundStrip() {
  const { t } = useTranslation();
  const session = useSession((state) => state.view.session);
  const work = useBackgroundWork(session);
  const [open, setOpen] = useState(false);
  if (work.length === 0) return null;
  return (
    <section
      className="rise measure overflow-hidden rounded-lg border border-line bg-raised text-ui"
      aria-label={t("background.label")}
      data-testid="background"
    >
      <button
        type="button"
        className="flex w-full items-center gap-2.5 px-3 py-1.5 text-left -outline-offset-2 hover:bg-sunken/60"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <SquareTerminal size={15} className="shrink-0 text-agent" aria-hidden />
        <span role="status" className="flex-1">
          {t("background.count", { count: work.length })}
        </span>
        <ChevronRight size={14} aria-hidden className={cx("shrink-0 text-ink-3 transition-transform duration-100", open && "rotate-90")} />
      </button>
      {open && (
        <ul className="grid max-h-[30vh] gap-px overflow-y-auto border-t border-line-soft bg-line-soft">
          {work.map((one) => (
            <WorkRow key={one.id} work={one} session={session} />
          ))}
        </ul>
      )}
    </section>
  );
}

function WorkRow({ work, session }: { readonly work: BackgroundWork; readonly session: SessionId }) {
  const { t } = useTranslation();
  const { moment } = useFormat();
  const { client, toasts } = useServices();
  const [stopping, setStopping] = useState(false);
  const stop = async (): Promise<void> => {
    setStopping(true);
    const result = await client.shells.stop({ session, id: work.id });
    if (result.ok || result.error.kind === "unknown") return;
    setStopping(false);
    toasts.show({ tone: "bad", notice: { key: "toast.notEnded" }, detail: result.error.message });
  };
  const names = work.processes.map((process) => `${process.name} (${process.pid})`).join(", ");
  return (
    <li className="flex items-center gap-3 bg-raised px-3 py-1.5" data-testid="background-work">
      <div className="min-w-0 flex-1">
        <code className="selectable block truncate font-mono text-small" title={work.command}>
          <VisibleText text={work.command} />
        </code>
        <p className="truncate text-small text-ink-3" title={names}>
          {work.ended ? t("background.left", { names }) : t("background.since", { time: moment(work.startedAt) })}
        </p>
      </div>
      <Button size="small" disabled={stopping} aria-label={t("background.stopThis", { command: work.command })} onClick={() => void stop()}>
        {stopping ? t("background.stopping") : t("background.stop")}
      </Button>
    </li>
  );
}

function useBackgroundWork(session: SessionId): readonly BackgroundWork[] {
  const { client } = useServices();
  const [work, setWork] = useState<readonly BackgroundWork[]>([]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let following: Disposable | undefined;
    const follow = (): void => {
      following = client.shells.follow({ session }, setWork, () => {
        timer = setTimeout(follow, REOPEN_MS);
      });
    };
    follow();
    return () => {
      clearTimeout(timer);
      following?.[Symbol.dispose]();
    };
  }, [client, session]);
  return work;
}
