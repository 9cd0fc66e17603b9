// Whether the window is narrower than this; a person's zoom counts, since it makes every point wider.
import { useSyncExternalStore } from "react";

export function useNarrow(px: number): boolean {
  return useSyncExternalStore(followSize, () => window.innerWidth < px);
}

function followSize(changed: () => void): () => void {
  window.addEventListener("resize", changed);
  return () => window.removeEventListener("resize", changed);
}
