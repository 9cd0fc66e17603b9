// The shape of an output: one number or one word says next to nothing about what to do next (L16 b).

const SCALAR = /^[-+]?[\d.,_]+(?: ?[%\w]{1,4})?$|^[\w.-]{1,24}$/;

/** The value when the whole output is one scalar. */
export function scalarOf(output: string): string | undefined {
  const value = output.trim();
  return value !== "" && SCALAR.test(value) ? value : undefined;
}
