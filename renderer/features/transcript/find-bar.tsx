// Find in this conversation: words, "3 of 17", and what is not counted because it is folded away (UX 6).
import { ChevronDown, ChevronUp, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { type Finding, setFind } from "#renderer/stores/finds.ts";
import { useServices } from "#renderer/stores/services.tsx";
import { Button, IconButton } from "#renderer/ui/button.tsx";
import { isImeKey } from "#renderer/ui/ime.ts";
import { MAX_QUERY_CHARS } from "#shared/session/search.ts";
import { MAX_MATCHES } from "./find-matches.ts";

export type Found = {
  readonly count: number /** from 0; -1: none */;
  readonly at: number /** not counted, since it is folded away */;
  readonly folded: number;
};
type FindBarProps = {
  readonly session: string;
  readonly finding: Finding;
  readonly found: Found;
  readonly onStep: (by: number) => void;
  readonly onClose: () => void;
};

export function FindBar({ session, finding, found, onStep, onClose }: FindBarProps) {
  const { t } = useTranslation();
  const { finds } = useServices();
  const input = useRef<HTMLInputElement>(null);
  const { query, asked, folded } = finding;
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, [asked]);
  const count = found.count >= MAX_MATCHES ? `${MAX_MATCHES}+` : found.count;
  const said = found.count === 0 ? t("find.none") : t("find.count", { at: found.at + 1, count });
  return (
    <search
      aria-label={t("find.label")}
      className="rise absolute top-2 right-4 left-4 z-30 ml-auto grid max-w-[420px] gap-1 rounded-lg border border-line bg-raised py-1.5 pr-1.5 pl-3 text-ui shadow-float"
      data-testid="find-bar"
    >
      <div className="flex items-center gap-1">
        <input
          ref={input}
          value={query}
          maxLength={MAX_QUERY_CHARS}
          placeholder={t("find.placeholder")}
          aria-label={t("find.placeholder")}
          spellCheck={false}
          autoComplete="off"
          className="selectable h-7 min-w-0 flex-1 bg-transparent text-ink focus-visible:outline-none"
          onChange={(event) => setFind(finds, session, { query: event.target.value, at: undefined, place: undefined })}
          onKeyDown={(event) => {
            if (isImeKey(event) || (event.key !== "Enter" && event.key !== "Escape")) return;
            event.preventDefault();
            event.stopPropagation();
            if (event.key === "Escape") onClose();
            else onStep(event.shiftKey ? -1 : 1);
          }}
          data-testid="find-input"
        />
        <span role="status" className="min-w-[64px] shrink-0 text-right text-small text-ink-2 tabular-nums" data-testid="find-count">
          {query.trim() === "" ? "" : said}
        </span>
        <IconButton label={t("find.previous")} disabled={found.count === 0} onClick={() => onStep(-1)}>
          <ChevronUp size={15} />
        </IconButton>
        <IconButton label={t("find.next")} disabled={found.count === 0} onClick={() => onStep(1)}>
          <ChevronDown size={15} />
        </IconButton>
        <IconButton label={t("find.close")} onClick={onClose}>
          <X size={15} />
        </IconButton>
      </div>
      {(found.folded > 0 || folded) && query.trim() !== "" && (
        <div className="flex items-center gap-2 border-t border-line-soft pt-1 text-small text-ink-2" data-testid="find-folded">
          <span className="min-w-0 flex-1">{folded ? t("find.withFolded") : t("find.folded", { count: found.folded })}</span>
          <Button look="link" size="small" onClick={() => setFind(finds, session, { folded: !folded, at: undefined, place: undefined })}>
            {t(folded ? "find.exclude" : "find.include")}
          </Button>
        </div>
      )}
    </search>
  );
}
