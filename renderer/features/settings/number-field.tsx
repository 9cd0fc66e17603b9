// A number one types; kept in the unit the label says.
import { useState } from "react";
import { Field, TextInput } from "#renderer/ui/field.tsx";

type NumberFieldProps = {
  readonly label: string;
  readonly hint: string;
  readonly value: number;
  readonly min: number;
  readonly onChange: (value: number) => void;
};

/** Kept when one leaves it or presses Enter; what is no number comes back as it was. */
export function NumberField({ label, hint, value, min, onChange }: NumberFieldProps) {
  const [text, setText] = useState<string>();
  const keep = (): void => {
    const next = Number((text ?? "").replace(",", "."));
    if (text !== undefined && text.trim() !== "" && Number.isFinite(next) && next >= min && next !== value) onChange(next);
    setText(undefined);
  };
  return (
    <Field label={label} hint={hint}>
      {(id, note) => (
        <TextInput
          id={id}
          aria-describedby={note}
          inputMode="decimal"
          value={text ?? String(value)}
          onChange={(event) => setText(event.target.value)}
          onBlur={keep}
          onEnter={keep}
          onEscape={() => setText(undefined)}
        />
      )}
    </Field>
  );
}
