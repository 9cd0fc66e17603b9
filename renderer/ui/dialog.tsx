// Modal questions, only for what cannot be taken back. Escape and the first button leave everything as it is.
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";

type DialogProps = {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly children: ReactNode;
  readonly testId?: string;
};

export function Dialog({ open, onOpenChange, title, children, testId }: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-shade" />
        <Radix.Content
          data-testid={testId}
          aria-describedby={undefined}
          className="rise fixed top-[18vh] left-1/2 z-50 grid w-[440px] max-w-[calc(100vw-32px)] -translate-x-1/2 gap-3 rounded-xl border border-line bg-raised p-5 shadow-float"
        >
          <Radix.Title className="text-title font-strong">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
