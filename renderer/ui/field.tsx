// Text inputs. Enter and Escape go through the IME guard, in every input of the app.
import type { InputHTMLAttributes, KeyboardEvent, ReactNode, Ref } from "react";
import { useId } from "react";
import { cx } from "./class-names.ts";
import { isImeKey, isPlainEnter } from "./ime.ts";

const BOX = "w-full rounded-md border border-line bg-raised px-2.5 text-ui text-ink selectable hover:border-line-strong focus:border-agent focus:outline-none";

type TextInputProps = Omit<InputHTMLAttributes<HTMLInputElement>, "onKeyDown"> & {
  readonly onEnter?: () => void;
  readonly onEscape?: () => void;
  readonly ref?: Ref<HTMLInputElement>;
};

export function TextInput({ onEnter, onEscape, className, ...rest }: TextInputProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (isPlainEnter(event) && !event.repeat && onEnter !== undefined) {
      event.preventDefault();
      onEnter();
    } else if (event.key === "Escape" && !isImeKey(event) && onEscape !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      onEscape();
    }
  };
  return <input className={cx(BOX, "h-8", className)} spellCheck={false} autoComplete="off" onKeyDown={onKeyDown} {...rest} />;
}

type FieldProps = {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: ReactNode;
  readonly children: (id: string, describedBy: string | undefined) => ReactNode;
};

/** Label, input, and below it what helps or what went wrong. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-small font-firm text-ink-2">
        {label}
      </label>
      {children(id, note === undefined ? undefined : `${id}-note`)}
      {note !== undefined && (
        <div id={`${id}-note`} className={cx("text-small", error === undefined ? "text-ink-3" : "text-bad")} role={error === undefined ? undefined : "alert"}>
          {note}
        </div>
      )}
    </div>
  );
}
