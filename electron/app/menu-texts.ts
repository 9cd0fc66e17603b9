// The words of menus and notifications, in the language of the window.
import commandsEn from "#shared/i18n/commands.en.json" with { type: "json" };
import commandsZh from "#shared/i18n/commands.zh-CN.json" with { type: "json" };
import { languageFor } from "#shared/i18n/language.ts";
import { say } from "#shared/i18n/say.ts";
import type { CommandId } from "#shared/commands/commands.ts";
import type { Settings } from "#shared/settings/settings.ts";

const CATALOGUES = { en: commandsEn, "zh-CN": commandsZh };
type MenuKey = keyof (typeof commandsEn)["menu"];
export type MenuTexts = (key: MenuKey) => string;
export type AppTexts = {
  readonly menu: MenuTexts;
  readonly command: (id: CommandId) => string;
  readonly news: (kind: keyof Settings["notifications"], title: string) => { readonly title: string; readonly body: string };
};

export function appTexts(language: Settings["language"], systemLanguage: string): AppTexts {
  const catalogue = CATALOGUES[language === "system" ? languageFor(systemLanguage) : language];
  const text = (key: string, params: Readonly<Record<string, string>> = {}) => say(catalogue, { key, params });
  return {
    menu: (key) => text(`menu.${key}`),
    command: (id) => text(`command.${id}`),
    news: (kind, title) => ({ title: text(`news.${kind}`), body: title === "" ? text("news.untitled") : title }),
  };
}
