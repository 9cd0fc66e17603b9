// One of several, each with a line of explanation: radio semantics, arrow keys from radix.
import { RadioGroup } from "radix-ui";
import { type ReactNode, useRef } from "react";
import { cx } from "./class-names.ts";

export type Choice<T extends string> = {
  readonly value: T;
  readonly title: string;
  readonly text?: string;
  readonly badge?: string;
  readonly icon?: ReactNode;
  readonly testId?: string;
};

type ChoiceCardsProps<T extends string> = {
  readonly label: string;
  readonly value: T | undefined;
  readonly choices: readonly Choice<T>[];
  readonly onChange: (value: T) => void;
  readonly columns?: 1 | 2 | 3;
};

export function ChoiceCards<T extends string>({ label, value, choices, onChange, columns = 1 }: ChoiceCardsProps<T>) {
  const picking = useRef<string>(undefined);
  const pick = (next: string): void => {
    const choice = choices.find((other) => other.value === next);
    if (choice === undefined || picking.current === next) return;
    // Radix may pick the same one in the same breath.
    picking.current = next;
    queueMicrotask(() => {
      picking.current = undefined;
    });
    onChange(choice.value);
  };
  // An arrow moves the focus a moment later. Radix picks only while the key is still down, so a quick press would move and not pick.
  const moving = useRef(false);
  return (
    <RadioGroup.Root
      aria-label={label}
      value={value ?? null}
      onValueChange={pick}
      onKeyDown={(event) => {
        moving.current = event.key.startsWith("Arrow");
      }}
      className={cx("grid gap-2", columns === 2 && "grid-cols-2", columns === 3 && "grid-cols-3")}
    >
      {choices.map((choice) => (
        <RadioGroup.Item
          key={choice.value}
          value={choice.value}
          data-testid={choice.testId}
          onFocus={() => {
            if (!moving.current) return;
            moving.current = false;
            pick(choice.value);
          }}
          className="grid content-start gap-0.5 rounded-lg border border-line bg-raised px-3.5 py-2.5 text-left hover:border-line-strong data-[state=checked]:border-agent data-[state=checked]:shadow-[0_0_0_1px_var(--agent)]"
        >
          <span className={cx("flex items-center gap-2 text-ui text-ink", choice.text === undefined ? "font-firm" : "font-strong")}>
            {choice.icon}
            {choice.title}
            {choice.badge !== undefined && <span className="ml-auto rounded-full bg-agent-soft px-2 text-micro font-firm text-agent">{choice.badge}</span>}
          </span>
          {choice.text !== undefined && <span className="text-small text-ink-3">{choice.text}</span>}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}
