// "Always…": which rule would be kept, word for word, and how far it reaches (P5). Nothing is chosen beforehand.
import { ChevronDown } from "lucide-react";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { useServices } from "#renderer/stores/services.tsx";
import { Button } from "#renderer/ui/button.tsx";
import { Menu, MenuItem, MenuLabel, MenuLine } from "#renderer/ui/menu.tsx";
import { hasHidden, VisibleText } from "#renderer/ui/visible-text.tsx";
import { type PermissionQuestion, RuleScope } from "#shared/permissions/question.ts";

/** Only what can be seen whole may be allowed for good: hidden characters take the offer away. */
export function canRemember(question: PermissionQuestion): boolean {
  return question.suggestions.length > 0 && !hasHidden(exactText(question)) && !question.suggestions.some(hasHidden);
}

/** A star that is not escaped lets through more than what is asked now. */
function isWide(rule: string): boolean {
  return /(^|[^\\])\*/.test(rule);
}

function exactText({ detail }: PermissionQuestion): string {
  switch (detail.kind) {
    case "command":
      return detail.command;
    case "path":
      return detail.path;
    case "json":
      return detail.json;
    case "diff":
      return detail.diff.path;
    case "notice":
      return "";
  }
}

type AlwaysMenuProps = {
  readonly question: PermissionQuestion;
  readonly dead: boolean;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onPick: (rule: string, scope: RuleScope) => void;
};

export function AlwaysMenu({ question, dead, open, onOpenChange, onPick }: AlwaysMenuProps) {
  const { t } = useTranslation("permission");
  const { screen } = useServices();
  const trigger = (
    <Button aria-disabled={dead} disabled={dead} aria-keyshortcuts="a" title={t("key", { key: "A" })} data-testid="always">
      {t("always")} <ChevronDown size={14} aria-hidden />
    </Button>
  );
  return (
    <Menu trigger={trigger} label={t("always")} align="end" side="top" width={300} open={open} onOpenChange={onOpenChange}>
      {question.suggestions.map((rule, index) => (
        <Fragment key={rule}>
          {index > 0 && <MenuLine />}
          <MenuLabel>
            {t(isWide(rule) ? "ruleLabelWide" : "ruleLabel")}
            <code className="mt-1 block rounded-sm bg-sunken px-2 py-1 font-mono text-small text-ink [overflow-wrap:anywhere]">
              <VisibleText text={rule} />
            </code>
          </MenuLabel>
          {RuleScope.options.map((scope) => (
            <MenuItem key={scope} hint={t(`scope.${scope}.hint`)} onSelect={() => onPick(rule, scope)} testId={`always-${scope}`}>
              {t(`scope.${scope}.name`)}
            </MenuItem>
          ))}
        </Fragment>
      ))}
      <MenuLine />
      <MenuItem onSelect={() => screen.setState({ kind: "settings", section: "careful" }, true)} testId="always-rules">
        {t("explain.rules")}
      </MenuItem>
    </Menu>
  );
}
