// Menus on radix: keyboard, type-ahead and focus return come from there, the look is ours. 1–9 choose directly.
import { DropdownMenu } from "radix-ui";
import type { KeyboardEvent, ReactNode } from "react";
import { isImeKey } from "./ime.ts";

type MenuProps = {
  readonly trigger: ReactNode;
  readonly label: string;
  readonly children: ReactNode;
  readonly align?: "start" | "end";
  readonly side?: "top" | "bottom";
  readonly width?: number;
  /** held by the caller when something else than the trigger opens it, too */
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
};

export function Menu({ trigger, label, children, align = "start", side = "bottom", width = 240, open, onOpenChange }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false} {...(open === undefined ? {} : { open })} {...(onOpenChange === undefined ? {} : { onOpenChange })}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          aria-label={label}
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          onKeyDown={chooseByNumber}
          style={{ minWidth: width }}
          className="rise z-50 max-h-[70vh] max-w-[440px] overflow-y-auto rounded-lg border border-line bg-raised p-1 text-ui text-ink shadow-float"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function chooseByNumber(event: KeyboardEvent<HTMLDivElement>): void {
  if (isImeKey(event) || event.ctrlKey || event.metaKey || event.altKey || !/^[1-9]$/.test(event.key)) return;
  const item = event.currentTarget.querySelectorAll<HTMLElement>("[role^=menuitem]:not([data-disabled])")[Number(event.key) - 1];
  if (item === undefined) return;
  event.preventDefault();
  item.click();
}

type MenuItemProps = {
  readonly children: ReactNode;
  readonly hint?: ReactNode;
  readonly checked?: boolean;
  readonly disabled?: boolean;
  readonly danger?: boolean;
  readonly onSelect: () => void;
  readonly testId?: string;
};

export function MenuItem({ children, hint, checked, disabled = false, danger = false, onSelect, testId }: MenuItemProps) {
  const inner = (
    <>
      <span className="flex w-4 shrink-0 justify-center pt-[7px]">{checked === true && <span aria-hidden className="size-1.5 rounded-full bg-agent" />}</span>
      <span className="min-w-0 flex-1">
        <span className={danger ? "text-bad" : "text-ink"}>{children}</span>
        {hint !== undefined && <span className="block text-small text-ink-3">{hint}</span>}
      </span>
    </>
  );
  const look = "flex cursor-default items-start gap-1.5 rounded-sm py-1 pr-3 pl-1 outline-none data-[disabled]:opacity-45 data-[highlighted]:bg-sunken";
  if (checked === undefined) {
    return (
      <DropdownMenu.Item className={look} disabled={disabled} onSelect={onSelect} data-testid={testId}>
        {inner}
      </DropdownMenu.Item>
    );
  }
  return (
    <DropdownMenu.CheckboxItem className={look} disabled={disabled} checked={checked} onSelect={onSelect} data-testid={testId}>
      {inner}
    </DropdownMenu.CheckboxItem>
  );
}

export function MenuLabel({ children }: { readonly children: ReactNode }) {
  return <DropdownMenu.Label className="px-2.5 pt-2 pb-1 text-micro font-firm text-ink-3">{children}</DropdownMenu.Label>;
}

export function MenuLine() {
  return <DropdownMenu.Separator className="my-1 h-px bg-line-soft" />;
}
