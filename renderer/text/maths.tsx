// A formula in a text: its source until the part that draws formulas is there.
import { lazy, Suspense } from "react";

const Formula = lazy(async () => ({ default: (await import("./formula.tsx")).Formula }));

export function Maths({ tex, display }: { readonly tex: string; readonly display: boolean }) {
  return (
    <Suspense fallback={<code>{tex}</code>}>
      <Formula tex={tex} display={display} />
    </Suspense>
  );
}
