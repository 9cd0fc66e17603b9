// Every rule and remembered answer in force: what it says, how far it reaches, where it comes from, and its way back (P4, P5, U10).
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { useFormat } from "#renderer/i18n/format.ts";
import { useServices } from "#renderer/stores/services.tsx";
import { Button } from "#renderer/ui/button.tsx";
import { VisibleText } from "#renderer/ui/visible-text.tsx";
import type { RuleInForce } from "#shared/permissions/rules-in-force.ts";
import { RuleKind } from "#shared/permissions/rules-in-force.ts";

export function RulesList() {
  const { t } = useTranslation("settings");
  const { client, toasts } = useServices();
  const rules = useRules();
  const box = useRef<HTMLDivElement>(null);
  const [busy, setBusy] = useState<string>();
  const revoke = async (entry: RuleInForce): Promise<void> => {
    setBusy(entry.id);
    const buttons = [...(box.current?.querySelectorAll<HTMLElement>("[data-testid=rule-revoke]") ?? [])];
    const at = buttons.findIndex((button) => button.dataset["rule"] === entry.id);
    const next = buttons[at + 1] ?? buttons[at - 1] ?? box.current;
    const done = await client.permissions.revokeRule({ id: entry.id });
    setBusy(undefined);
    if (!done.ok) return toasts.show({ tone: "bad", notice: { key: "toast.ruleFailed" }, detail: done.error.message });
    toasts.show({ notice: { key: "toast.ruleRevoked", params: { rule: entry.rule } } });
    // The row goes away under the keyboard: what stands in its place is next.
    next?.focus();
  };
  if (rules === undefined) return <p className="shimmer text-ui">{t("careful.looking")}</p>;
  return (
    <div ref={box} tabIndex={-1} className="grid gap-5 outline-none">
      {RuleKind.options.map((kind) => (
        <RulesOfKind key={kind} kind={kind} rules={rules.filter((entry) => entry.kind === kind)} busy={busy} onRevoke={(entry) => void revoke(entry)} />
      ))}
    </div>
  );
}

function useRules(): readonly RuleInForce[] | undefined {
  const { client } = useServices();
  const [rules, setRules] = useState<readonly RuleInForce[]>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const following = client.permissions.followRules({}, setRules, () => setTries((count) => count + 1));
    return () => following[Symbol.dispose]();
  }, [client, tries]);
  return rules;
}

type KindProps = {
  readonly kind: RuleKind;
  readonly rules: readonly RuleInForce[];
  readonly busy: string | undefined;
  readonly onRevoke: (entry: RuleInForce) => void;
};

function RulesOfKind({ kind, rules, busy, onRevoke }: KindProps) {
  const { t } = useTranslation("settings");
  return (
    <div className="grid gap-1.5">
      <h4 id={`rules-${kind}`} className="text-small font-firm text-ink-2">
        {t(`careful.${kind}`)}
      </h4>
      {rules.length === 0 ? (
        <p className="text-small text-ink-3">{t("careful.none")}</p>
      ) : (
        <ul aria-labelledby={`rules-${kind}`} className="grid gap-px overflow-hidden rounded-lg border border-line bg-line-soft">
          {rules.map((entry) => (
            <RuleRow key={entry.id} entry={entry} busy={busy === entry.id} onRevoke={() => onRevoke(entry)} />
          ))}
        </ul>
      )}
    </div>
  );
}

function RuleRow({ entry, busy, onRevoke }: { readonly entry: RuleInForce; readonly busy: boolean; readonly onRevoke: () => void }) {
  const { t } = useTranslation("settings");
  return (
    <li className="flex items-center gap-3 bg-raised py-1.5 pr-1.5 pl-3" data-testid="rule" data-from={entry.from}>
      <span className="min-w-0 flex-1">
        <code className="selectable block font-mono text-small [overflow-wrap:anywhere]">
          <VisibleText text={entry.rule} />
        </code>
        <RuleFacts entry={entry} />
        {entry.fault !== undefined && <span className="block text-small text-bad">{t(`careful.fault.${entry.fault}`)}</span>}
      </span>
      {entry.from === "folder" ? (
        <span className="max-w-[180px] text-small text-ink-3 [overflow-wrap:anywhere]">{t("careful.changeThere")}</span>
      ) : (
        <Button
          size="small"
          aria-label={t("careful.revoke", { rule: entry.rule })}
          disabled={busy}
          onClick={onRevoke}
          data-testid="rule-revoke"
          data-rule={entry.id}
        >
          {t("careful.revokeShort")}
        </Button>
      )}
    </li>
  );
}

/** "In this folder: /home/me/work · you answered on Nov 3, 14:02 · last used today": scope, source and times in words. */
function RuleFacts({ entry }: { readonly entry: RuleInForce }) {
  const { t } = useTranslation("settings");
  const { moment } = useFormat();
  const { list } = useServices();
  const title = useStore(list, (sessions) => sessions.find(({ id }) => id === entry.session)?.title);
  const { scope, from, folder = "", file = "", grantedAt, lastUsed } = entry;
  // With the scope of one conversation its name stands there already.
  const where = scope === "session" || title === "" ? undefined : title;
  const words = [
    t(`careful.scope.${scope}`, { folder, title: title === undefined || title === "" ? t("careful.untitled") : title }),
    t(`careful.from.${from}`, { file }),
    ...(grantedAt === undefined ? [] : [t(where === undefined ? "careful.granted" : "careful.grantedIn", { time: moment(grantedAt), title: where })]),
    ...(from === "remembered" ? [lastUsed === undefined ? t("careful.neverUsed") : t("careful.used", { time: moment(lastUsed) })] : []),
  ];
  return (
    <span className="block text-small text-ink-3 [overflow-wrap:anywhere]">
      <VisibleText text={words.join(" · ")} />
    </span>
  );
}
