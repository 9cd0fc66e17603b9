// Tells a screen reader once when a session begins to need somebody, is done, or failed. Streaming text is never read out.
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { useServices } from "#renderer/stores/services.tsx";
import type { Attention } from "#shared/session/view.ts";

const TOLD: ReadonlySet<Attention> = new Set(["needs_you", "done", "failed"]);

export function Announcer() {
  const { t } = useTranslation();
  const { list } = useServices();
  const sessions = useStore(list);
  const before = useRef<ReadonlyMap<string, Attention>>(undefined);
  const [words, setWords] = useState("");
  useEffect(() => {
    const entered = sessions.filter(
      (session) => TOLD.has(session.attention) && before.current !== undefined && before.current.get(session.id) !== session.attention,
    );
    before.current = new Map(sessions.map((session) => [session.id, session.attention]));
    if (entered.length > 0) setWords(entered.map((session) => t(`announce.${session.attention}`, { title: session.title })).join(" "));
  }, [sessions, t]);
  return (
    <div role="status" aria-live="polite" className="sr-only" data-testid="announcer">
      {words}
    </div>
  );
}
