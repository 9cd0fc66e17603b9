// A rule of one's own, written by hand; said at once when it is none (P4, R4).
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useServices } from "#renderer/stores/services.tsx";
import { Button } from "#renderer/ui/button.tsx";
import { ChoiceCards } from "#renderer/ui/choice-cards.tsx";
import { Field, TextInput } from "#renderer/ui/field.tsx";
import { type RuleChangeFailure, RuleKind } from "#shared/permissions/rules-in-force.ts";

const MAX_CHARS = 2_000;

export function AddRule() {
  const { t } = useTranslation("settings");
  const { client, toasts } = useServices();
  const [rule, setRule] = useState("");
  const [kind, setKind] = useState<RuleKind>("ask");
  const [wrong, setWrong] = useState<RuleChangeFailure["kind"]>();
  const [busy, setBusy] = useState(false);
  const add = async (): Promise<void> => {
    const given = rule.trim();
    if (given === "" || busy) return;
    setBusy(true);
    const added = await client.permissions.addRule({ rule: given, kind });
    setBusy(false);
    if (!added.ok) return setWrong(added.error.kind === "wire" ? "failed" : added.error.kind);
    setWrong(undefined);
    setRule("");
    toasts.show({ notice: { key: "toast.ruleAdded", params: { rule: given } } });
  };
  return (
    <div className="grid gap-2">
      <Field label={t("careful.add")} hint={t("careful.addHint")} {...(wrong === undefined ? {} : { error: t(`careful.wrong.${wrong}`) })}>
        {(id, describedBy) => (
          <TextInput
            id={id}
            aria-describedby={describedBy}
            aria-invalid={wrong !== undefined}
            className="font-mono"
            value={rule}
            maxLength={MAX_CHARS}
            placeholder="bash(npm test *)"
            onChange={(event) => {
              setRule(event.target.value);
              setWrong(undefined);
            }}
            onEnter={() => void add()}
            data-testid="rule-text"
          />
        )}
      </Field>
      <ChoiceCards
        label={t("careful.addKind")}
        columns={3}
        value={kind}
        onChange={setKind}
        choices={RuleKind.options.map((value) => ({ value, title: t(`careful.${value}`), testId: `rule-kind-${value}` }))}
      />
      <Button className="justify-self-start" disabled={busy || rule.trim() === ""} onClick={() => void add()} data-testid="rule-add">
        {t("careful.addNow")}
      </Button>
    </div>
  );
}
