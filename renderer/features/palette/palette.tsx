// ⌘K: sessions and actions by typing a few letters. Enter while an input method composes chooses nothing.
import { Command } from "cmdk";
import { FileSearch } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { isImeKey } from "#renderer/ui/ime.ts";

export type PaletteAction = {
  readonly id: string;
  readonly group: "sessions" | "actions";
  readonly title: string;
  readonly hint: string;
  readonly icon?: ReactNode;
  readonly run: () => void;
};

const ITEM = "flex cursor-default items-center gap-2.5 rounded-md px-2.5 py-1.5 text-ui data-[selected=true]:bg-sunken";

type PaletteProps = { readonly actions: readonly PaletteAction[]; readonly onClose: () => void; readonly onSearch: (query: string) => void };

export function Palette({ actions, onClose, onSearch }: PaletteProps) {
  const { t } = useTranslation();
  const [query, setQuery] = useState("");
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (isImeKey(event)) event.stopPropagation();
  };
  return (
    <Command.Dialog
      open
      onOpenChange={onClose}
      label={t("palette.label")}
      overlayClassName="fixed inset-0 z-40 bg-shade"
      contentClassName="rise fixed top-[14vh] left-1/2 z-50 w-[560px] max-w-[calc(100vw-32px)] -translate-x-1/2 overflow-hidden rounded-xl border border-line bg-raised shadow-float"
      data-testid="palette"
    >
      <div onKeyDownCapture={onKeyDown}>
        <Command.Input
          value={query}
          onValueChange={setQuery}
          placeholder={t("palette.placeholder")}
          className="selectable h-11 w-full border-b border-line-soft bg-transparent px-4 text-body text-ink focus-visible:outline-none"
        />
        <Command.List className="max-h-[380px] overflow-y-auto p-1.5 [&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-micro [&_[cmdk-group-heading]]:text-ink-3">
          <Command.Empty className="px-3 py-4 text-ui text-ink-3">{t("palette.none")}</Command.Empty>
          {(["sessions", "actions"] as const).map((group) => (
            <Command.Group key={group} heading={t(`palette.${group}`)}>
              {actions
                .filter((action) => action.group === group)
                .map((action) => (
                  <Command.Item
                    key={action.id}
                    value={`${action.title} ${action.hint} ${action.id}`}
                    onSelect={() => {
                      onClose();
                      action.run();
                    }}
                    className={ITEM}
                  >
                    {action.icon}
                    <span className="min-w-0 flex-1 truncate">{action.title}</span>
                    <span className="truncate text-small text-ink-3">{action.hint}</span>
                  </Command.Item>
                ))}
            </Command.Group>
          ))}
          {query.trim() !== "" && (
            <Command.Item forceMount value={`inside ${query}`} onSelect={() => onSearch(query)} className={ITEM} data-testid="palette-inside">
              <FileSearch size={15} className="shrink-0 text-ink-3" aria-hidden />
              <span className="min-w-0 flex-1 truncate">{t("library.searchInside", { query: query.trim() })}</span>
            </Command.Item>
          )}
        </Command.List>
      </div>
    </Command.Dialog>
  );
}
