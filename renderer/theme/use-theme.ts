// Puts the chosen theme on the document; "system" follows the desktop while it changes.
import { useEffect } from "react";
import type { Settings } from "#shared/settings/settings.ts";

const DARK_QUERY = "(prefers-color-scheme: dark)";

export function useTheme(theme: Settings["theme"]): void {
  useEffect(() => {
    const system = window.matchMedia(DARK_QUERY);
    const apply = (): void => {
      const dark = theme === "dark" || (theme === "system" && system.matches);
      document.documentElement.dataset["theme"] = dark ? "dark" : "light";
    };
    apply();
    system.addEventListener("change", apply);
    return () => system.removeEventListener("change", apply);
  }, [theme]);
}
