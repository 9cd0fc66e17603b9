// Settings as the engine sees them.
import type { Settings } from "#shared/settings/settings.ts";

/** Something in the file that could not be used; the rest is in force. */
export type SettingsProblem = { readonly key: "settings_damaged" | "settings_unreadable" | "settings_value_ignored"; readonly path: string };

export interface SettingsStore {
  current(): Settings;
  readonly problems: readonly SettingsProblem[];
  /** Merges the patch, writes the file, tells the followers. Rejects when the file cannot be written; the old settings then stay in force. */
  set(patch: Partial<Settings>): Promise<Settings>;
  follow(listener: (settings: Settings) => void): Disposable;
}
