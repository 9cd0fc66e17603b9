// The two languages, and how one is chosen.

export const LANGUAGES = ["en", "zh-CN"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Chinese for any zh locale, else English. */
export function languageFor(locale: string): Language {
  return locale.toLowerCase().startsWith("zh") ? "zh-CN" : "en";
}
