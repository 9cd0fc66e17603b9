// A choice of yes or no with its words beside it.
import { type ReactNode, useId } from "react";

type TickProps = {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly testId?: string;
};

export function Tick({ label, hint, checked, onChange, testId }: TickProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-2 text-ui">
      <input
        id={id}
        type="checkbox"
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-1 size-3.5 accent-agent"
        data-testid={testId}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-small text-ink-3">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
